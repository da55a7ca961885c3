package io.feedline.formats.mds;

import io.feedline.data.FormatException;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.formats.store.internal.files.LocalFiles;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.files.WholeFile;
import io.feedline.formats.store.internal.shards.ShardCheck;
import io.feedline.formats.store.internal.staging.LocalStaging;
import io.feedline.internal.Counts;
import io.feedline.internal.Presence;
import java.io.Closeable;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a dataset's shards. The first thread that needs a shard inflates and checks it,
 * while other threads wait. A shard that was found damaged is not read again until its files
 * change. Inflated files beyond {@code cacheBytes} are deleted, the least recently used first;
 * files that were inflated before this dataset was opened are kept. Thread-safe.
 */
final class MdsShards implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(MdsShards.class);
  private static final int COUNT_BYTES = 4;
  private static final int OFFSET_BYTES = 4;
  private static final int MOST_TABLE_BYTES = 1 << 26;

  /** The number of attempts of a read: in a small cache, threads delete each other's shards. */
  private static final int MAX_ATTEMPTS = 1000;

  private static final int COPY_BYTES = 1 << 16;

  private final Path directory;
  private final List<MdsShard> shards;
  private final boolean verifyChecksums;
  private final long cacheBytes;
  private final OpenFiles files;
  private final Shard[] states;
  private @Nullable Path cache;

  /** True if {@link #close} deletes the cache. */
  private boolean temporary;

  /** The sizes of the shards that this dataset inflated, the least recently used first. */
  private final Map<Integer, Long> inflated = new LinkedHashMap<>(16, 0.75f, true);

  private long inflatedBytes;

  /** The monitor for inflating a shard, and for deleting other shards to make room. */
  private final Object preparing = new Object();

  /** The state of a shard; its monitor is held while an uncompressed shard is prepared. */
  private static final class Shard {
    private volatile Path ready;

    /** Offsets of samples, and the last sample's end, unsigned; null if local, or not yet read. */
    private volatile int @Nullable [] offsets;

    /** The damage of the shard; null if no damage was found. */
    private @Nullable FormatException damage;

    private String damaged;
  }

  /**
   * Takes {@code cache}, the directory for inflated files. If it is null, they go to the dataset's
   * directory, or to a temporary directory if the dataset's directory cannot be written.
   */
  MdsShards(
      Path directory,
      List<MdsShard> shards,
      Path cache,
      boolean verifyChecksums,
      long cacheBytes,
      int openFiles) {
    this.directory = directory;
    this.shards = shards;
    this.cache = cache;
    this.verifyChecksums = verifyChecksums;
    this.cacheBytes = cacheBytes;
    this.files = new OpenFiles(openFiles);
    this.states = new Shard[shards.size()];
    for (int i = 0; i < states.length; i++) {
      states[i] = new Shard();
    }
  }

  Path path(int shard) {
    return directory.resolve(shards.get(shard).raw().basename());
  }

  ByteBuffer read(int shard, int sample) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        FileRange place = locate(ready(shard), shard, sample);
        return read(place, sample, (int) place.length());
      } catch (FileNotFoundException gone) {
        if (attempt == MAX_ATTEMPTS || !canInflateAgain(shard)) {
          throw gone;
        }
      }
    }
  }

  /** Returns a sample's place; empty for a compressed shard, whose inflated file may be deleted. */
  Optional<FileRange> locate(int shard, int sample) throws IOException {
    return shards.get(shard).zip() != null
        ? Optional.empty()
        : Optional.of(locate(ready(shard), shard, sample));
  }

  boolean isFar(int shard) throws IOException {
    return files.isFar(path(shard));
  }

  void check() throws IOException {
    Map<Path, MdsShard.FileInfo> stored = new LinkedHashMap<>();
    for (MdsShard shard : shards) {
      Path file = directory.resolve(shard.stored().basename());
      boolean onlyInflated = shard.zip() != null && !Presence.exists(file) && isThere(shard.raw());
      stored.put(
          onlyInflated ? directory.resolve(shard.raw().basename()) : file,
          onlyInflated ? shard.raw() : shard.stored());
    }
    ShardCheck.all(
        List.copyOf(stored.keySet()), files, directory, file -> check(file, stored.get(file)));
  }

  private void check(Path file, MdsShard.FileInfo info) throws IOException {
    requireBytes(file, files.size(file), info);
    if (Hashes.areKnown(info)) {
      Hashes.verify(files, file, info);
    }
  }

  private static void requireBytes(Path file, long bytes, MdsShard.FileInfo info)
      throws FormatException {
    if (bytes != info.bytes()) {
      throw new FormatException(
          "%s has %d bytes, the index says %d: it is truncated, or another file"
              .formatted(file, bytes, info.bytes()));
    }
  }

  OpenFiles files() {
    return files;
  }

  /** Tests whether a shard can be inflated again, after another thread has deleted its file. */
  private boolean canInflateAgain(int shard) throws IOException {
    MdsShard.FileInfo zip = shards.get(shard).zip();
    if (zip == null || !Presence.exists(directory.resolve(zip.basename()))) {
      return false;
    }
    Shard state = states[shard];
    synchronized (lock(shard)) {
      if (state.ready != null && !Presence.exists(state.ready)) {
        state.ready = null;
      }
    }
    return true;
  }

  /** Returns the place of a sample in a remote file; empty before the first read of the shard. */
  Optional<FileRange> range(int shard, int sample) {
    int[] offsets = states[shard].offsets;
    if (offsets == null) {
      return Optional.empty();
    }
    long begin = Integer.toUnsignedLong(offsets[sample]);
    long end = Integer.toUnsignedLong(offsets[sample + 1]);
    return begin < end && end <= shards.get(shard).raw().bytes()
        ? Optional.of(new FileRange(path(shard), begin, end - begin))
        : Optional.empty(); // damaged; the read will say so
  }

  /** Returns a sample's place, an estimate before the first read; empty for a compressed shard. */
  List<FileRange> parts(int number, int sample) {
    MdsShard shard = shards.get(number);
    if (shard.zip() != null) {
      return List.of();
    }
    Optional<FileRange> exact = range(number, sample);
    if (exact.isPresent()) {
      return List.of(exact.get());
    }
    long table = Math.min(shard.raw().bytes(), COUNT_BYTES + OFFSET_BYTES * (shard.samples() + 1));
    double each = (double) (shard.raw().bytes() - table) / shard.samples();
    long begin = table + (long) (each * sample);
    return List.of(new FileRange(path(number), begin, (long) Math.ceil(each)));
  }

  Closeable openRange(FileRange range) throws IOException {
    return files.openRange(range);
  }

  private FileRange locate(Path file, int number, int sample) throws IOException {
    MdsShard shard = shards.get(number);
    int[] offsets = states[number].offsets;
    long at = COUNT_BYTES + (long) OFFSET_BYTES * sample;
    long begin;
    long end;
    if (offsets == null) {
      ByteBuffer pair = littleEndian(2 * OFFSET_BYTES);
      files.read(file, at, pair);
      begin = Integer.toUnsignedLong(pair.getInt(0));
      end = Integer.toUnsignedLong(pair.getInt(OFFSET_BYTES));
    } else {
      begin = Integer.toUnsignedLong(offsets[sample]);
      end = Integer.toUnsignedLong(offsets[sample + 1]);
    }
    long least = COUNT_BYTES + OFFSET_BYTES * (shard.samples() + 1);
    if (begin < least || begin > end || end > shard.raw().bytes()) {
      throw new FormatException(
          "%s: sample %d should lie between offsets %d and %d, but the offsets at %d say from %d to"
                  .formatted(file, sample, least, shard.raw().bytes(), at, begin)
              + " "
              + end);
    }
    if (end - begin > Integer.MAX_VALUE - 8) {
      throw new FormatException(
          "%s: sample %d at offset %d has %d bytes; at most 2 GiB are read"
              .formatted(file, sample, begin, end - begin));
    }
    return new FileRange(file, begin, end - begin);
  }

  ByteBuffer read(FileRange place, int sample, int length) throws IOException {
    ByteBuffer data = littleEndian(length);
    try {
      files.read(place.file(), place.offset(), data);
    } catch (EOFException truncated) {
      throw new FormatException(
          "%s: sample %d of %d bytes at offset %d: %s"
              .formatted(
                  place.file(), sample, place.length(), place.offset(), truncated.getMessage()),
          truncated);
    }
    return data.flip();
  }

  private static ByteBuffer littleEndian(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private Path ready(int number) throws IOException {
    Shard state = states[number];
    Path ready = state.ready;
    if (ready == null) {
      synchronized (lock(number)) {
        ready = state.ready;
        if (ready == null) {
          ready = prepareOnce(number, state);
          state.ready = ready;
        }
      }
    }
    if (shards.get(number).zip() != null) {
      used(number);
    }
    return ready;
  }

  /**
   * Returns the lock for preparing a shard. Compressed shards share one lock, since preparing a
   * shard may delete another.
   */
  private Object lock(int shard) {
    return shards.get(shard).zip() == null ? states[shard] : preparing;
  }

  private Path prepareOnce(int number, Shard state) throws IOException {
    MdsShard shard = shards.get(number);
    if (state.damage != null && stamps(shard).equals(state.damaged)) {
      throw new FormatException(state.damage.getMessage(), state.damage);
    }
    state.damage = null;
    String before = stamps(shard);
    try {
      return prepare(number, shard);
    } catch (FormatException damage) {
      state.damage = damage;
      state.damaged = before;
      throw damage;
    }
  }

  private String stamps(MdsShard shard) {
    return stamp(shard.raw()) + (shard.zip() == null ? "" : stamp(shard.zip()));
  }

  private String stamp(MdsShard.FileInfo info) {
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(directory.resolve(info.basename()), BasicFileAttributes.class);
      return attributes.size() + " " + attributes.lastModifiedTime() + " " + attributes.fileKey();
    } catch (IOException absent) {
      return "absent ";
    }
  }

  private Path prepare(int number, MdsShard shard) throws IOException {
    Path raw = path(number);
    Path file = raw;
    if (shard.zip() != null && !isThere(raw, shard.raw())) {
      file = inflate(number, shard);
    }
    long size = files.size(file);
    requireBytes(file, size, shard.raw());
    if (verifyChecksums) {
      Hashes.verify(files, file, shard.raw());
    }
    long table = COUNT_BYTES + OFFSET_BYTES * (shard.samples() + 1);
    if (size < table) {
      throw new FormatException(
          "%s has %d bytes, too few for the offsets of %d samples"
              .formatted(file, size, shard.samples()));
    }
    // From a remote file all offsets are read together with the count, in one request.
    boolean far = table <= MOST_TABLE_BYTES && files.isFar(file);
    ByteBuffer count = littleEndian(far ? (int) table : COUNT_BYTES);
    files.read(file, 0, count);
    long found = Integer.toUnsignedLong(count.getInt(0));
    if (found != shard.samples()) {
      throw new FormatException(
          "%s has %s, the index says %d"
              .formatted(file, Counts.of(found, "sample"), shard.samples()));
    }
    if (far) {
      int[] offsets = new int[Math.toIntExact(table / OFFSET_BYTES) - 1];
      count.position(COUNT_BYTES).asIntBuffer().get(offsets);
      states[number].offsets = offsets;
    }
    return file;
  }

  private boolean isThere(MdsShard.FileInfo info) throws IOException {
    return isThere(directory.resolve(info.basename()), info);
  }

  private static boolean isThere(Path file, MdsShard.FileInfo info) throws IOException {
    return Presence.isFile(file) && Files.size(file) == info.bytes();
  }

  private Path inflate(int number, MdsShard shard) throws IOException {
    Path zip = directory.resolve(shard.zip().basename());
    ShardCompression compression = ShardCompression.of(shard.compression());
    try (SeekableByteChannel packed = OpenFiles.open(zip)) {
      requireBytes(zip, packed.size(), shard.zip());
      if (verifyChecksums && !shard.zip().hashes().isEmpty()) {
        Hashes.verify(files, zip, shard.zip());
      }
      Path target = cacheDirectory().resolve(shard.raw().basename());
      if (isThere(target, shard.raw())) {
        return target;
      }
      makeRoom(shard.raw().bytes());
      Files.createDirectories(target.toAbsolutePath().getParent());
      Path partial = WholeFile.temporaryFor(target);
      try (InputStream in = inflating(packed, zip, compression)) {
        copy(in, zip, partial, shard.raw().bytes(), permissions(partial));
        WholeFile.move(partial, target);
      } catch (FormatException broken) {
        WholeFile.deleteAfter(broken, partial);
        throw broken;
      } catch (IOException failure) {
        WholeFile.deleteAfter(failure, partial);
        throw new IOException(
            "%s cannot be inflated to %s: %s; cache(...) chooses another place"
                .formatted(zip, target, failure.getMessage()),
            failure);
      }
      files.forget(target);
      synchronized (inflated) {
        inflated.put(number, shard.raw().bytes());
        inflatedBytes += shard.raw().bytes();
      }
      return target;
    }
  }

  private static InputStream inflating(
      ReadableByteChannel packed, Path zip, ShardCompression compression) throws IOException {
    try {
      return compression.inflating(Channels.newInputStream(packed));
    } catch (IOException broken) {
      throw notInflatable(zip, broken);
    }
  }

  private static IOException notInflatable(Path zip, IOException broken) {
    return FormatException.at(zip + " cannot be inflated", broken);
  }

  /** Returns an inflated file's permissions: only the owner's in a cache, else the defaults. */
  private FileAttribute<?>[] permissions(Path file) {
    return file.startsWith(directory)
        ? new FileAttribute<?>[0]
        : LocalFiles.ownersOnly(file, "rw-------");
  }

  /** Unpacks no more bytes than the index states, which stops a decompression bomb. */
  private static void copy(
      InputStream in, Path zip, Path target, long bytes, FileAttribute<?>[] permissions)
      throws IOException {
    try (FileChannel out =
        FileChannel.open(
            target, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), permissions)) {
      byte[] buffer = new byte[COPY_BYTES];
      long copied = 0;
      int read;
      while ((read = read(in, zip, buffer)) > 0) {
        copied += read;
        if (copied > bytes) {
          throw new FormatException(
              "%s becomes larger than the %d bytes that the index says".formatted(zip, bytes));
        }
        WholeFile.writeFully(out, ByteBuffer.wrap(buffer, 0, read));
      }
      if (copied < bytes) {
        throw new FormatException(
            "%s has %d bytes when inflated, the index says %d".formatted(zip, copied, bytes));
      }
    }
  }

  private static int read(InputStream in, Path zip, byte[] buffer) throws IOException {
    try {
      return in.read(buffer);
    } catch (IOException broken) {
      throw notInflatable(zip, broken);
    }
  }

  private synchronized Path cacheDirectory() throws IOException {
    if (cache == null) {
      temporary = !LocalFiles.include(directory) || !Files.isWritable(directory);
      cache = temporary ? Files.createTempDirectory("feedline-mds-") : directory;
    }
    LocalFiles.createPrivateDirectory(cache);
    return cache;
  }

  private void used(int number) {
    synchronized (inflated) {
      inflated.get(number);
    }
  }

  private void makeRoom(long bytes) throws IOException {
    while (true) {
      int oldest;
      synchronized (inflated) {
        if (inflated.isEmpty() || inflatedBytes + bytes <= cacheBytes) {
          return;
        }
        oldest = inflated.keySet().iterator().next();
        inflatedBytes -= inflated.remove(oldest);
      }
      Path file = cacheDirectory().resolve(shards.get(oldest).raw().basename());
      states[oldest].ready = null;
      files.forget(file);
      Files.deleteIfExists(file);
      LOG.debug("deleted {} for room in the cache", file);
    }
  }

  @Override
  public void close() throws IOException {
    files.close();
    synchronized (this) {
      if (temporary) {
        temporary = false;
        LocalStaging.deleteTree(cache);
      }
    }
  }
}
