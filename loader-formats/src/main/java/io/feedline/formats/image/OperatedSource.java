package io.feedline.formats.image;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * An image whose pixels are changed as soon as they are decoded. Operations that follow each other
 * share one source, so the image is decoded, and its pixels are copied, once for all of them.
 *
 * @param parent the image as it was
 * @param operations what is done to it, in order; not empty
 */
record OperatedSource(ImageSource parent, List<PixelOperation> operations) implements ImageSource {

  /** The image after one more operation. */
  static Image apply(Image image, PixelOperation operation) {
    return image.over(source -> of(source, operation));
  }

  private static ImageSource of(ImageSource source, PixelOperation operation) {
    if (!(source instanceof OperatedSource operated)) {
      return new OperatedSource(source, List.of(operation));
    }
    List<PixelOperation> operations = new ArrayList<>(operated.operations);
    operations.add(operation);
    return new OperatedSource(operated.parent, List.copyOf(operations));
  }

  @Override
  public int width() {
    return parent.width();
  }

  @Override
  public int height() {
    return parent.height();
  }

  @Override
  public Samples decode(Region region) throws IOException {
    boolean whole = region.width() == width() && region.height() == height();
    boolean pointwise = operations.stream().allMatch(PixelOperation::isPointwise);
    Samples samples = pointwise ? Samples.of(parent, region) : Samples.of(parent);
    for (PixelOperation operation : operations) {
      operation.apply(samples.rgb(), samples.width(), samples.height());
    }
    if (!pointwise && !whole) {
      samples.crop(region);
    }
    return samples;
  }

  /** For example {@code (500 x 375, then Brightness(1.2))}. */
  @Override
  public String inWords() {
    StringBuilder text = new StringBuilder("(").append(parent.inWords());
    operations.forEach(operation -> text.append(", then ").append(operation));
    return text.append(')').toString();
  }
}
