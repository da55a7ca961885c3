package io.feedline.formats.jpeg.index.internal;

import io.feedline.formats.jpeg.internal.JpegException;
import io.feedline.formats.jpeg.internal.JpegImage;
import io.feedline.formats.jpeg.internal.ScanIndex;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.internal.files.Beside;
import io.feedline.formats.store.internal.files.LocalFiles;
import io.feedline.formats.store.internal.files.OpenFile;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.files.WholeFile;
import io.feedline.formats.store.internal.shards.IndexCache;
import io.feedline.formats.store.internal.shards.ShardIdentity;
import io.feedline.formats.store.internal.shards.ShardedStore;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import io.feedline.internal.Presence;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scan indexes of all JPEGs of a dataset, in a file beside it, so that even the first epoch
 * reads only the data that its crops need.
 *
 * <p><b>Principle.</b> The file contains the dataset's fingerprint, and each index contains the
 * length and the checksum of its image. So a file that is older than the dataset never leads to
 * wrong pixels: images that have changed are decoded without an index, which takes longer.
 *
 * <p><b>File layout</b>, little-endian:
 *
 * <pre>
 *  0  u64  magic, "FEEDIDX1"
 *  8  u32  CRC-32C of all that follows up to the first index
 * 12  u32  length of the fingerprint in bytes
 * 16  u64  samples n
 * 24       fingerprint, UTF-8, padded with zeros to a multiple of 8
 *          n + 1 x u64  offset in the file of each sample's index, and the end of the last index;
 *                       a sample without an index has the next sample's offset
 *          the indexes, as {@link ScanIndex#toBytes} returns them
 * </pre>
 *
 * <p>The offsets stay on disk. When a sample is read, its index is read from the file by two reads:
 * one of a few bytes and one of a few kilobytes. The file is not mapped, since a mapped file that
 * shrinks crashes the process.
 *
 * <p>Thread-safe. An interrupted thread decodes without an index, and other threads are not
 * affected. The caller that opened the file closes it. Closing twice is allowed, and a closed file
 * has no indexes. A dataset that finds the file beside itself keeps the file open until the dataset
 * is closed.
 */
public final class ScanIndexFile extends ScanIndexStore implements Closeable {

  /** The name of the file if the dataset is a directory. */
  public static final String NAME = ".feedline-index";

  public static final String SUFFIX = ".scan-index";
  private static final Logger LOG = LoggerFactory.getLogger(ScanIndexFile.class);

  private static final long MAGIC = 0x3158444944454546L;
  private static final int CRC_AT = 8;
  private static final int FINGERPRINT_LENGTH_AT = 12;
  private static final int SIZE_AT = 16;
  private static final int HEADER_BYTES = 24;
  private static final int MAX_FINGERPRINT_BYTES = 1 << 16;

  private static final int COPY_BYTES = 1 << 16;
  private static final byte[] NO_BYTES = {};

  private final Path path;
  private final OpenFile file;
  private final long length;
  private final long size;
  private final long tableAt;

  private ScanIndexFile(Path path, OpenFile file, long length, long size, long tableAt) {
    this.path = path;
    this.file = file;
    this.length = length;
    this.size = size;
    this.tableAt = tableAt;
  }

  /**
   * Returns the path of a dataset's file: in the dataset if it is a directory, otherwise beside it.
   */
  public static Path pathBeside(Path dataset) throws IOException {
    return Presence.isDirectory(dataset) ? dataset.resolve(NAME) : Beside.of(dataset, SUFFIX);
  }

  /**
   * Returns the path at which a dataset's file is created: beside the dataset if it is on this
   * machine, otherwise in this user's directory of indexes, where indexes are read quickly.
   */
  public static Path placeOf(Path dataset) throws IOException {
    if (LocalFiles.include(dataset)) {
      return pathBeside(dataset);
    }
    Path kept = IndexCache.placeOf(dataset, SUFFIX);
    if (kept == null) {
      throw new IOException(
          dataset
              + " is not on this machine, and no place is set for its indexes: leave out"
              + " -Dfeedline.indexes, or name a directory");
    }
    return kept;
  }

  /**
   * Returns the indexes in a dataset's file. Returns empty without a file, and also, with a
   * warning, if the file is damaged or belongs to another dataset. If {@code shards} are given,
   * also returns empty for the file of a dataset's only shard, which is opened later.
   */
  static Optional<ScanIndexFile> find(ImageStore store, Optional<ShardedStore> shards) {
    try {
      Path path = existing(store.path());
      if (path == null) {
        return Optional.empty();
      }
      if (shards.isPresent() && shards.get().shardSizes().length == 1) {
        ShardIdentity only = shards.get().shard(0);
        if (path.equals(pathOf(only)) && belongs(path, only.fingerprint())) {
          return Optional.empty();
        }
      }
      return Optional.of(open(path, store.fingerprint(), store.size()));
    } catch (IOException unusable) {
      LOG.warn(
          "{}; images are decoded without it. The command 'feedline index' makes it anew",
          unusable.getMessage());
      return Optional.empty();
    }
  }

  private static boolean belongs(Path path, String fingerprint) throws IOException {
    try (OpenFile file = OpenFile.of(path)) {
      return fingerprint.equals(fingerprint(file, read(file, 0, HEADER_BYTES)));
    }
  }

  /** Returns the fingerprint in the header; null if the file is not an index. */
  private static String fingerprint(OpenFile file, ByteBuffer header) throws IOException {
    int length = header == null ? 0 : header.getInt(FINGERPRINT_LENGTH_AT);
    if (header == null
        || header.getLong(0) != MAGIC
        || length < 0
        || length > MAX_FINGERPRINT_BYTES) {
      return null;
    }
    ByteBuffer name = read(file, HEADER_BYTES, length);
    return name == null ? "" : StandardCharsets.UTF_8.decode(name).toString();
  }

  static Path pathOf(ShardIdentity shard) {
    return Beside.of(shard.file(), SUFFIX);
  }

  private static @Nullable Path existing(Path dataset) throws IOException {
    if (!LocalFiles.include(dataset)) {
      Path kept = IndexCache.placeOf(dataset, SUFFIX);
      if (kept != null && Presence.exists(kept)) {
        IndexCache.used(kept);
        return kept;
      }
    }
    Path beside = pathBeside(dataset);
    if (!Presence.exists(beside)) {
      return null;
    }
    if (isFar(beside)) {
      LOG.info(
          "{} is not used, as reading it for each image would take longer than decoding without it;"
              + " the command 'feedline index {}' makes one on this machine",
          beside,
          dataset.toUri());
      return null;
    }
    return beside;
  }

  private static boolean isFar(Path file) {
    try (OpenFiles files = new OpenFiles(1)) {
      return files.isFar(file);
    } catch (IOException unreadable) {
      return false; // opening the file will report the error
    }
  }

  /**
   * Opens the file of a dataset with this fingerprint and this number of samples.
   *
   * @throws IOException if the file is damaged, or belongs to another dataset
   */
  public static ScanIndexFile open(Path path, String fingerprint, long size) throws IOException {
    OpenFiles files = new OpenFiles(1);
    boolean opened = false;
    try {
      ScanIndexFile indexes = open(files, path, fingerprint, size);
      opened = true;
      return indexes;
    } finally {
      if (!opened) {
        files.close();
      }
    }
  }

  static ScanIndexFile open(OpenFiles files, Path path, String fingerprint, long size)
      throws IOException {
    OpenFile file = new OpenFile(files, path);
    ByteBuffer header = read(file, 0, HEADER_BYTES);
    String found = fingerprint(file, header);
    if (found == null) {
      throw new IOException(path + " is not a file of scan indexes");
    }
    long samples = header.getLong(SIZE_AT);
    if (!found.equals(fingerprint) || samples != size) {
      throw new IOException(
          "%s is of another dataset, or of another state of it: fingerprint %s and %d samples instead"
                  .formatted(path, found, samples)
              + " of %s and %d".formatted(fingerprint, size));
    }
    long tableAt = (long) HEADER_BYTES + padded(header.getInt(FINGERPRINT_LENGTH_AT));
    int crc = crc(file, FINGERPRINT_LENGTH_AT, tableAt + 8 * (size + 1));
    if (crc != header.getInt(CRC_AT)) {
      throw new IOException(
          "%s is damaged: its CRC-32C is %08X instead of %08X"
              .formatted(path, crc, header.getInt(CRC_AT)));
    }
    return new ScanIndexFile(path, file, file.length(), size, tableAt);
  }

  @Override
  ScanIndex get(long sample, long mostBytes) {
    if (sample < 0 || sample >= size) {
      return null;
    }
    try {
      ByteBuffer ends = read(file, tableAt + 8 * sample, 16);
      long start = ends == null ? 0 : ends.getLong(0);
      long end = ends == null ? 0 : ends.getLong(8);
      // The table may be forged together with its checksum.
      if (start < tableAt + 8 * (size + 1)
          || end > length
          || end <= start
          || end - start > mostBytes) {
        return null;
      }
      ByteBuffer bytes = read(file, start, (int) (end - start));
      return bytes == null ? null : ScanIndex.of(bytes);
    } catch (IOException | IllegalStateException unusable) {
      // An index is optional. The file may be damaged or closed, or the thread interrupted.
      LOG.debug("{}: no index for sample {}", path, sample, unusable);
      return null;
    }
  }

  @Override
  public boolean isInFiles() {
    return true;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /** Reads bytes of the file; null if the file ends earlier. */
  private static ByteBuffer read(OpenFile file, long at, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    try {
      file.read(at, buffer);
    } catch (EOFException ended) {
      return null;
    }
    return buffer.flip();
  }

  private static int crc(OpenFile file, long from, long to) throws IOException {
    CRC32C crc = new CRC32C();
    for (long at = from; at < to; at += COPY_BYTES) {
      ByteBuffer part = read(file, at, (int) Math.min(COPY_BYTES, to - at));
      if (part == null) {
        return 0;
      }
      crc.update(part);
    }
    return (int) crc.getValue();
  }

  private static int padded(int length) {
    return (length + 7) & ~7;
  }

  @Override
  public String toString() {
    return "scan indexes in " + path;
  }

  /** Returns the index of an image; empty if it is damaged, or of a kind that has no index. */
  public static Optional<ScanIndex> index(byte[] encoded) {
    try {
      JpegImage image = JpegImage.parse(encoded);
      return image.unsupported() == null ? Optional.of(ScanIndex.build(image)) : Optional.empty();
    } catch (JpegException damaged) {
      return Optional.empty();
    }
  }

  /**
   * Writes the file of a shard beside the shard, completely or not at all; an old file is replaced.
   *
   * @param indexes the indexes of the shard's images, in their order; empty for images without an
   *     index
   */
  public static void forShard(ShardIdentity shard, List<Optional<ScanIndex>> indexes)
      throws IOException {
    if (indexes.size() != shard.samples()) {
      throw new IllegalArgumentException(
          "%s has %d samples, and not %d".formatted(shard.file(), shard.samples(), indexes.size()));
    }
    Head head = new Head(shard.fingerprint(), indexes.size());
    ByteArrayOutputStream bodies = new ByteArrayOutputStream();
    for (int i = 0; i < indexes.size(); i++) {
      head.begin(i, head.bytes() + bodies.size());
      bodies.write(indexes.get(i).map(ScanIndex::toBytes).orElse(NO_BYTES));
    }
    ByteArrayOutputStream file = new ByteArrayOutputStream(head.bytes() + bodies.size());
    file.write(head.complete(head.bytes() + bodies.size()).array());
    bodies.writeTo(file);
    Path path = pathOf(shard);
    ObjectOutput object = ObjectOutput.of(path);
    if (object == null) {
      WholeFile.write(path, file.toByteArray());
    } else {
      String unused = object.write(file.toByteArray(), ObjectOutput.ANY);
    }
  }

  private static final class Head {
    private final ByteBuffer bytes;
    private final int tableAt;
    private final long size;

    /** Creates the head of a file of {@code size} samples; its table must fit into 2 GiB. */
    Head(String fingerprint, long size) {
      byte[] name = fingerprint.getBytes(StandardCharsets.UTF_8);
      if (name.length > MAX_FINGERPRINT_BYTES) {
        throw new IllegalArgumentException(
            "a fingerprint has at most %d bytes, was %d"
                .formatted(MAX_FINGERPRINT_BYTES, name.length));
      }
      this.size = size;
      this.tableAt = HEADER_BYTES + padded(name.length);
      int length = Math.toIntExact(Math.addExact(tableAt, Math.multiplyExact(8, size + 1)));
      this.bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
      bytes.putLong(0, MAGIC).putInt(FINGERPRINT_LENGTH_AT, name.length).putLong(SIZE_AT, size);
      bytes.put(HEADER_BYTES, name);
    }

    int bytes() {
      return bytes.capacity();
    }

    void begin(long sample, long at) {
      bytes.putLong((int) (tableAt + 8 * sample), at);
    }

    ByteBuffer complete(long end) {
      begin(size, end);
      CRC32C crc = new CRC32C();
      crc.update(bytes.array(), FINGERPRINT_LENGTH_AT, bytes.capacity() - FINGERPRINT_LENGTH_AT);
      bytes.putInt(CRC_AT, (int) crc.getValue());
      return bytes.duplicate().clear();
    }
  }

  /**
   * A writer of a file, one sample's index after the other. The file gets its name by {@link
   * #commit}. Not thread-safe; the caller that opened the writer closes it.
   */
  public static final class Writer implements AutoCloseable {
    private final Path path;
    private final Path partial;
    private final FileChannel channel;
    private final Head head;
    private long end;
    private long samples;
    private final long size;

    public Writer(Path path, String fingerprint, long size) throws IOException {
      LocalFiles.requireForWriting(path);
      this.path = path;
      this.size = size;
      this.partial = path.resolveSibling(path.getFileName() + ".partial");
      this.head = new Head(fingerprint, size);
      this.end = head.bytes();
      this.channel =
          FileChannel.open(
              partial,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE);
    }

    /** Adds the next sample's index; empty for a sample without an index. */
    public void add(Optional<ScanIndex> index) throws IOException {
      if (samples == size) {
        throw new IllegalStateException("all " + size + " samples have been added");
      }
      head.begin(samples, end);
      samples++;
      if (index.isPresent()) {
        end += write(ByteBuffer.wrap(index.get().toBytes()), end);
      }
    }

    private int write(ByteBuffer bytes, long at) throws IOException {
      int length = bytes.remaining();
      while (bytes.hasRemaining()) {
        channel.write(bytes, at + length - bytes.remaining());
      }
      return length;
    }

    public void commit() throws IOException {
      if (samples != size) {
        throw new IllegalStateException("%d of %d samples were added".formatted(samples, size));
      }
      write(head.complete(end), 0);
      channel.close();
      Files.move(
          partial, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      IndexCache.prune(path);
    }

    /** Deletes the file if it was not committed. Closing twice is allowed. */
    @Override
    public void close() throws IOException {
      channel.close();
      try {
        Files.delete(partial);
      } catch (NoSuchFileException committed) {
        // The file was committed, so nothing has to be deleted.
      }
    }
  }
}
