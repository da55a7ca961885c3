package io.feedline.formats.coco;

import io.feedline.formats.coco.CocoFile.Parts;
import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.BoxLabels;
import io.feedline.formats.image.Image;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * A dataset of COCO's images with the boxes of their objects: torchvision's {@code CocoDetection},
 * in the order of the images' ids. {@link CocoInstances} has masks, too.
 *
 * <pre>{@code
 * Dataset<CocoDetection.Sample> train =
 *     CocoDetection.of(Path.of("train2017"), Path.of("annotations/instances_train2017.json"))
 *         .map(JointTransform.of(augment));
 * }</pre>
 *
 * <p>The annotations are in memory, some 40 bytes each; images are read with their samples.
 * Immutable, thread-safe, and holds nothing open.
 */
public final class CocoDetection extends CocoSamples<CocoDetection.Sample> {

  private CocoDetection(Path images, Path annotations, CocoOptions options) throws IOException {
    super(images, annotations, options, Parts.BOXES);
  }

  /**
   * An image and its objects, of which there may be none.
   *
   * @param id of the image in the file; of ids that are texts the place in {@link #textIds}
   * @param image not decoded yet
   * @param boxes FLOAT32 (n, 4), XYXY
   * @param labels INT64 (n), ids of categories, or their indices if the options say so
   * @param crowds INT64 (n), 1 for a crowd, and else 0
   */
  public record Sample(
      long id, Image image, BoundingBoxes boxes, BoxLabels labels, BoxLabels crowds) {}

  /**
   * Returns all images, with all of their annotations.
   *
   * @param images the directory of the images, such as {@code train2017}
   * @param annotations such as {@code annotations/instances_train2017.json}
   * @throws IOException if the annotations cannot be read, or are damaged
   */
  public static CocoDetection of(Path images, Path annotations) throws IOException {
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
  public static CocoDetection of(Path images, Path annotations, CocoOptions options)
      throws IOException {
    return new CocoDetection(Objects.requireNonNull(images, "images"), annotations, options);
  }

  @Override
  Sample sample(long id, Image image, int[] taken) throws IOException {
    return new Sample(id, image, boxes(image, taken), labels(taken), crowds(taken));
  }

  /**
   * A category of COCO's annotations.
   *
   * @param id in the file: of COCO's 80 classes from 1 to 90, with gaps. If the ids are texts, its
   *     place in their order
   * @param name such as {@code person}
   * @param keyPoints the names of its key points, in their order; empty if absent. Immutable
   */
  public record Category(long id, String name, List<String> keyPoints) {

    /** Copies the list. */
    public Category {
      keyPoints = List.copyOf(keyPoints);
    }

    Category withId(long other) {
      return new Category(other, name, keyPoints);
    }
  }
}
