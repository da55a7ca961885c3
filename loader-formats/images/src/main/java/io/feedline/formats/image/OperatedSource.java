package io.feedline.formats.image;

import io.feedline.formats.image.Image.PixelOperation;
import io.feedline.formats.image.kernel.internal.Samples;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.Conversion;
import io.feedline.formats.image.pixel.internal.ConvertedSource;
import io.feedline.formats.image.pixel.internal.DerivedSource;
import io.feedline.internal.ReadMeter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * An image whose pixels are changed as soon as they are decoded. Operations that follow each other
 * share one source, so the image is decoded, and its pixels are copied, once for all of them.
 *
 * @param parent the image before the operations
 * @param operations the operations, in order; not empty
 */
record OperatedSource(ImageSource parent, List<PixelOperation> operations)
    implements DerivedSource {

  /** Returns a source with one more operation. */
  static ImageSource of(ImageSource source, PixelOperation operation) {
    if (!(source instanceof OperatedSource operated)) {
      return new OperatedSource(source, List.of(operation));
    }
    List<PixelOperation> operations = new ArrayList<>(operated.operations);
    operations.add(operation);
    return new OperatedSource(operated.parent, List.copyOf(operations));
  }

  /**
   * Returns a gray source with one more operation, which receives three equal samples a pixel.
   * Operations that follow each other share one source here, too.
   */
  static ImageSource ofGray(ImageSource source, PixelOperation operation) {
    boolean follows =
        source instanceof ConvertedSource converted
            && converted.conversion() == Conversion.LUMINANCE
            && converted.parent() instanceof OperatedSource;
    ImageSource rgb =
        follows
            ? ((ConvertedSource) source).parent()
            : new ConvertedSource(source, Conversion.REPEAT);
    return new ConvertedSource(of(rgb, operation), Conversion.LUMINANCE);
  }

  @Override
  public Samples decode(Region region) throws IOException {
    boolean whole = region.width() == width() && region.height() == height();
    boolean pointwise = operations.stream().allMatch(PixelOperation::isPointwise);
    Samples samples = pointwise ? Samples.of(parent, region) : Samples.of(parent);
    try {
      for (PixelOperation operation : operations) {
        int before = ReadMeter.transform(operation);
        operation.apply(samples.rgb(), samples.width(), samples.height());
        ReadMeter.transformed(before);
      }
    } catch (RuntimeException | Error failed) {
      samples.close();
      throw failed;
    }
    if (!pointwise && !whole) {
      samples.crop(region);
    }
    return samples;
  }

  @Override
  public String inWords() {
    StringBuilder text = new StringBuilder("(").append(parent.inWords());
    operations.forEach(operation -> text.append(", then ").append(operation));
    return text.append(')').toString();
  }
}
