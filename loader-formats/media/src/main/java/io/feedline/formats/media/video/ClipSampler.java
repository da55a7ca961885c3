package io.feedline.formats.media.video;

import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;

/**
 * A transform that selects clips of a video, with the names and the meaning of torchcodec's
 * samplers: {@code clips_at_random_indices}, {@code clips_at_regular_indices}, {@code
 * clips_at_random_timestamps}, {@code clips_at_regular_timestamps}.
 *
 * <pre>{@code
 * ClipSampler train = ClipSampler.atRandomIndices(16).withNumIndicesBetweenFrames(4);
 * ClipSampler validate = ClipSampler.atRegularIndices(16).withNumClips(3);
 * }</pre>
 *
 * <p>Random starts are drawn from the sample's generator, so they depend neither on the number of
 * workers nor on a resume. Starts are drawn from a range, by default the range in which whole clips
 * begin; {@link #withSamplingRangeEnd} may let clips begin later, and {@link EndPolicy} then
 * determines the clip's frames after the video's end. Immutable and thread-safe.
 */
public final class ClipSampler extends Transforms.Value
    implements RandomTransform<VideoFile, Clip> {

  private static final int MOST_CLIPS = 1 << 20;

  private enum Starts {
    RANDOM_INDICES,
    REGULAR_INDICES,
    RANDOM_TIMESTAMPS,
    REGULAR_TIMESTAMPS;

    boolean isTimed() {
      return this == RANDOM_TIMESTAMPS || this == REGULAR_TIMESTAMPS;
    }
  }

  private record Options(
      Starts starts,
      int numClips,
      int numFramesPerClip,
      int numIndicesBetweenFrames,
      Optional<Double> secondsBetweenFrames,
      Optional<Double> secondsBetweenClipStarts,
      Optional<Double> samplingRangeStart,
      Optional<Double> samplingRangeEnd,
      EndPolicy policy) {
    Options {
      positive("numClips", numClips);
      positive("numFramesPerClip", numFramesPerClip);
      positive("numIndicesBetweenFrames", numIndicesBetweenFrames);
      positive("secondsBetweenFrames", secondsBetweenFrames);
      positive("secondsBetweenClipStarts", secondsBetweenClipStarts);
      Objects.requireNonNull(policy, "policy");
      require(
          starts.isTimed() ? numIndicesBetweenFrames == 1 : secondsBetweenFrames.isEmpty(),
          starts.isTimed()
              ? "a sampler of timestamps takes secondsBetweenFrames, not numIndicesBetweenFrames"
              : "a sampler of indices takes numIndicesBetweenFrames, not secondsBetweenFrames");
      boolean countsClips = starts != Starts.REGULAR_TIMESTAMPS;
      require(
          countsClips == secondsBetweenClipStarts.isEmpty() && (countsClips || numClips == 1),
          "secondsBetweenClipStarts or numClips says how many clips there are, not both");
      for (Optional<Double> bound : List.of(samplingRangeStart, samplingRangeEnd)) {
        double number = bound.orElse(0.0);
        require(
            Double.isFinite(number) && (starts.isTimed() || number == Math.rint(number)),
            "the sampling range must be of finite seconds or whole frames, was " + number);
      }
    }

    private static void positive(String name, int value) {
      require(value >= 1, name + " must be 1 or more, was " + value);
    }

    private static void positive(String name, Optional<Double> seconds) {
      require(
          seconds.isEmpty() || (seconds.get() > 0 && Double.isFinite(seconds.get())),
          name + " must be more than 0 and finite, was " + seconds.orElse(0.0));
    }

    private static void require(boolean holds, String message) {
      if (!holds) {
        throw new IllegalArgumentException(message);
      }
    }
  }

  private final Options options;

  private ClipSampler(Options options) {
    super(options);
    this.options = options;
  }

  private static ClipSampler of(Starts starts, int numFramesPerClip, Optional<Double> distance) {
    Optional<Double> none = Optional.empty();
    return new ClipSampler(
        new Options(
            starts, 1, numFramesPerClip, 1, none, distance, none, none, EndPolicy.REPEAT_LAST));
  }

  /**
   * Returns a sampler of a clip that begins at a random frame.
   *
   * @param numFramesPerClip the number of frames of a clip, 1 or more
   */
  public static ClipSampler atRandomIndices(int numFramesPerClip) {
    return of(Starts.RANDOM_INDICES, numFramesPerClip, Optional.empty());
  }

  /**
   * Returns a sampler of clips that begin at equally spaced frames, the first clip at the first.
   *
   * @param numFramesPerClip the number of frames of a clip, 1 or more
   */
  public static ClipSampler atRegularIndices(int numFramesPerClip) {
    return of(Starts.REGULAR_INDICES, numFramesPerClip, Optional.empty());
  }

  /**
   * Returns a sampler of a clip that begins at a random time.
   *
   * @param numFramesPerClip the number of frames of a clip, 1 or more
   */
  public static ClipSampler atRandomTimestamps(int numFramesPerClip) {
    return of(Starts.RANDOM_TIMESTAMPS, numFramesPerClip, Optional.empty());
  }

  /**
   * Returns a sampler of clips at equally spaced times; the duration determines their number.
   *
   * @param numFramesPerClip the number of frames of a clip, 1 or more
   * @param secondsBetweenClipStarts the seconds from a clip's start to the next, more than 0
   */
  public static ClipSampler atRegularTimestamps(
      int numFramesPerClip, double secondsBetweenClipStarts) {
    return of(Starts.REGULAR_TIMESTAMPS, numFramesPerClip, Optional.of(secondsBetweenClipStarts));
  }

  /**
   * Returns this sampler with another number of clips of each video; 1 is the default.
   *
   * @throws IllegalArgumentException if the number is below 1, or {@link #atRegularTimestamps} made
   *     this sampler: its number of clips follows from the duration
   */
  public ClipSampler withNumClips(int number) {
    return with("numClips", number);
  }

  /**
   * Returns this sampler of indices with another distance from a frame of a clip to the next frame,
   * in frames of the video; 1 is the default.
   *
   * @throws IllegalArgumentException if the number is below 1, or this is a sampler of timestamps
   */
  public ClipSampler withNumIndicesBetweenFrames(int number) {
    return with("numIndicesBetweenFrames", number);
  }

  /**
   * Returns this sampler of timestamps with another distance from a frame of a clip to the next
   * frame, in seconds; by default, the average distance of the video's frames.
   *
   * @throws IllegalArgumentException if the distance is not above 0, or the sampler is of indices
   */
  public ClipSampler withSecondsBetweenFrames(double seconds) {
    return with("secondsBetweenFrames", Optional.of(seconds));
  }

  /**
   * Returns this sampler with clips that begin at a limit or later; by default, the video's start.
   *
   * @param start the limit: a frame, negative if counted from the end; for timestamps, seconds
   * @throws IllegalArgumentException if a sampler of indices gets a fraction
   */
  public ClipSampler withSamplingRangeStart(double start) {
    return with("samplingRangeStart", Optional.of(start));
  }

  /**
   * Returns this sampler with clips that begin before a limit; by default all clips are whole.
   *
   * @param end the limit: a frame, negative if counted from the end; for timestamps, seconds
   * @throws IllegalArgumentException if a sampler of indices gets a fraction
   */
  public ClipSampler withSamplingRangeEnd(double end) {
    return with("samplingRangeEnd", Optional.of(end));
  }

  /**
   * Returns this sampler with another policy for a clip's frames after the video's end; {@link
   * EndPolicy#REPEAT_LAST} is the default.
   */
  public ClipSampler withPolicy(EndPolicy policy) {
    return with("policy", policy);
  }

  /**
   * Selects clips.
   *
   * @return the clips, not decoded; one clip has the shape (frames, 3, height, width)
   * @throws IllegalArgumentException if the video is too short for one clip, and {@link
   *     #withSamplingRangeEnd} was not called; or a clip is not whole and the policy is {@link
   *     EndPolicy#ERROR}
   */
  @Override
  public Clip apply(VideoFile video, RandomGenerator random) {
    boolean timed = options.starts.isTimed();
    double first = timed ? video.start() : 0;
    double behind = timed ? video.end() : video.frames();
    double between =
        timed
            ? options.secondsBetweenFrames.orElse(1 / video.frameRate())
            : options.numIndicesBetweenFrames;
    double span = between * (options.numFramesPerClip - 1) + (timed ? 0 : 1);
    double start = options.samplingRangeStart.map(at -> fromEnd(at, video)).orElse(first);
    double end =
        options
            .samplingRangeEnd
            .map(at -> timed ? at : Math.min(behind, fromEnd(at, video)))
            .orElse(timed ? behind - span : behind - span + 1);
    if (!(start < end)) {
      throw new IllegalArgumentException(
          ("%s: no clip can begin from %s to before %s, since it spans %s; take fewer or nearer frames,"
                  + " or give samplingRangeEnd and a policy")
              .formatted(
                  video.description(),
                  words(start),
                  words(end),
                  timed
                      ? String.format(Locale.ROOT, "%.3f s of %.3f s", span, video.duration())
                      : "%.0f of %d frames".formatted(span, video.frames())));
    }
    double[] starts = starts(start, end, random);
    int[] frames = new int[Math.multiplyExact(starts.length, options.numFramesPerClip)];
    for (int clip = 0; clip < starts.length; clip++) {
      int[] found = clip(video, starts[clip], between, behind);
      System.arraycopy(found, 0, frames, clip * found.length, found.length);
    }
    return video.framesAt(frames).withClips(starts.length);
  }

  private double fromEnd(double at, VideoFile video) {
    return options.starts.isTimed() || at >= 0 ? at : Math.max(0, video.frames() + at);
  }

  private double[] starts(double start, double end, RandomGenerator random) {
    int clips = options.numClips;
    return switch (options.starts) {
      case RANDOM_INDICES -> fill(clips, i -> random.nextInt((int) start, (int) end));
      case REGULAR_INDICES ->
          Arrays.stream(linspace((int) start, (int) end - 1, clips)).asDoubleStream().toArray();
      case RANDOM_TIMESTAMPS -> fill(clips, i -> start + random.nextDouble() * (end - start));
      case REGULAR_TIMESTAMPS -> {
        double distance = options.secondsBetweenClipStarts.orElseThrow();
        double count = Math.ceil((end - start) / distance);
        if (count > MOST_CLIPS) {
          throw new IllegalArgumentException(
              "%.0f clips at distances of %s s are too many for one sample; %d are the most"
                  .formatted(count, distance, MOST_CLIPS));
        }
        yield fill((int) count, i -> start + i * distance);
      }
    };
  }

  private static double[] fill(int count, IntToDoubleFunction values) {
    double[] filled = new double[count];
    Arrays.setAll(filled, values);
    return filled;
  }

  /** Returns a clip's frames; the policy adds the frames after the video's end. */
  private int[] clip(VideoFile video, double first, double between, double behind) {
    int[] found = new int[options.numFramesPerClip];
    int length = 0;
    while (length < found.length && first + length * between < behind) {
      double at = first + length * between;
      found[length++] = options.starts.isTimed() ? video.frameAt(at) : (int) at;
    }
    if (length < found.length && (options.policy == EndPolicy.ERROR || length == 0)) {
      throw new IllegalArgumentException(
          "%s: the clip that begins at %s has %d of %d frames before the video ends"
              .formatted(video.description(), words(first), length, found.length));
    }
    return options.policy.fill(Arrays.copyOf(found, length), found.length);
  }

  private String words(double position) {
    return options.starts.isTimed() ? position + " s" : "frame " + (long) position;
  }

  /** Returns torch.linspace with whole numbers, rounded towards zero. */
  static int[] linspace(int from, int to, int count) {
    int[] values = new int[count];
    for (int i = 0; i < count; i++) {
      values[i] = count == 1 ? from : from + (int) ((long) i * (to - from) / (count - 1));
    }
    return values;
  }

  /** The choice of a clip's frames after the end of its video: torchcodec's {@code policy}. */
  public enum EndPolicy {
    /** The last frame again and again. */
    REPEAT_LAST,

    /** The clip's frames again, from the first on. */
    WRAP,

    /** An error that names the video, the clip's start and the frames that are missing. */
    ERROR;

    /** Returns {@code length} frames: the given 1 or more, and those that this policy adds. */
    int[] fill(int[] frames, int length) {
      int[] filled = Arrays.copyOf(frames, length);
      for (int i = frames.length; i < length; i++) {
        filled[i] = frames[this == WRAP ? i % frames.length : frames.length - 1];
      }
      return filled;
    }
  }
}
