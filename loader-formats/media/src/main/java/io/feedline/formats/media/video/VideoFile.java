package io.feedline.formats.media.video;

import io.feedline.formats.media.DamagePolicy;
import io.feedline.formats.media.internal.MediaBytes;
import io.feedline.formats.media.internal.MediaStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * A video: the size, number and times of its frames, known without decoding, and clips of its
 * frames. A clip is decoded when it writes itself into a batch.
 *
 * <pre>{@code
 * try (VideoFile video = VideoFile.open(Path.of("jump.mp4"))) {
 *   Clip clip = video.framesAt(0, 10, 20);
 *   Clip sameTime = video.framesAtTimes(0.4, 1.5);
 * }
 * }</pre>
 *
 * <p>Frames are numbered in the order of showing, exactly: B-frames, variable rates, open GOPs,
 * start times and edit lists are taken into account. For that, the first opening makes an index of
 * all frames, by one pass over the packets. The index is kept beside the file ({@code
 * .jump.mp4.frame-index}, a few bytes a frame), or in the user's cache for remote files. Afterwards
 * a clip reads only the header and the packets from the key frame before its frames on.
 *
 * <p>Containers and codecs are those of FFmpeg; see the README. The first video stream is read.
 *
 * <p>Thread-safe: each clip is decoded by a decoder of its own. The opener closes it, after its
 * clips are written; closing twice is allowed, and decoding afterwards is an {@link
 * IllegalStateException}. A {@link VideoDataset} owns its files: closing such a file does nothing.
 */
public final class VideoFile implements Closeable {

  /** The extensions of a folder's videos, in lower case: those of torchvision, and more. */
  public static final List<String> EXTENSIONS =
      List.of(
          ".mp4", ".avi", ".mkv", ".webm", ".mov", ".m4v", ".mpg", ".mpeg", ".ts", ".flv", ".wmv",
          ".ogv", ".3gp");

  private static final int DECODERS = 2;

  private final VideoDecoders decoders;
  private final VideoSource source;
  private final boolean owner;
  private final FrameIndex index;
  private final MediaStream stream;
  private final int width;
  private final int height;
  private final int turns;

  private VideoFile(VideoDecoders decoders, VideoSource source, boolean owner, VideoDecoder open) {
    this.decoders = decoders;
    this.source = source;
    this.owner = owner;
    this.index = open.index();
    this.stream = open.stream().stream();
    this.width = open.stream().width();
    this.height = open.stream().height();
    this.turns = open.stream().quarterTurns();
  }

  /**
   * Opens a video with the default options.
   *
   * @param path the path, of any file system
   * @throws io.feedline.data.FormatException if the file is damaged, or not a video with frames
   * @throws IOException if the file cannot be read
   */
  public static VideoFile open(Path path) throws IOException {
    return open(path, Options.DEFAULT);
  }

  /**
   * Opens a video.
   *
   * @param path the path, of any file system
   * @throws io.feedline.data.FormatException if the file is damaged, or not a video with frames
   * @throws IOException if the file cannot be read
   */
  public static VideoFile open(Path path, Options options) throws IOException {
    VideoDecoders decoders = new VideoDecoders(options, DECODERS);
    return owned(decoders, decoders.source(path));
  }

  /**
   * Returns a video in memory; its index is made anew each time.
   *
   * @param encoded the whole file, which is not copied and must not change
   * @param description a path or key that errors name
   * @throws io.feedline.data.FormatException if the file is damaged, or not a video with frames
   */
  public static VideoFile of(byte[] encoded, String description, Options options)
      throws IOException {
    VideoDecoders decoders = new VideoDecoders(options, DECODERS);
    return owned(decoders, new VideoSource(description, null, MediaBytes.of(encoded)));
  }

  private static VideoFile owned(VideoDecoders decoders, VideoSource source) throws IOException {
    try {
      return of(decoders, source, true);
    } catch (IOException | RuntimeException | Error failure) {
      decoders.close();
      throw failure;
    }
  }

  static VideoFile of(VideoDecoders decoders, VideoSource source, boolean owner)
      throws IOException {
    VideoDecoder open = decoders.take(source);
    VideoFile video = new VideoFile(decoders, source, owner, open);
    decoders.give(open);
    return video;
  }

  VideoDecoders decoders() {
    return decoders;
  }

  VideoSource source() {
    return source;
  }

  int codedWidth() {
    return width;
  }

  int codedHeight() {
    return height;
  }

  /** Returns the path of the file, or the description of bytes in memory. */
  public String description() {
    return source.name();
  }

  /** Returns the number of columns of a frame, after the {@link #rotation}. */
  public int width() {
    return turns % 2 == 0 ? width : height;
  }

  /** Returns the number of rows of a frame, after the {@link #rotation}. */
  public int height() {
    return turns % 2 == 0 ? height : width;
  }

  /** Returns the degrees by which frames are turned clockwise for display: 0, 90, 180 or 270. */
  public int rotation() {
    return 90 * turns;
  }

  /** Returns the number of frames, 1 or more. */
  public int frames() {
    return index.frames();
  }

  /** Returns FFmpeg's name of the codec, such as {@code h264}. */
  public String codec() {
    return stream.codec();
  }

  /** Returns the time at which the first frame is shown, in seconds; often 0. */
  public double start() {
    return stream.seconds(index.times()[0]);
  }

  /** Returns the time until which the last frame is shown, in seconds. */
  public double end() {
    return stream.seconds(index.end());
  }

  /** Returns the time from {@link #start} to {@link #end}, in seconds. */
  public double duration() {
    return stream.seconds(index.end() - index.times()[0]);
  }

  /** Returns the average number of frames a second, even for a variable rate. */
  public double frameRate() {
    return frames() / duration();
  }

  /**
   * Returns the time at which a frame is shown, in seconds.
   *
   * @throws IndexOutOfBoundsException if the number is not from 0 to {@code frames() - 1}
   */
  public double time(int frame) {
    return stream.seconds(index.times()[Objects.checkIndex(frame, frames())]);
  }

  /**
   * Returns the number of the frame that is shown at a time.
   *
   * @param seconds the time, from {@link #start} to before {@link #end}
   * @throws IndexOutOfBoundsException if no frame is shown then
   */
  public int frameAt(double seconds) {
    if (!(seconds >= start() && seconds < end())) {
      throw new IndexOutOfBoundsException(
          String.format(
              Locale.ROOT,
              "%s: no frame is shown at %s s; the video lasts from %s s to before %s s",
              description(),
              seconds,
              start(),
              end()));
    }
    int low = 0;
    int high = frames() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (time(middle) <= seconds) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /**
   * Returns a clip of the given frames, in this order; a frame may occur more than once.
   *
   * @param frames one or more numbers of frames, from 0 to {@code frames() - 1}
   * @throws IllegalArgumentException if no argument is given
   * @throws IndexOutOfBoundsException if a number is out of this range
   */
  public Clip framesAt(int... frames) {
    for (int frame : frames) {
      if (frame < 0 || frame >= frames()) {
        throw new IndexOutOfBoundsException(
            "%s: there is no frame %d; frames are 0 to %d"
                .formatted(description(), frame, frames() - 1));
      }
    }
    return Clip.of(this, frames, 1).rotate90(turns);
  }

  /**
   * Returns a clip of the frames that are shown at the given times, in this order: torchcodec's
   * {@code get_frames_played_at}.
   *
   * @param seconds one or more times, from {@link #start} to before {@link #end}
   * @throws IllegalArgumentException if no argument is given
   * @throws IndexOutOfBoundsException if no frame is shown then
   */
  public Clip framesAtTimes(double... seconds) {
    return framesAt(Arrays.stream(seconds).mapToInt(this::frameAt).toArray());
  }

  /** Returns path, size, length and codec: {@code VideoFile[a.mp4: 320 x 240, 300 frames ...]}. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "VideoFile[%s: %d x %d, %d frames in %.2f s, %s]",
        description(),
        width(),
        height(),
        frames(),
        duration(),
        codec());
  }

  @Override
  public void close() throws IOException {
    if (owner) {
      decoders.close();
    }
  }

  /**
   * Options of decoding videos. Immutable and thread-safe.
   *
   * @param damage the treatment of damaged packets
   * @param maxPixels the largest frame that is decoded, in pixels, 1 or more: a header that claims
   *     more is an error, before memory is allocated
   * @param keepIndexes true: frame indexes are kept beside the files, or in the user's cache;
   *     false: each opening makes the index anew, see {@link VideoFile}
   */
  public record Options(DamagePolicy damage, long maxPixels, boolean keepIndexes) {

    /** Concealed damage, frames of up to 2<sup>26</sup> pixels (twice 8K), and kept indexes. */
    public static final Options DEFAULT = new Options(DamagePolicy.CONCEAL, 1L << 26, true);

    /**
     * Checks the options.
     *
     * @throws IllegalArgumentException if {@code maxPixels} is below 1
     */
    public Options {
      Objects.requireNonNull(damage, "damage");
      if (maxPixels < 1) {
        throw new IllegalArgumentException("maxPixels must be 1 or more, was " + maxPixels);
      }
    }

    /** Returns these options with another treatment of damaged packets. */
    public Options withDamage(DamagePolicy other) {
      return new Options(other, maxPixels, keepIndexes);
    }

    /** Returns these options with another limit of a frame's pixels. */
    public Options withMaxPixels(long other) {
      return new Options(damage, other, keepIndexes);
    }

    /** Returns these options with another value of {@link #keepIndexes}. */
    public Options withKeepIndexes(boolean other) {
      return new Options(damage, maxPixels, other);
    }

    boolean strict() {
      return damage == DamagePolicy.FAIL;
    }
  }
}
