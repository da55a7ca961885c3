package io.feedline.formats.media.sound;

import io.feedline.data.FormatException;
import io.feedline.formats.media.DamagePolicy;
import io.feedline.formats.media.internal.Ffmpeg;
import io.feedline.formats.media.internal.MediaBytes;
import io.feedline.formats.media.internal.MediaInput;
import io.feedline.formats.media.internal.MediaStream;
import io.feedline.formats.media.internal.StreamDecoder;
import io.feedline.internal.Closing;
import java.io.Closeable;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.jspecify.annotations.Nullable;

/**
 * An open sound file: decodes ranges of its first audio stream, by sample.
 *
 * <p>Sample 0 is the first sample that FFmpeg delivers, after the encoder's delay. A frame's place,
 * the number of its first sample, follows from the frame's time; so a lost packet leaves a gap of
 * zeros and shifts no sample. If a tick is longer than a sample (Matroska), and for some codecs in
 * Ogg, the reader counts samples from the start instead, and reaches each range by decoding.
 *
 * <p>Used by one thread at a time. The opener closes it.
 */
final class AudioReader implements Closeable {
  /** The samples decoded and dropped before a range, as MP3, AAC and Vorbis need earlier frames. */
  private static final int PREROLL = 1 << 14;

  /** The smallest gap between two frames, in samples; smaller gaps come from rounded times. */
  private static final int SLACK = 64;

  /** The number of samples up to which decoding forward is faster than seeking. */
  private static final int NEAR = 1 << 17;

  /** The largest number of samples times channels that {@link #decodeAll} keeps in memory. */
  private static final int MOST_KEPT = 1 << 22;

  private static final double MOST_SAMPLES = 0x1p40;

  /**
   * The codecs whose packets have wrong times after a seek: FFmpeg does not know the block before
   * the first Vorbis block, and takes the end of a file's last page as each FLAC packet's time.
   */
  private static final Set<String> UNPLACED_IN_OGG = Set.of("vorbis", "flac");

  /** The codecs, besides PCM, whose samples do not depend on the samples decoded before. */
  private static final Set<String> LOSSLESS = Set.of("flac", "alac", "wavpack", "tta");

  private static final int MOST_CHANNELS = 64;
  private static final int MOST_DAMAGED = 64;

  record Info(int sampleRate, int channels, long samples, String codec) {}

  private final String name;
  private final MediaBytes bytes;
  private final boolean strict;

  private @Nullable MediaInput input;
  private @Nullable StreamDecoder decoder;
  private @Nullable AudioFrame frame;
  private long origin;

  /** The number of the present frame's first sample; {@link #end} is the number after its last. */
  private long start;

  private long end;

  /** True if only the first frame was decoded since the file was opened. */
  private boolean isFresh;

  private Info info;
  private float @Nullable [] kept;

  private AudioReader(String name, MediaBytes bytes, DamagePolicy damage) {
    this.name = name;
    this.bytes = bytes;
    this.strict = damage == DamagePolicy.FAIL;
  }

  /**
   * Opens a file and finds its length.
   *
   * @param bytes the bytes of the file, which the reader closes, even if opening fails
   * @param known what an earlier reader of this file found; null: nothing is known yet
   * @throws FormatException if the file is not a sound, or is damaged
   */
  static AudioReader open(String name, MediaBytes bytes, DamagePolicy damage, @Nullable Info known)
      throws IOException {
    AudioReader reader = new AudioReader(name, bytes, damage);
    try {
      reader.restart();
      int rate = reader.frame.rate();
      int channels = reader.frame.channels();
      if (rate < 1 || channels < 1 || channels > MOST_CHANNELS) {
        throw reader.decoder.error(
            "%d Hz and %d channels are not supported; at most %d channels are"
                .formatted(rate, channels, MOST_CHANNELS));
      }
      reader.info =
          known == null
              ? new Info(rate, channels, reader.measure(rate), reader.stream().codec())
              : known;
      return reader;
    } catch (IOException | RuntimeException | Error broken) {
      Closing.afterFailure(broken, reader);
      throw broken;
    }
  }

  String name() {
    return name;
  }

  Info info() {
    return info;
  }

  MediaStream stream() {
    return decoder.stream();
  }

  String container() {
    return input.container();
  }

  /** Opens the file anew, and decodes the first frame. */
  private void restart() throws IOException {
    closeInput();
    input = MediaInput.open(name, bytes);
    decoder = StreamDecoder.open(input, input.first(MediaStream.Kind.AUDIO), 1, strict);
    if (!decoder.next()) {
      throw decoder.error("the stream has no sound that can be decoded");
    }
    AudioFrame first = AudioFrame.of(decoder.frame());
    if (frame != null && !frame.equals(first)) {
      throw changed(first);
    }
    frame = first;
    origin = decoder.time();
    start = 0;
    end = decoder.frame().nb_samples();
    isFresh = true;
  }

  private boolean hasExactTimes() {
    MediaStream stream = decoder.stream();
    return origin != Ffmpeg.NO_TIME
        && !(container().equals("ogg") && UNPLACED_IN_OGG.contains(stream.codec()))
        && stream.ticksPerSecond() >= (long) stream.tickSeconds() * frame.rate();
  }

  /** Returns the number of samples, from the header if it is reliable, or else by decoding. */
  private long measure(int rate) throws IOException {
    MediaStream stream = decoder.stream();
    long claimed =
        stream.duration() == Ffmpeg.NO_TIME
            ? -1
            : Math.round(stream.seconds(stream.duration()) * rate);
    boolean isPcm = stream.codec().startsWith("pcm_");
    boolean fits = claimed > 0 && hasExactTimes();
    if (fits && isPcm && claimed * frame.bytes() <= bytes.length()) {
      return claimed;
    }
    if (fits && stream.codec().equals("flac")) {
      return claimed;
    }
    if (fits && !isPcm && claimed * frame.channels() > MOST_KEPT && seek(claimed - 2L * rate)) {
      while (advance()) {
        // Decodes up to the last frame.
      }
      return end;
    }
    return decodeAll();
  }

  /** The samples of a frame, channel after channel; {@code start} is the first sample's number. */
  private record Block(long start, int samples, float[] values) {}

  /** Counts all samples by decoding the file, and keeps up to {@link #MOST_KEPT} values. */
  private long decodeAll() throws IOException {
    if (start != 0) {
      restart();
    }
    List<Block> blocks = new ArrayList<>();
    do {
      int samples = (int) (end - start);
      if (blocks != null && end * frame.channels() <= MOST_KEPT) {
        float[] values = new float[samples * frame.channels()];
        frame.copy(decoder.frame(), 0, samples, FloatBuffer.wrap(values), 0, samples);
        blocks.add(new Block(start, samples, values));
      } else {
        blocks = null;
      }
    } while (advance());
    long samples = end;
    if (blocks == null) {
      restart();
      return samples;
    }
    kept = new float[(int) samples * frame.channels()];
    for (Block block : blocks) {
      for (int c = 0; c < frame.channels(); c++) {
        int at = (int) (c * samples + block.start);
        System.arraycopy(block.values, c * block.samples, kept, at, block.samples);
      }
    }
    return samples;
  }

  /** Decodes the next frame; returns false at the end of the stream. */
  private boolean advance() throws IOException {
    isFresh = false;
    if (!decoder.next()) {
      return false;
    }
    AVFrame decoded = decoder.frame();
    AudioFrame next = AudioFrame.of(decoded);
    if (!next.equals(frame)) {
      throw changed(next);
    }
    long place = place();
    start = place < end + SLACK ? end : place;
    end = start + decoded.nb_samples();
    return true;
  }

  /** Returns the number of a frame's first sample by the frame's time; -1 if it is unknown. */
  private long place() {
    long time = decoder.time();
    if (time == Ffmpeg.NO_TIME || !hasExactTimes()) {
      return -1;
    }
    MediaStream stream = decoder.stream();
    double ticks = time - origin;
    double place = ticks * stream.tickSeconds() * frame.rate() / stream.ticksPerSecond();
    return place <= MOST_SAMPLES ? Math.max(-1, Math.round(place)) : -1;
  }

  private FormatException changed(AudioFrame next) {
    return decoder.error(
        "the sound changes from %s to %s; a waveform has one form".formatted(frame, next));
  }

  /**
   * Moves to a frame that contains the sample, or lies before the sample. Returns false if a seek
   * cannot find such a frame; the reader is then at the beginning.
   */
  private boolean seek(long sample) throws IOException {
    isFresh = false;
    for (long before = PREROLL; before < sample && hasExactTimes(); before *= 16) {
      MediaStream stream = decoder.stream();
      double ticks =
          (double) (sample - before)
              * stream.ticksPerSecond()
              / stream.tickSeconds()
              / frame.rate();
      if (decoder.seek(origin + (long) ticks, -1) && nextAfterSeek()) {
        long place = place();
        if (place >= 0 && place <= sample) {
          start = place;
          end = place + decoder.frame().nb_samples();
          return true;
        }
      }
    }
    restart();
    return false;
  }

  /** Decodes a frame after a seek; skips packets that need packets before the seek's target. */
  private boolean nextAfterSeek() throws IOException {
    for (int damaged = 0; ; damaged++) {
      try {
        return decoder.next();
      } catch (FormatException lost) {
        if (damaged == MOST_DAMAGED) {
          throw lost;
        }
      }
    }
  }

  /**
   * Returns whether each range needs a new decoder, and a start that depends only on the range.
   * Codecs that synthesize noise (AC-3, AAC) or keep filters (Opus) give slightly different samples
   * after another start, so that a range's samples would depend on earlier reads.
   */
  private boolean dependsOnRange() {
    String codec = stream().codec();
    return hasExactTimes() && !codec.startsWith("pcm_") && !LOSSLESS.contains(codec);
  }

  void read(long from, int count, FloatBuffer out, int at, int stride) throws IOException {
    long to = from + count;
    Objects.checkFromToIndex(from, to, info.samples());
    if (kept != null) {
      for (int c = 0; c < info.channels(); c++) {
        out.put(at + c * stride, kept, (int) (c * info.samples() + from), count);
      }
      return;
    }
    if (dependsOnRange()) {
      if (!isFresh) {
        restart();
      }
      if (from > PREROLL) {
        seek(from);
      }
    } else if (start > from || from - end > NEAR) {
      seek(from);
    }
    long done = from;
    while (done < to) {
      if (end > done) {
        if (start > done) {
          int gap = (int) (Math.min(start, to) - done);
          for (int c = 0; c < info.channels(); c++) {
            SampleSources.Padded.zero(out, at + (int) (done - from) + c * stride, gap);
          }
          done += gap;
        }
        int part = (int) (Math.min(end, to) - done);
        if (part > 0) {
          int first = (int) (done - start);
          frame.copy(decoder.frame(), first, part, out, at + (int) (done - from), stride);
          done += part;
        }
      } else if (!advance()) {
        throw decoder.error(
            "the sound ends behind sample %d, of the %d that the file claims"
                .formatted(end, info.samples()));
      }
    }
  }

  private void closeInput() throws IOException {
    if (decoder != null) {
      decoder.close();
      decoder = null;
    }
    if (input != null) {
      input.close();
      input = null;
    }
  }

  @Override
  public void close() throws IOException {
    try {
      closeInput();
    } finally {
      bytes.close();
    }
  }
}
