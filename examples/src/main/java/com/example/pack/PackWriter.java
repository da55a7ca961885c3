package com.example.pack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import io.feedline.data.FormatException;
import io.feedline.data.Quarantine;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.StoreWriter;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * A writer of a file of {@link PackFormat}. It writes each record at once to {@code NAME.partial},
 * and keeps the index in memory until the end.
 *
 * <p>After an interruption, writing begins again: {@link #written} is 0 at first, and uncommitted
 * files are deleted. This is allowed. {@code StoreWriterContract} requires more of Feedline's own
 * writers: they continue after the last complete shard, and fail if the source is another one.
 */
final class PackWriter implements StoreWriter<EncodedImage> {

  private final Path path;
  private final Path partial;
  private final List<String> classes;
  private final FileChannel file;
  private final CRC32 crc = new CRC32();
  private final ByteArrayOutputStream index = new ByteArrayOutputStream();
  private final DataOutputStream indexData = new DataOutputStream(index);
  private final List<Quarantine.Entry> leftOut = new ArrayList<>();
  private int written;
  private boolean committed;

  private PackWriter(Path path, Path partial, List<String> classes, FileChannel file) {
    this.path = path;
    this.partial = partial;
    this.classes = classes;
    this.file = file;
  }

  static PackWriter open(Path path, List<String> classes) throws IOException {
    if (Files.exists(path) && !isEmptyDirectory(path)) {
      throw new FileAlreadyExistsException(path.toString());
    }
    Path partial = path.resolveSibling(path.getFileName() + ".partial");
    Files.createDirectories(partial.toAbsolutePath().getParent());
    FileChannel file = FileChannel.open(partial, CREATE, WRITE);
    try {
      lock(file, path);
      file.truncate(0);
      PackWriter writer = new PackWriter(path, partial, List.copyOf(classes), file);
      writer.append(PackFormat.magic());
      return writer;
    } catch (IOException | RuntimeException failure) {
      file.close();
      throw failure;
    }
  }

  private static boolean isEmptyDirectory(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return false;
    }
    try (Stream<Path> inside = Files.list(path)) {
      return inside.findAny().isEmpty();
    }
  }

  /** Locks the file; closing the channel unlocks it. */
  private static void lock(FileChannel file, Path path) throws IOException {
    try {
      if (file.tryLock() != null) {
        return;
      }
    } catch (OverlappingFileLockException here) {
      throw new IOException(path + " is being written by another writer", here);
    }
    throw new IOException(path + " is being written by another writer");
  }

  @Override
  public long written() {
    return written;
  }

  @Override
  public void write(EncodedImage image) throws IOException {
    requireOpen();
    if (!classes.isEmpty() && image.label() >= classes.size()) {
      throw new FormatException(
          "%s: '%s' has the label %d, but there are %d classes"
              .formatted(path, image.key(), image.label(), classes.size()));
    }
    byte[] key = image.key().getBytes(UTF_8);
    ByteBuffer head = ByteBuffer.allocate(3 * Integer.BYTES + key.length);
    head.putInt(image.label()).putInt(key.length).put(key).putInt(image.bytes().length);
    long offset = file.position();
    append(head.array());
    append(image.bytes());
    crc.update(head.array());
    crc.update(image.bytes());
    indexData.writeLong(offset);
    written++;
  }

  @Override
  public void leaveOut(Quarantine.Entry sample) {
    requireOpen();
    leftOut.add(sample);
  }

  @Override
  public Quarantine leftOut() {
    return new Quarantine(leftOut);
  }

  @Override
  public void commit() throws IOException {
    requireOpen();
    long start = file.position();
    for (String name : classes) {
      indexData.writeUTF(name);
    }
    append(index.toByteArray());
    ByteBuffer trailer = ByteBuffer.allocate(PackFormat.TRAILER_BYTES);
    trailer.putLong(start).putInt(written).putInt(classes.size()).putLong(crc.getValue());
    append(trailer.put(PackFormat.magic()).array());
    file.force(true);
    if (Files.isDirectory(path)) {
      Files.delete(path);
    }
    Files.move(partial, path);
    committed = true;
    file.close();
  }

  private void append(byte[] bytes) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(bytes);
    while (left.hasRemaining()) {
      file.write(left);
    }
  }

  private void requireOpen() {
    if (!file.isOpen()) {
      throw new IllegalStateException(
          "the writer of %s is %s".formatted(path, committed ? "committed" : "closed"));
    }
  }

  @Override
  public void close() throws IOException {
    if (file.isOpen()) {
      Files.deleteIfExists(partial);
      file.close();
    }
  }
}
