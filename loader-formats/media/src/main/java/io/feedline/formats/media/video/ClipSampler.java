package io.feedline.formats.media.video;

import io.feedline.transform.RandomTransform;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A choice of clips of a video, with the names and the meaning of torchcodec's samplers: {@code
 * clips_at_random_indices}, {@code clips_at_regular_indices}, {@code clips_at_random_timestamps},
 * {@code clips_at_regular_timestamps}.
 *
 * <pre>{@code
 * ClipSampler train = ClipSampler.atRandomIndices().numFramesPerClip(16).numIndicesBetweenFrames(4).build();
 * ClipSampler validate = ClipSampler.atRegularIndices().numClips(3).numFramesPerClip(16).build();
 * }</pre>
 *
 * <p>Random starts are drawn from the sample's generator, so that they are the same for any number
 * of workers, and after a resume. Starts are drawn from a range, by default the one in which whole
 * clips begin; {@code samplingRangeEnd} may let clips begin later, which then end as {@link
 * EndPolicy} says.
 *
 * <p>Immutable and thread-safe.
 */
public final class ClipSampler implements RandomTransform<VideoFile, Clip> {

  private enum Kind {
    RANDOM_INDICES,
    REGULAR_INDICES,
    RANDOM_TIMESTAMPS,
    REGULAR_TIMESTAMPS;

    boolean isTimed() {
      return this == RANDOM_TIMESTAMPS || this == REGULAR_TIMESTAMPS;
    }
  }

  private final Kind kind;
  private final int numClips;
  private final int numFramesPerClip;
  private final int numIndicesBetweenFrames;
  private final @Nullable Double secondsBetweenFrames;
  private final double secondsBetweenClipStarts;
  private final @Nullable Double rangeStart;
  private final @Nullable Double rangeEnd;
  private final EndPolicy policy;

  private ClipSampler(Builder options) {
    this.kind = options.kind;
    this.numClips = options.numClips;
    this.numFramesPerClip = options.numFramesPerClip;
    this.numIndicesBetweenFrames = options.numIndicesBetweenFrames;
    this.secondsBetweenFrames = options.secondsBetweenFrames;
    this.secondsBetweenClipStarts = options.secondsBetweenClipStarts;
    this.rangeStart = options.rangeStart;
    this.rangeEnd = options.rangeEnd;
    this.policy = options.policy;
  }

  /** Returns a builder for clips that begin at random frames. */
  public static IndexBuilder atRandomIndices() {
    return new IndexBuilder(Kind.RANDOM_INDICES);
  }

  /** Returns a builder for clips that begin at frames of equal distances. */
  public static IndexBuilder atRegularIndices() {
    return new IndexBuilder(Kind.REGULAR_INDICES);
  }

  /** Returns a builder for clips that begin at random times. */
  public static TimeBuilder atRandomTimestamps() {
    return new TimeBuilder(Kind.RANDOM_TIMESTAMPS);
  }

  /**
   * Returns a builder for clips that begin at times of equal distances; how many depends on the
   * video's duration.
   *
   * @param secondsBetweenClipStarts more than 0
   */
  public static TimeBuilder atRegularTimestamps(double secondsBetweenClipStarts) {
    if (!(secondsBetweenClipStarts > 0)) {
      throw new IllegalArgumentException(
          "secondsBetweenClipStarts must be more than 0, was " + secondsBetweenClipStarts);
    }
    TimeBuilder builder = new TimeBuilder(Kind.REGULAR_TIMESTAMPS);
    builder.secondsBetweenClipStarts = secondsBetweenClipStarts;
    return builder;
  }

  /**
   * Chooses clips.
   *
   * @return the clips, not decoded; of one clip (frames, 3, height, width)
   * @throws IllegalArgumentException if the video is too short for one clip, and samplingRangeEnd
   *     is not given; or the policy is {@link EndPolicy#ERROR} and a clip is not whole
   */
  @Override
  public Clip apply(VideoFile video, RandomGenerator random) {
    List<int[]> clips = kind.isTimed() ? timed(video, random) : indexed(video, random);
    int[] frames = clips.stream().flatMapToInt(Arrays::stream).toArray();
    return video.framesAt(frames).withClips(clips.size());
  }

  private List<int[]> indexed(VideoFile video, RandomGenerator random) {
    int frames = video.frames();
    int span = numIndicesBetweenFrames * (numFramesPerClip - 1) + 1;
    int start = fromEnd(rangeStart == null ? 0 : rangeStart.intValue(), frames);
    int end =
        rangeEnd == null
            ? frames - span + 1
            : Math.min(frames, fromEnd(rangeEnd.intValue(), frames));
    requireRange(video, start, end, "%d of %d frames".formatted(span, frames));
    List<int[]> clips = new ArrayList<>();
    int[] regular =
        kind == Kind.REGULAR_INDICES ? linspace(start, end - 1, numClips) : new int[numClips];
    for (int clip = 0; clip < numClips; clip++) {
      int first = kind == Kind.REGULAR_INDICES ? regular[clip] : random.nextInt(start, end);
      int[] found = new int[numFramesPerClip];
      int count = 0;
      while (count < found.length
          && (long) first + (long) count * numIndicesBetweenFrames < frames) {
        found[count] = first + count * numIndicesBetweenFrames;
        count++;
      }
      clips.add(filled(video, Arrays.copyOf(found, count), "frame " + first));
    }
    return clips;
  }

  private static int fromEnd(int index, int frames) {
    return index < 0 ? Math.max(0, frames + index) : index;
  }

  private List<int[]> timed(VideoFile video, RandomGenerator random) {
    double between = secondsBetweenFrames == null ? 1 / video.frameRate() : secondsBetweenFrames;
    double span = between * (numFramesPerClip - 1);
    double start = rangeStart == null ? video.start() : rangeStart;
    double end = rangeEnd == null ? video.end() - span : rangeEnd;
    requireRange(
        video, start, end, String.format(Locale.ROOT, "%.3f s of %.3f s", span, video.duration()));
    List<int[]> clips = new ArrayList<>();
    int count =
        kind == Kind.RANDOM_TIMESTAMPS
            ? numClips
            : (int) Math.ceil((end - start) / secondsBetweenClipStarts);
    for (int clip = 0; clip < count; clip++) {
      double first =
          kind == Kind.RANDOM_TIMESTAMPS
              ? start + random.nextDouble() * (end - start)
              : start + clip * secondsBetweenClipStarts;
      int[] found = new int[numFramesPerClip];
      int length = 0;
      while (length < found.length && first + length * between < video.end()) {
        found[length] = video.frameAt(first + length * between);
        length++;
      }
      clips.add(filled(video, Arrays.copyOf(found, length), first + " s"));
    }
    return clips;
  }

  private void requireRange(VideoFile video, double start, double end, String length) {
    if (!(start < end)) {
      throw new IllegalArgumentException(
          ("%s: no clip can begin from %s to before %s, since it spans %s; take fewer or nearer frames,"
                  + " or give samplingRangeEnd and a policy")
              .formatted(video.description(), start, end, length));
    }
  }

  private int[] filled(VideoFile video, int[] found, String start) {
    if (found.length == numFramesPerClip) {
      return found;
    }
    if (policy == EndPolicy.ERROR || found.length == 0) {
      throw new IllegalArgumentException(
          "%s: the clip that begins at %s has %d of %d frames before the video ends"
              .formatted(video.description(), start, found.length, numFramesPerClip));
    }
    return policy.fill(found, numFramesPerClip);
  }

  /** Returns torch.linspace with whole numbers: rounded towards zero. */
  static int[] linspace(int from, int to, int count) {
    int[] values = new int[count];
    for (int i = 0; i < count; i++) {
      values[i] = count == 1 ? from : from + (int) ((long) i * (to - from) / (count - 1));
    }
    return values;
  }

  /** Returns the options. */
  @Override
  public String toString() {
    return ("ClipSampler(%s, numClips=%d, numFramesPerClip=%d, numIndicesBetweenFrames=%d,"
            + " secondsBetweenFrames=%s, secondsBetweenClipStarts=%s, range=%s to %s, policy=%s)")
        .formatted(
            kind,
            numClips,
            numFramesPerClip,
            numIndicesBetweenFrames,
            secondsBetweenFrames,
            secondsBetweenClipStarts,
            rangeStart,
            rangeEnd,
            policy);
  }

  /** Options that all samplers have. Not thread-safe. */
  public abstract static sealed class Builder {
    final Kind kind;
    int numClips = 1;
    int numFramesPerClip = 1;
    int numIndicesBetweenFrames = 1;
    @Nullable Double secondsBetweenFrames;
    double secondsBetweenClipStarts;
    @Nullable Double rangeStart;
    @Nullable Double rangeEnd;
    EndPolicy policy = EndPolicy.REPEAT_LAST;

    private Builder(Kind kind) {
      this.kind = kind;
    }

    static int positive(String name, int value) {
      if (value < 1) {
        throw new IllegalArgumentException(name + " must be 1 or more, was " + value);
      }
      return value;
    }

    /** Builds the sampler. */
    public ClipSampler build() {
      return new ClipSampler(this);
    }
  }

  /** Options of samplers that count frames. Not thread-safe. */
  public static final class IndexBuilder extends Builder {

    private IndexBuilder(Kind kind) {
      super(kind);
    }

    /** Sets the number of clips of each video; 1 by default. */
    public IndexBuilder numClips(int number) {
      numClips = positive("numClips", number);
      return this;
    }

    /** Sets the number of frames of a clip; 1 by default. */
    public IndexBuilder numFramesPerClip(int number) {
      numFramesPerClip = positive("numFramesPerClip", number);
      return this;
    }

    /** Sets the distance from a frame of a clip to its next, in frames; 1 by default. */
    public IndexBuilder numIndicesBetweenFrames(int number) {
      numIndicesBetweenFrames = positive("numIndicesBetweenFrames", number);
      return this;
    }

    /** Sets the first frame at which a clip may begin; 0 by default; negative from the end. */
    public IndexBuilder samplingRangeStart(int frame) {
      rangeStart = (double) frame;
      return this;
    }

    /**
     * Sets the frame before which a clip begins; negative from the end. By default the last whole
     * clip is the last.
     */
    public IndexBuilder samplingRangeEnd(int frame) {
      rangeEnd = (double) frame;
      return this;
    }

    /** Sets what a clip has behind the video's end; {@link EndPolicy#REPEAT_LAST} by default. */
    public IndexBuilder policy(EndPolicy atEnd) {
      policy = Objects.requireNonNull(atEnd, "policy");
      return this;
    }
  }

  /** Options of samplers that count seconds. Not thread-safe. */
  public static final class TimeBuilder extends Builder {

    private TimeBuilder(Kind kind) {
      super(kind);
    }

    /**
     * Sets the number of clips of each video; 1 by default.
     *
     * @throws IllegalStateException if it follows from the distance of their starts
     */
    public TimeBuilder numClips(int number) {
      if (kind == Kind.REGULAR_TIMESTAMPS) {
        throw new IllegalStateException(
            "secondsBetweenClipStarts says how many clips there are; numClips must not be set");
      }
      numClips = positive("numClips", number);
      return this;
    }

    /** Sets the number of frames of a clip; 1 by default. */
    public TimeBuilder numFramesPerClip(int number) {
      numFramesPerClip = positive("numFramesPerClip", number);
      return this;
    }

    /** Sets the distance of a clip's frames, more than 0; by default that of the video's frames. */
    public TimeBuilder secondsBetweenFrames(double seconds) {
      if (!(seconds > 0)) {
        throw new IllegalArgumentException(
            "secondsBetweenFrames must be more than 0, was " + seconds);
      }
      secondsBetweenFrames = seconds;
      return this;
    }

    /** Sets the first time at which a clip may begin; the video's start by default. */
    public TimeBuilder samplingRangeStart(double seconds) {
      rangeStart = seconds;
      return this;
    }

    /** Sets the time before which a clip begins; by default the last whole clip is the last. */
    public TimeBuilder samplingRangeEnd(double seconds) {
      rangeEnd = seconds;
      return this;
    }

    /** Sets what a clip has behind the video's end; {@link EndPolicy#REPEAT_LAST} by default. */
    public TimeBuilder policy(EndPolicy atEnd) {
      policy = Objects.requireNonNull(atEnd, "policy");
      return this;
    }
  }
}
