package io.feedline.formats.media.video;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.TensorSource;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.Region;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Frames of a video as a recipe: the numbers of the frames, and one {@link Image} with the
 * operations on each frame. Nothing is decoded until the clip writes itself into its row of a
 * batch; then each frame is decoded, cropped, scaled and normalized straight into its place.
 *
 * <p>Since all frames share one image, a transform of images draws once for all frames: {@link
 * EachFrame} applies any such transform. A new clip is FLOAT32 of shape (frames, 3, height, width),
 * from 0 to 1, as an image is; {@code ToTensor} chooses another dtype or layout. Several clips of
 * one video, of equal length, have a further axis: (clips, frames, 3, height, width).
 *
 * <p>A clip belongs to one sample: it is immutable, but only one thread may write it at a time. Its
 * video must stay open until the clip is written.
 */
public final class Clip implements TensorSource {

  private final VideoFile video;
  private final int[] frames;
  private final int clips;
  private final CurrentFrame current;
  private final Image frame;

  private Clip(VideoFile video, int[] frames, int clips, CurrentFrame current, Image frame) {
    this.video = video;
    this.frames = frames;
    this.clips = clips;
    this.current = current;
    this.frame = frame;
  }

  /** Takes the numbers of the frames, clip after clip; the clips have equally many frames. */
  static Clip of(VideoFile video, int[] frames, int clips) {
    if (frames.length == 0) {
      throw new IllegalArgumentException("a clip has one frame or more, had none");
    }
    CurrentFrame current = new CurrentFrame(video.codedWidth(), video.codedHeight());
    return new Clip(video, frames.clone(), clips, current, Image.of(current, video.description()));
  }

  Clip rotate90(int quarters) {
    return new Clip(video, frames, clips, current, frame.rotate90(quarters));
  }

  Clip withClips(int number) {
    return new Clip(video, frames, number, current, frame);
  }

  /** Returns the video. */
  public VideoFile video() {
    return video;
  }

  /** Returns the numbers of the frames in the video, clip after clip, in a new array. */
  public int[] frames() {
    return frames.clone();
  }

  /** Returns the time at which each frame is shown, in seconds, clip after clip. */
  public double[] times() {
    return Arrays.stream(frames).mapToDouble(video::time).toArray();
  }

  /** Returns the number of clips that this object contains, mostly 1. */
  public int clips() {
    return clips;
  }

  /**
   * Returns this clip with one transform applied to all frames alike.
   *
   * @param transform the transform of one image that stands for all frames. The image has no pixels
   *     yet, so a transform that reads pixels fails
   * @throws Exception the transform's exception
   */
  public Clip eachFrame(Transform<? super Image, Image> transform) throws Exception {
    return new Clip(video, frames, clips, current, transform.apply(frame));
  }

  /**
   * Returns a clip of some of the frames, by their position in this clip; a position may occur more
   * than once. With several clips, the positions are selected in each clip.
   *
   * @throws IndexOutOfBoundsException if a position is not in the clip
   */
  public Clip select(int... positions) {
    int length = frames.length / clips;
    int[] selected =
        IntStream.range(0, clips)
            .flatMap(
                clip ->
                    Arrays.stream(positions)
                        .map(position -> checked(position, length) + clip * length))
            .map(position -> frames[position])
            .toArray();
    return new Clip(video, selected, clips, current, frame);
  }

  private static int checked(int position, int length) {
    if (position < 0 || position >= length) {
      throw new IndexOutOfBoundsException(
          "there is no frame at position %d of a clip of %d".formatted(position, length));
    }
    return position;
  }

  @Override
  public DType dtype() {
    return frame.dtype();
  }

  @Override
  public Shape shape() {
    long[] image = frame.shape().lengths();
    int axes = clips == 1 ? 1 : 2;
    long[] shape = new long[image.length + axes];
    shape[0] = clips;
    shape[axes - 1] = frames.length / clips;
    System.arraycopy(image, 0, shape, axes, image.length);
    return Shape.of(shape);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IOException if a frame cannot be read or decoded
   */
  @Override
  public void writeTo(ByteBuffer target) throws IOException {
    int bytes = Math.toIntExact(frame.shape().elements() * frame.dtype().bytes());
    int[] order =
        IntStream.range(0, frames.length)
            .boxed()
            .sorted((a, b) -> Integer.compare(frames[a], frames[b]))
            .mapToInt(Integer::intValue)
            .toArray();
    VideoDecoder decoder = video.decoders().take(video.source());
    boolean whole = false;
    current.decoder = decoder;
    try {
      int before = -1;
      for (int position : order) {
        ByteBuffer row = target.slice(position * bytes, bytes).order(ByteOrder.nativeOrder());
        if (before >= 0 && frames[before] == frames[position]) {
          row.put(target.slice(before * bytes, bytes));
        } else {
          decoder.goTo(frames[position]);
          frame.writeTo(row);
        }
        before = position;
      }
      whole = true;
    } finally {
      current.decoder = null;
      if (whole) {
        video.decoders().give(decoder);
      } else {
        decoder.close();
      }
    }
  }

  @Override
  public String toString() {
    return "Clip[%d frames from %d to %d of %s]"
        .formatted(frames.length, frames[0], frames[frames.length - 1], frame);
  }

  /**
   * A transform of clips that applies a transform of images to all frames with one draw: all frames
   * are cropped at one place, all or no frames are flipped, and all get one change of colors.
   *
   * <pre>{@code
   * EachFrame.of(RandomResizedCrop.of(112).andThen(RandomHorizontalFlip.of()).andThen(Normalize.imagenet()))
   * }</pre>
   *
   * <p>Immutable and thread-safe, as the transform is.
   *
   * @param transform pure or random; it must not read pixels, see {@link Clip#eachFrame}
   */
  public record EachFrame(RandomTransform<? super Image, Image> transform)
      implements RandomTransform<Clip, Clip> {

    public EachFrame {
      Objects.requireNonNull(transform, "transform");
    }

    /** Returns the transform of clips that applies a transform of images to all frames. */
    public static EachFrame of(RandomTransform<? super Image, Image> transform) {
      return new EachFrame(transform);
    }

    @Override
    public Clip apply(Clip clip, RandomGenerator random) throws Exception {
      Transform<Image, Image> drawn = image -> transform.apply(image, random);
      return clip.eachFrame(drawn);
    }

    @Override
    public String toString() {
      return "EachFrame(" + transform + ")";
    }
  }

  /** The source of the clip's image: while the clip is written, the decoder's present frame. */
  private static final class CurrentFrame implements ImageSource {
    private final int width;
    private final int height;
    private @Nullable VideoDecoder decoder;

    CurrentFrame(int width, int height) {
      this.width = width;
      this.height = height;
    }

    @Override
    public int width() {
      return width;
    }

    @Override
    public int height() {
      return height;
    }

    @Override
    public PixelRows decode(Region region) throws IOException {
      if (decoder == null) {
        throw new IllegalStateException(
            "the frames of a clip have no pixels until the clip is written: a transform of each"
                + " frame must not look at them");
      }
      return decoder.pixels(region);
    }
  }
}
