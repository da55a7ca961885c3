package io.feedline.formats.store.internal.shards;

import io.feedline.formats.store.internal.files.FileStamp;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.files.WholeFile;
import io.feedline.internal.Presence;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The starts of a shard's samples, kept in a file beside the shard, little-endian:
 *
 * <pre>
 *   0    8 bytes  "FLTFIDX" and the version, 1
 *   8    i64      the shard's size
 *   16   i64      when the shard was last modified, in nanoseconds since 1970
 *   24   i64      the number of samples, n
 *   32   i64      CRC-32C of everything else in the file
 *   40   i64      CRC-32C of three parts of the shard, see {@link QuickFingerprint}
 *   48   i64 x (n + 1)   where each sample begins, and where the last one ends
 * </pre>
 *
 * <p>A shard that was copied together with its index has another modification time; the index is
 * used if size and fingerprint are the same. In memory a sample takes four bytes, or eight if the
 * shard's size requires them. Immutable and thread-safe; holds nothing open.
 */
public final class ShardIndex {

  private static final Logger LOG = LoggerFactory.getLogger(ShardIndex.class);

  private static final byte[] MAGIC = "FLTFIDX\1".getBytes(StandardCharsets.ISO_8859_1);
  private static final int CRC_POSITION = 32;
  private static final int FINGERPRINT_POSITION = 40;
  private static final int HEADER_BYTES = 48;

  /** The largest number of samples: the file's bytes must fit into one array. */
  public static final int MAX_SAMPLES = (Integer.MAX_VALUE - 64 - HEADER_BYTES) / Long.BYTES - 1;

  /** The starts and the last sample's end, as multiples of the unit; null if beyond 32 bits. */
  private final int @Nullable [] narrow;

  private final int unit;
  private final long[] wide;
  private final String damage;

  private ShardIndex(int[] narrow, int unit, long[] wide, String damage) {
    this.narrow = narrow;
    this.unit = unit;
    this.wide = wide;
    this.damage = damage;
  }

  /** Takes the start of each sample and the end of the last sample, all multiples of the unit. */
  public static ShardIndex of(long[] starts, int unit) {
    return of(starts, unit, null);
  }

  /** Takes starts as above; {@code damage}, unless null, is a last sample that cannot be read. */
  public static ShardIndex of(long[] starts, int unit, @Nullable String damage) {
    if (starts[starts.length - 1] / unit > 0xFFFF_FFFFL) {
      return new ShardIndex(null, unit, starts.clone(), damage);
    }
    int[] narrow = new int[starts.length];
    Arrays.setAll(narrow, i -> (int) (starts[i] / unit));
    return new ShardIndex(narrow, unit, null, damage);
  }

  private int whole() {
    return (narrow == null ? wide.length : narrow.length) - 1;
  }

  public int samples() {
    return whole() + (damage == null ? 0 : 1);
  }

  public long start(int sample) {
    return narrow == null ? wide[sample] : Integer.toUnsignedLong(narrow[sample]) * unit;
  }

  public long end(int sample) {
    return start(sample + 1);
  }

  public long end() {
    return start(whole());
  }

  public boolean isDamage(int sample) {
    return sample >= whole();
  }

  /** Returns why a part of the shard cannot be read; null if the whole shard can be read. */
  public @Nullable String damage() {
    return damage;
  }

  @FunctionalInterface
  public interface Scanner {
    /** Makes the index of a shard; fails if the shard is so damaged that it has no index. */
    ShardIndex scan(OpenFiles files, Path shard) throws IOException;
  }

  /** Reads an index; null unless its stamp, or its size and fingerprint, are the shard's. */
  static @Nullable ShardIndex load(
      OpenFiles files, Path file, FileStamp shard, QuickFingerprint fingerprint, int unit) {
    try {
      if (!Presence.exists(file)) {
        return null;
      }
      byte[] bytes = files.readAll(file, Integer.MAX_VALUE - 64);
      ByteBuffer index = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      if (bytes.length < HEADER_BYTES + Long.BYTES
          || !Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
        LOG.info("{} is made anew: it is not an index, or one of another version", file);
        return null;
      }
      FileStamp indexed = new FileStamp(index.getLong(8), index.getLong(16));
      boolean fits =
          indexed.equals(shard)
              || (fingerprint != null
                  && indexed.size() == shard.size()
                  && index.getLong(FINGERPRINT_POSITION) == fingerprint.crc());
      if (!fits) {
        LOG.info("{} is made anew: it is of {}, and the shard is now {}", file, indexed, shard);
        return null;
      }
      long samples = index.getLong(24);
      if (samples < 0
          || samples > MAX_SAMPLES
          || bytes.length != HEADER_BYTES + (samples + 1) * Long.BYTES
          || crc(bytes) != index.getLong(CRC_POSITION)) {
        LOG.warn("{} is made anew: it is damaged", file);
        return null;
      }
      long[] starts = new long[(int) samples + 1];
      index.position(HEADER_BYTES).asLongBuffer().get(starts);
      return of(starts, unit);
    } catch (IOException unreadable) {
      LOG.warn("{} is made anew: it cannot be read: {}", file, unreadable.toString());
      return null;
    }
  }

  void save(Path file, FileStamp shard, QuickFingerprint fingerprint) throws IOException {
    byte[] bytes = new byte[HEADER_BYTES + (whole() + 1) * Long.BYTES];
    ByteBuffer index = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    index.put(0, MAGIC).putLong(8, shard.size()).putLong(16, shard.modifiedNanos());
    index
        .putLong(24, whole())
        .putLong(FINGERPRINT_POSITION, fingerprint.crc())
        .position(HEADER_BYTES);
    for (int i = 0; i <= whole(); i++) {
      index.putLong(start(i));
    }
    index.putLong(CRC_POSITION, crc(bytes));
    WholeFile.write(file, bytes);
  }

  private static long crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, CRC_POSITION);
    crc.update(bytes, FINGERPRINT_POSITION, bytes.length - FINGERPRINT_POSITION);
    return crc.getValue();
  }
}
