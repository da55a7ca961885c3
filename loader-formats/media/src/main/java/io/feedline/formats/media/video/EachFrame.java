package io.feedline.formats.media.video;

import io.feedline.formats.image.Image;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import java.util.Objects;
import java.util.random.RandomGenerator;

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
