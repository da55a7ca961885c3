package io.feedline.formats.coco;

import io.feedline.data.FormatException;
import io.feedline.formats.coco.CocoFile.Parts;
import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.BoxLabels;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.KeyPoints;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A dataset of COCO's images with the boxes and key points of people, in the order of the images'
 * ids. Which joint a point is, the category tells: {@link CocoDetection.Category#keyPoints}. If
 * categories have different numbers of points, all objects have as many as the largest; those that
 * an object lacks are not annotated.
 *
 * <p>The annotations are in memory, some 100 bytes each; images are read with their samples.
 * Immutable, thread-safe, and holds nothing open.
 */
public final class CocoKeyPoints extends CocoSamples<CocoKeyPoints.Sample> {

  private final int perObject;

  private CocoKeyPoints(Path images, Path annotations, CocoOptions options) throws IOException {
    super(images, annotations, options, Parts.KEY_POINTS);
    int listed = categories().stream().mapToInt(each -> each.keyPoints().size()).max().orElse(0);
    this.perObject = Math.max(1, listed > 0 ? listed : mostKeyPoints());
  }

  /**
   * An image and its objects, of which there may be none.
   *
   * @param id of the image in the file; of ids that are texts the place in {@link #textIds}
   * @param image not decoded yet
   * @param boxes FLOAT32 (n, 4), XYXY
   * @param labels INT64 (n), ids of categories, or their indices if the options say so
   * @param crowds INT64 (n), 1 for a crowd, and else 0
   * @param points FLOAT32 (n, k, 2), x and y; 0 and 0 where they are not annotated
   * @param visibility INT64 (n, k): 0 for a point that is not annotated, 1 for one that is hidden,
   *     2 for one that is seen
   */
  public record Sample(
      long id,
      Image image,
      BoundingBoxes boxes,
      BoxLabels labels,
      BoxLabels crowds,
      KeyPoints points,
      BoxLabels visibility) {}

  /**
   * Returns all images, with all of their annotations.
   *
   * @param images the directory of the images, such as {@code train2017}
   * @param annotations such as {@code annotations/person_keypoints_train2017.json}
   * @throws IOException if the annotations cannot be read, or are damaged
   */
  public static CocoKeyPoints of(Path images, Path annotations) throws IOException {
    return of(images, annotations, CocoOptions.DEFAULT);
  }

  /**
   * Returns images with a choice of annotations.
   *
   * @param images the directory of the images, such as {@code train2017}
   * @param annotations such as {@code annotations/person_keypoints_train2017.json}
   * @param options which annotations are taken, and what their labels are
   * @throws IOException if the annotations cannot be read, are damaged, or none is taken
   */
  public static CocoKeyPoints of(Path images, Path annotations, CocoOptions options)
      throws IOException {
    return new CocoKeyPoints(Objects.requireNonNull(images, "images"), annotations, options);
  }

  @Override
  Sample sample(long id, Image image, int[] taken) throws IOException {
    float[] points = new float[2 * perObject * taken.length];
    long[] visibility = new long[perObject * taken.length];
    BoxLabels labels = labels(taken);
    for (int i = 0; i < taken.length; i++) {
      double[] triples = part(taken[i]).coordinates();
      int listed = keyPointsOf(taken[i]);
      int expected = listed > 0 ? listed : Math.min(perObject, triples.length / 3);
      // An object may lack annotated key points.
      if (triples.length != 0 && triples.length != 3 * expected) {
        throw new FormatException(
            "an object with %d numbers for key points, where its category has %d points of 3"
                .formatted(triples.length, expected));
      }
      for (int j = 0; 3 * j < triples.length; j++) {
        int point = i * perObject + j;
        points[2 * point] = (float) triples[3 * j];
        points[2 * point + 1] = (float) triples[3 * j + 1];
        visibility[point] = (long) triples[3 * j + 2];
        if (visibility[point] != triples[3 * j + 2]) {
          throw new FormatException(
              "a key point with the visibility %s; it is 0, 1 or 2".formatted(triples[3 * j + 2]));
        }
      }
    }
    return new Sample(
        id,
        image,
        boxes(image, taken),
        labels,
        crowds(taken),
        KeyPoints.ofObjects(points, perObject, image.width(), image.height()),
        BoxLabels.ofRows(visibility, perObject));
  }
}
