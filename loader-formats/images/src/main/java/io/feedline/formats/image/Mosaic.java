package io.feedline.formats.image;

import io.feedline.data.Dataset;
import io.feedline.formats.image.MixedSource.Layer;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.internal.Draw;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** The transform of {@link JointTransform#mosaic}. */
final class Mosaic<S> extends SampleMixture<S> {

  private static final int TILES = 4;

  /** The gray of the places without an image, as in YOLO and MMDetection. */
  private static final int GRAY = 114;

  private final int size;

  Mosaic(Dataset<S> others, int size) {
    super(others);
    if (size < 1 || size > Image.MAX_SIDE / 2) {
      throw new IllegalArgumentException(
          "size must be 1 to %d, was %d".formatted(Image.MAX_SIDE / 2, size));
    }
    this.size = size;
  }

  @Override
  public S apply(S sample, RandomGenerator random) throws Exception {
    ImageMode mode = mode(sample);
    List<S> samples = new ArrayList<>(List.of(sample));
    while (samples.size() < TILES) {
      samples.add(another(random));
    }
    int x = (int) Draw.uniform(random, 0.5f * size, 1.5f * size);
    int y = (int) Draw.uniform(random, 0.5f * size, 1.5f * size);
    List<S> moved = new ArrayList<>();
    List<Layer> layers = new ArrayList<>();
    for (int tile = 0; tile < TILES; tile++) {
      Image image = image(samples.get(tile));
      double scale = Math.min((double) size / image.height(), (double) size / image.width());
      int width = Math.max(1, (int) (image.width() * scale));
      int height = Math.max(1, (int) (image.height() * scale));
      // Each of the four images touches the meeting point with another of its corners.
      int left = tile % 2 == 0 ? x - width : x;
      int top = tile < 2 ? y - height : y;
      Region canvas = new Region(-left, -top, 2 * size, 2 * size);
      S onCanvas =
          moved(
              samples.get(tile), i -> i.resize(width, height, Interpolation.BILINEAR).crop(canvas));
      moved.add(onCanvas);
      Region part = new Region(left, top, width, height);
      layers.add(new Layer(pixels(onCanvas, mode), part, (below, own, at) -> own));
    }
    return joined(moved, new MixedSource(layers, 2 * size, 2 * size, mode, background(mode)));
  }

  private static int background(ImageMode mode) {
    return switch (mode) {
      case GRAY -> GRAY;
      case RGBA -> 0xFF << 24 | GRAY << 16 | GRAY << 8 | GRAY;
      default -> GRAY << 16 | GRAY << 8 | GRAY;
    };
  }

  @Override
  public String toString() {
    return "Mosaic(%d, of %s)".formatted(size, inWords());
  }
}
