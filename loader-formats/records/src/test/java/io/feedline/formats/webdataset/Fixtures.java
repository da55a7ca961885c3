package io.feedline.formats.webdataset;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.formats.image.Image;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.webdataset.WebDataset.WebSample;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The shards that make_fixtures.py made with Python's tarfile, and shards made by hand. */
final class Fixtures {

  private Fixtures() {}

  static byte[] bytes(String name) {
    return FixtureFiles.bytes(Fixtures.class, name);
  }

  static List<String> lines(String name) {
    return FixtureFiles.lines(Fixtures.class, name);
  }

  /** The fields that Python's webdataset has read from a shard. */
  static List<String> listing(String shard) {
    return lines("listing.txt").stream().filter(line -> line.startsWith(shard + "\t")).toList();
  }

  static List<String> listing(String shard, WebSample sample) {
    return sample.fields().entrySet().stream()
        .map(
            field ->
                "%s\t%s\t%s\t%d\t%s"
                    .formatted(
                        shard,
                        sample.key(),
                        field.getKey(),
                        field.getValue().length,
                        FixtureFiles.crc(field.getValue())))
        .toList();
  }

  static Path copy(String name, Path directory) throws IOException {
    return Files.write(directory.resolve(name), bytes(name));
  }

  static byte[] image(String name) {
    return FixtureFiles.bytes(Image.class, name);
  }

  /** An archive of files, with an end. */
  static byte[] tar(Object... namesAndTexts) {
    byte[] entries = entries(namesAndTexts);
    return Arrays.copyOf(entries, entries.length + 1024);
  }

  /** Entries with alternating names and texts. */
  static byte[] entries(Object... namesAndTexts) {
    List<byte[]> pieces = new ArrayList<>();
    for (int i = 0; i < namesAndTexts.length; i += 2) {
      byte[] data =
          namesAndTexts[i + 1] instanceof byte[] bytes
              ? bytes
              : namesAndTexts[i + 1].toString().getBytes(UTF_8);
      TarWriter.add(namesAndTexts[i].toString(), data, pieces);
    }
    ByteBuffer all = ByteBuffer.allocate(pieces.stream().mapToInt(piece -> piece.length).sum());
    pieces.forEach(all::put);
    return all.array();
  }

  /** Changes a header, and its checksum with it. */
  static byte[] patched(byte[] tar, int header, int at, byte... value) {
    byte[] changed = tar.clone();
    System.arraycopy(value, 0, changed, header + at, value.length);
    byte[] block = Arrays.copyOfRange(changed, header, header + TarLayout.BLOCK);
    byte[] sum = "%06o\0 ".formatted(TarLayout.checksum(block)).getBytes(UTF_8);
    System.arraycopy(sum, 0, changed, header + TarLayout.CHECKSUM, sum.length);
    return changed;
  }
}
