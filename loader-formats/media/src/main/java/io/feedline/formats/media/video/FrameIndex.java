package io.feedline.formats.media.video;

import io.feedline.data.FormatException;
import io.feedline.formats.media.internal.Ffmpeg;
import io.feedline.formats.media.internal.MediaBytes;
import io.feedline.formats.media.internal.MediaInput;
import io.feedline.formats.media.internal.MediaStream;
import io.feedline.formats.media.internal.StreamDecoder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The times of all frames of a video, in the order of showing, and its key frames. With the index,
 * a frame has a number, and a seek reads from the nearest key frame on. One pass over the packets
 * of the file makes the index, without decoding the packets.
 *
 * <p>Two kinds of videos are decoded once for the index. If the container has no times of showing
 * (AVI with B-frames), only the decoder knows the order of frames. VP8 has hidden packets.
 *
 * <p>The time that the decoder reports for a frame is the frame's identity. In most videos the
 * identity is the time of showing. Otherwise the identity is the time of decoding, and identities
 * are not in the order of showing. Immutable and thread-safe; its arrays must not be changed.
 *
 * @param times when each frame is shown, ascending, in ticks of the stream
 * @param identities the decoder's time of each frame; often the same array as {@code times}
 * @param byDecodingTime true: identities are times of decoding; false: times of showing
 * @param keys places where decoding can begin, in the order of the file
 * @param end the time until which the last frame is shown, in ticks
 */
record FrameIndex(
    long[] times, long[] identities, boolean byDecodingTime, List<Key> keys, long end) {

  private static final Logger LOG = LoggerFactory.getLogger(FrameIndex.class);

  /**
   * A packet where decoding can begin.
   *
   * @param identity the identity of the packet's frame, even if the frame is hidden
   * @param byteOffset the packet's place in the file; -1 if unknown
   * @param frame the first frame shown from here on; this frame and all later frames can be decoded
   */
  record Key(long identity, long byteOffset, int frame) {}

  int frames() {
    return times.length;
  }

  /** Returns whether identities are the times of showing, and so have the order of the frames. */
  boolean isOrdered() {
    return times == identities;
  }

  /** Returns the index of the last key from which a frame can be decoded; -1 if no key can. */
  int keyBefore(long frame) {
    int low = 0;
    int high = keys.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (keys.get(middle).frame() <= frame) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  private record Packet(
      long time, long decodingTime, long duration, long byteOffset, boolean key, boolean shown) {

    long identity(boolean byDecodingTime) {
      return byDecodingTime || time == Ffmpeg.NO_TIME ? decodingTime : time;
    }
  }

  /** Makes the index; fails if the file has no video stream, or no frames. */
  static FrameIndex scan(String name, MediaBytes bytes, VideoFile.Options options)
      throws IOException {
    List<Packet> packets = new ArrayList<>();
    boolean[] untimed = {false};
    try (MediaInput input = MediaInput.open(name, bytes)) {
      MediaStream stream = input.first(MediaStream.Kind.VIDEO);
      try (StreamDecoder decoder =
          StreamDecoder.open(input, stream, options.maxPixels(), options.strict())) {
        decoder.visitPackets(
            (time, decodingTime, duration, byteOffset, key, shown) -> {
              untimed[0] |= time == Ffmpeg.NO_TIME;
              packets.add(new Packet(time, decodingTime, duration, byteOffset, key, shown));
            });
        if (packets.stream().noneMatch(Packet::shown)) {
          throw decoder.error("the stream has no frames");
        }
        boolean byDecodingTime = untimed[0] && decoder.hasDelay();
        if (byDecodingTime || stream.codec().equals("vp8")) {
          long[] decoded = identities(name, bytes, options, byDecodingTime);
          return ofDecoded(packets, decoded, byDecodingTime);
        }
      }
    }
    long[] all =
        packets.stream()
            .filter(Packet::shown)
            .mapToLong(packet -> packet.identity(false))
            .filter(time -> time != Ffmpeg.NO_TIME)
            .sorted()
            .toArray();
    long[] times = Arrays.stream(all).distinct().toArray();
    if (times.length == 0) {
      throw new FormatException(name + ": the frames of the video have no times");
    }
    if (times.length < all.length) {
      String problem =
          "%s: %d of %d frames have the time of another one and cannot be reached: the file consists of"
                  .formatted(name, all.length - times.length, all.length)
              + " several, or is damaged; ffmpeg -fflags +genpts -i FILE -c copy gives them times";
      if (options.strict()) {
        throw new FormatException(problem);
      }
      LOG.warn(problem);
    }
    return of(packets, times, times, false);
  }

  private static long[] identities(
      String name, MediaBytes bytes, VideoFile.Options options, boolean byDecodingTime)
      throws IOException {
    try (MediaInput input = MediaInput.open(name, bytes)) {
      MediaStream stream = input.first(MediaStream.Kind.VIDEO);
      try (StreamDecoder decoder =
          StreamDecoder.open(input, stream, options.maxPixels(), options.strict())) {
        if (byDecodingTime) {
          decoder.nameByDecodingTime();
        }
        LongStream.Builder identities = LongStream.builder();
        while (decoder.next()) {
          identities.add(decoder.time());
        }
        if (decoder.serial() == 0) {
          throw decoder.error("no frame of the stream can be decoded");
        }
        return identities.build().toArray();
      }
    }
  }

  /** Returns a decoded video's index: times are sorted identities plus the first frame's delay. */
  private static FrameIndex ofDecoded(
      List<Packet> packets, long[] identities, boolean byDecodingTime) {
    long[] times = Arrays.stream(identities).sorted().distinct().toArray();
    if (times.length != identities.length) {
      return of(packets, times, times, byDecodingTime);
    }
    long delay =
        packets.stream()
            .filter(packet -> packet.identity(byDecodingTime) == identities[0])
            .mapToLong(packet -> packet.identity(false) - times[0])
            .findFirst()
            .orElse(0);
    boolean ordered = Arrays.equals(times, identities) && delay == 0;
    long[] shown = ordered ? identities : Arrays.stream(times).map(time -> time + delay).toArray();
    return of(packets, shown, identities, byDecodingTime);
  }

  private static FrameIndex of(
      List<Packet> packets, long[] times, long[] identities, boolean byDecodingTime) {
    long last = times[times.length - 1];
    long duration =
        packets.stream()
            .filter(packet -> packet.identity(byDecodingTime) == identities[times.length - 1])
            .mapToLong(Packet::duration)
            .filter(ticks -> ticks > 0)
            .findFirst()
            .orElse(times.length < 2 ? 1 : (last - times[0]) / (times.length - 1));
    List<Key> keys = new ArrayList<>();
    for (Packet packet : packets) {
      long identity = packet.identity(byDecodingTime);
      if (packet.key() && identity != Ffmpeg.NO_TIME) {
        keys.add(new Key(identity, packet.byteOffset(), 0));
      }
    }
    return new FrameIndex(times, identities, byDecodingTime, keys, last + duration)
        .withFirstFrames();
  }

  /** Computes each {@link Key#frame}; the result lacks keys whose frames do not ascend. */
  FrameIndex withFirstFrames() {
    Map<Long, Integer> numbers = new TreeMap<>();
    if (!isOrdered()) {
      for (int i = 0; i < identities.length; i++) {
        numbers.put(identities[i], i);
      }
    }
    List<Key> found = new ArrayList<>();
    int before = 0;
    for (Key key : keys) {
      int at = Arrays.binarySearch(times, key.identity());
      int frame = isOrdered() ? (at < 0 ? -at - 1 : at) : numbers.getOrDefault(key.identity(), -1);
      if (frame >= before) {
        found.add(new Key(key.identity(), key.byteOffset(), frame));
        before = frame;
      }
    }
    return new FrameIndex(times, identities, byDecodingTime, List.copyOf(found), end);
  }
}
