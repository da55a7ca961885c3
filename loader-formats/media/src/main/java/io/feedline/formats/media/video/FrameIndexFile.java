package io.feedline.formats.media.video;

import io.feedline.formats.media.internal.MediaBytes;
import io.feedline.formats.store.internal.files.Beside;
import io.feedline.formats.store.internal.files.FileStamp;
import io.feedline.formats.store.internal.files.LocalFiles;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.files.WholeFile;
import io.feedline.formats.store.internal.shards.IndexCache;
import io.feedline.internal.Presence;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link FrameIndex} in a file: beside the video ({@code .clip.mp4.frame-index}), or in the
 * {@link IndexCache} if the video is not on this machine. The index is made again if it is damaged,
 * the video has changed, or no file could be written.
 *
 * <h2>File layout</h2>
 *
 * <pre>
 *   0    8 bytes  "FLFRIDX" and the version, 1
 *   8    i64      the video's size in bytes, little-endian as all numbers here
 *   16   i64      the time of the video's last change, in nanoseconds since 1970
 *   24   i64      CRC-32C of all bytes after this field
 *   32   numbers of 7 bits a byte, the lowest first, bit 7 set in all but the last, the sign in the lowest bit:
 *        the numbers of frames and of keys, the end,
 *        1 if identities are stored, else 0; 1 if the identities are times of decoding, else 0;
 *        all times, all identities if stored, all keys' identities, all keys' byte offsets:
 *        each number as the difference to the number before it in its list
 * </pre>
 */
final class FrameIndexFile {

  private static final Logger LOG = LoggerFactory.getLogger(FrameIndexFile.class);

  private static final String SUFFIX = ".frame-index";
  private static final byte[] MAGIC = "FLFRIDX\1".getBytes(StandardCharsets.ISO_8859_1);
  private static final int HEADER_BYTES = 32;

  private FrameIndexFile() {}

  static FrameIndex of(Path video, MediaBytes bytes, VideoFile.Options options) throws IOException {
    FileStamp before = FileStamp.of(video);
    boolean local = LocalFiles.include(video);
    Path place = local ? Beside.of(video, SUFFIX) : IndexCache.placeOf(video, SUFFIX);
    boolean kept = options.keepIndexes() && place != null && before.identifies();
    if (kept) {
      FrameIndex found = load(place, before);
      if (found != null) {
        if (!local) {
          IndexCache.used(place);
        }
        return found;
      }
    }
    FrameIndex index = FrameIndex.scan(video.toString(), bytes, options);
    if (!FileStamp.of(video).equals(before)) {
      throw new IOException(video + " changed while it was read");
    }
    if (kept) {
      keep(index, place, before, local);
    }
    return index;
  }

  private static void keep(FrameIndex index, Path place, FileStamp video, boolean local) {
    try {
      if (!local) {
        LocalFiles.createPrivateDirectory(place.getParent());
      }
      WholeFile.write(place, encode(index, video));
      if (!local) {
        IndexCache.prune(place);
      }
    } catch (IOException unable) {
      LOG.debug("{} is not kept; the index is made again next time", place, unable);
    }
  }

  private static @Nullable FrameIndex load(Path file, FileStamp video) {
    try (OpenFiles files = new OpenFiles(1)) {
      if (!Presence.exists(file)) {
        return null;
      }
      ByteBuffer bytes =
          ByteBuffer.wrap(files.readAll(file, Integer.MAX_VALUE - 64))
              .order(ByteOrder.LITTLE_ENDIAN);
      if (bytes.capacity() < HEADER_BYTES
          || !Arrays.equals(bytes.array(), 0, MAGIC.length, MAGIC, 0, MAGIC.length)
          || !new FileStamp(bytes.getLong(8), bytes.getLong(16)).equals(video)) {
        return null;
      }
      if (crc(bytes.array()) != bytes.getLong(24)) {
        LOG.info("{} is made anew: it is damaged", file);
        return null;
      }
      return decode(bytes.position(HEADER_BYTES));
    } catch (IOException | BufferUnderflowException unreadable) {
      LOG.warn("{} is made anew: it cannot be read: {}", file, unreadable.toString());
      return null;
    }
  }

  private static byte[] encode(FrameIndex index, FileStamp video) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[HEADER_BYTES]);
    put(out, index.frames());
    put(out, index.keys().size());
    put(out, index.end());
    put(out, index.isOrdered() ? 0 : 1);
    put(out, index.byDecodingTime() ? 1 : 0);
    putAll(out, index.times());
    if (!index.isOrdered()) {
      putAll(out, index.identities());
    }
    putAll(out, index.keys().stream().mapToLong(FrameIndex.Key::identity).toArray());
    putAll(out, index.keys().stream().mapToLong(FrameIndex.Key::byteOffset).toArray());
    byte[] bytes = out.toByteArray();
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(0, MAGIC)
        .putLong(8, video.size())
        .putLong(16, video.modifiedNanos())
        .putLong(24, crc(bytes));
    return bytes;
  }

  private static FrameIndex decode(ByteBuffer in) {
    int frames = (int) get(in);
    int keys = (int) get(in);
    long end = get(in);
    boolean ordered = get(in) == 0;
    boolean byDecodingTime = get(in) == 1;
    long[] times = getAll(in, frames);
    long[] identities = ordered ? times : getAll(in, frames);
    long[] keyIdentities = getAll(in, keys);
    long[] offsets = getAll(in, keys);
    List<FrameIndex.Key> list = new ArrayList<>(keys);
    for (int i = 0; i < keys; i++) {
      list.add(new FrameIndex.Key(keyIdentities[i], offsets[i], 0));
    }
    return new FrameIndex(times, identities, byDecodingTime, list, end).withFirstFrames();
  }

  private static void putAll(ByteArrayOutputStream out, long[] values) {
    long before = 0;
    for (long value : values) {
      put(out, value - before);
      before = value;
    }
  }

  private static long[] getAll(ByteBuffer in, int count) {
    long[] values = new long[count];
    long before = 0;
    for (int i = 0; i < count; i++) {
      before += get(in);
      values[i] = before;
    }
    return values;
  }

  private static void put(ByteArrayOutputStream out, long value) {
    long rest = (value << 1) ^ (value >> 63);
    while ((rest & ~0x7FL) != 0) {
      out.write((int) (rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  private static long get(ByteBuffer in) {
    long value = 0;
    int shift = 0;
    byte next;
    do {
      next = in.get();
      value |= (next & 0x7FL) << shift;
      shift += 7;
    } while (next < 0);
    return (value >>> 1) ^ -(value & 1);
  }

  private static long crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES);
    return crc.getValue();
  }
}
