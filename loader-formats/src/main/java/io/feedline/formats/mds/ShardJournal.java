package io.feedline.formats.mds;

import io.feedline.internal.Json;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Which shards of an unfinished dataset are whole: {@code index.json.partial}, a line of JSON for
 * the options, and one for each shard, added when the shard has been written. A last line that was
 * torn is cut off, and its shard written again.
 */
final class ShardJournal implements Closeable {

  private static final String NAME = MdsIndex.NAME + ".partial";

  private final Path file;
  private final FileChannel out;
  private final List<MdsShard> shards;

  private ShardJournal(Path file, FileChannel out, List<MdsShard> shards) {
    this.file = file;
    this.out = out;
    this.shards = shards;
  }

  /**
   * Begins a journal, or goes on with one.
   *
   * @throws MdsException if it is of other options, or a shard is not there as it says
   * @throws IOException if it cannot be read or opened
   */
  static ShardJournal open(Path directory, Map<String, Object> options) throws IOException {
    Path file = directory.resolve(NAME);
    String text = Files.exists(file) ? Files.readString(file) : "";
    // A torn line has no end.
    String whole = text.substring(0, text.lastIndexOf('\n') + 1);
    List<String> lines = whole.lines().toList();
    String expected = Json.write(options);
    if (!lines.isEmpty() && !lines.get(0).equals(expected)) {
      throw new MdsException(
          "%s: the unfinished output has other options: %s, not %s"
              .formatted(file, lines.get(0), expected));
    }
    List<MdsShard> shards = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      shards.add(shard(directory, file, i, lines.get(i)));
    }
    FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      int length = whole.getBytes(StandardCharsets.UTF_8).length;
      out.truncate(length).position(length);
      ShardJournal journal = new ShardJournal(file, out, shards);
      if (lines.isEmpty()) {
        journal.line(expected);
      }
      return journal;
    } catch (IOException | RuntimeException failure) {
      out.close();
      throw failure;
    }
  }

  private static MdsShard shard(Path directory, Path file, int line, String text)
      throws IOException {
    MdsShard shard;
    try {
      shard = MdsShard.parse(Json.read(text));
    } catch (IllegalArgumentException e) {
      throw new MdsException("%s: line %d: %s".formatted(file, line + 1, e.getMessage()), e);
    }
    MdsShard.FileInfo stored = shard.zip() == null ? shard.raw() : shard.zip();
    Path path = directory.resolve(stored.basename());
    long size = Files.exists(path) ? Files.size(path) : -1;
    if (size != stored.bytes()) {
      throw new MdsException(
          "%s should have %d bytes, %s; delete %s to begin anew"
              .formatted(
                  path, stored.bytes(), size < 0 ? "but is missing" : "but has " + size, file));
    }
    return shard;
  }

  /** The shards that are there. */
  List<MdsShard> shards() {
    return shards;
  }

  /** Notes a shard that has been written. */
  void add(MdsShard shard) throws IOException {
    line(Json.write(shard.toJson()));
  }

  private void line(String text) throws IOException {
    ByteBuffer line = ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8));
    while (line.hasRemaining()) {
      out.write(line);
    }
    out.force(true);
  }

  /** Deletes it: the dataset has its index. */
  void delete() throws IOException {
    Files.deleteIfExists(file);
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
