package io.feedline.formats.image;

import io.feedline.data.Dataset;
import io.feedline.formats.image.MixedSource.Layer;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.internal.SymmetricBeta;
import java.util.List;
import java.util.random.RandomGenerator;

/** The transform of {@link JointTransform#mixUp}. */
final class BoxMixUp<S> extends SampleMixture<S> {

  private final SymmetricBeta share;

  BoxMixUp(Dataset<S> others, double alpha) {
    super(others);
    this.share = new SymmetricBeta(alpha);
  }

  @Override
  public S apply(S sample, RandomGenerator random) throws Exception {
    ImageMode mode = mode(sample);
    S other = another(random);
    double drawn = share.draw(random);
    int width = Math.max(image(sample).width(), image(other).width());
    int height = Math.max(image(sample).height(), image(other).height());
    Region canvas = new Region(0, 0, width, height);
    List<S> moved = List.of(enlarged(sample, canvas), enlarged(other, canvas));
    float own = (float) drawn;
    float others = (float) (1 - drawn);
    List<Layer> layers =
        List.of(
            new Layer(pixels(moved.get(0), mode), canvas, (below, pixel, at) -> pixel),
            new Layer(
                pixels(moved.get(1), mode),
                canvas,
                (below, pixel, at) -> mixed(below, own, pixel, others)));
    return joined(moved, new MixedSource(layers, width, height, mode, 0));
  }

  private S enlarged(S sample, Region canvas) throws Exception {
    return moved(
        sample,
        image ->
            image.width() == canvas.width() && image.height() == canvas.height()
                ? image
                : image.crop(canvas));
  }

  private static int mixed(int first, float own, int second, float others) {
    int mixed = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      float sum = (first >>> shift & 0xFF) * own + (second >>> shift & 0xFF) * others;
      mixed |= (int) sum << shift;
    }
    return mixed;
  }

  @Override
  public String toString() {
    return "MixUp(alpha=%s, of %s)".formatted(share.alpha(), inWords());
  }
}
