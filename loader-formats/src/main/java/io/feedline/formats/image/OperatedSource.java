package io.feedline.formats.image;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A picture whose pixels are changed as soon as they are decoded. Operations that follow each other
 * share one source, so the picture is decoded, and its pixels are copied, once for all of them.
 *
 * @param parent the picture as it was
 * @param operations what is done to it, in order; not empty
 */
record OperatedSource(ImageSource parent, List<PixelOperation> operations) implements ImageSource {

  /** The picture after one more operation. */
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
  public PixelRows decode(Region region) throws IOException {
    boolean partly = operations.stream().allMatch(PixelOperation::isPointwise);
    return WorkspaceRows.of(
        workspace -> {
          RgbFrame frame = workspace.frame();
          frame.load(parent, partly ? region : new Region(0, 0, width(), height()));
          for (PixelOperation operation : operations) {
            operation.apply(frame.rgb(), frame.width(), frame.height());
          }
          return partly ? frame.rows() : frame.rows(region);
        });
  }

  /** For example {@code (500 x 375, then Brightness(1.2))}. */
  @Override
  public String inWords() {
    StringBuilder text = new StringBuilder("(").append(parent.inWords());
    operations.forEach(operation -> text.append(", then ").append(operation));
    return text.append(')').toString();
  }
}
