package io.feedline.formats.coco;

import io.feedline.data.FormatException;
import io.feedline.formats.coco.CocoFile.Parts;
import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.BoxLabels;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.InstanceMasks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A dataset of COCO's images with the boxes and masks of their objects, in the order of the images'
 * ids. Masks are those of pycocotools, pixel for pixel, whether they are polygons, runs as numbers
 * or runs as text; they are painted when they are written into a batch.
 *
 * <p>The annotations are in memory, COCO's training set in some 170 MB; images are read with their
 * samples. Immutable, thread-safe, and holds nothing open.
 */
public final class CocoInstances extends CocoSamples<CocoInstances.Sample> {

  private CocoInstances(Path images, Path annotations, CocoOptions options) throws IOException {
    super(images, annotations, options, Parts.OUTLINES);
  }

  /**
   * An image and its objects, of which there may be none.
   *
   * @param id of the image in the file; of ids that are texts the place in {@link #textIds}
   * @param image not decoded yet
   * @param boxes FLOAT32 (n, 4), XYXY
   * @param labels INT64 (n), ids of categories, or their indices if the options say so
   * @param crowds INT64 (n), 1 for a crowd, and else 0
   * @param masks UINT8 (n, height, width), 1 where the object is
   */
  public record Sample(
      long id,
      Image image,
      BoundingBoxes boxes,
      BoxLabels labels,
      BoxLabels crowds,
      InstanceMasks masks) {}

  /**
   * Returns all images, with all of their annotations.
   *
   * @param images the directory of the images, such as {@code train2017}
   * @param annotations such as {@code annotations/instances_train2017.json}
   * @throws IOException if the annotations cannot be read, or are damaged
   */
  public static CocoInstances of(Path images, Path annotations) throws IOException {
    return of(images, annotations, CocoOptions.DEFAULT);
  }

  /**
   * Returns images with a choice of annotations.
   *
   * @param images the directory of the images, such as {@code train2017}
   * @param annotations such as {@code annotations/instances_train2017.json}
   * @param options which annotations are taken, and what their labels are
   * @throws IOException if the annotations cannot be read, are damaged, or none is taken
   */
  public static CocoInstances of(Path images, Path annotations, CocoOptions options)
      throws IOException {
    return new CocoInstances(Objects.requireNonNull(images, "images"), annotations, options);
  }

  @Override
  Sample sample(long id, Image image, int[] taken) throws IOException {
    int width = image.width();
    int height = image.height();
    InstanceMasks masks =
        InstanceMasks.painted(
            taken.length,
            width,
            height,
            (object, mask) -> {
              try {
                Outlines.paint(part(taken[object]), height, width, mask);
              } catch (FormatException damaged) {
                throw damaged.at("%s, object %d".formatted(place(id), object));
              }
            });
    return new Sample(id, image, boxes(image, taken), labels(taken), crowds(taken), masks);
  }
}
