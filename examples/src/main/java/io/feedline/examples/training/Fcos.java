package io.feedline.examples.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Block;
import ai.djl.nn.ParallelBlock;
import ai.djl.nn.Parameter;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.convolutional.Conv2d;
import ai.djl.training.initializer.ConstantInitializer;
import java.util.ArrayList;
import java.util.List;

/**
 * A small FCOS (Tian et al., 2019) on one scale. Every fourth pixel in both directions is a point.
 * A point predicts the class of the object around it, and its distances from the edges of the
 * object's box. There are no anchors. Instead of centerness, only points near the middle of a box
 * learn the box.
 *
 * @param classes the number of classes
 * @param imageSize the side of the network's square input in pixels, a multiple of 16
 */
record Fcos(int classes, int imageSize) {

  /** The distance between neighboring points in pixels. */
  static final int STRIDE = 4;

  private static final int FILTERS = 32;
  private static final int DEPTH = 2;

  /** The largest distance in x and y of a point that learns a box from its middle, as in FCOS. */
  private static final float RADIUS = 1.5f * STRIDE;

  /** The distance from the edges that untrained points predict, in pixels. */
  private static final float FIRST_DISTANCE = 8;

  /**
   * The weight of points with an object in the focal loss (Lin et al., 2017); others: 1 - ALPHA.
   */
  private static final float ALPHA = 0.25f;

  /** The logit that untrained points predict, of the score 0.01: nearly all are background. */
  private static final float RARE = -4.6f;

  private static final float LEAST_SCORE = 0.05f;
  private static final float LARGEST_OVERLAP = 0.5f;
  private static final float FAR = 1e9f;

  /**
   * Returns the network: from float32 (batch, 3, size, size) to the logits of the classes, (batch,
   * points, classes), and the distances from left, upper, right and lower edge in pixels, (batch,
   * points, 4).
   */
  Block block() {
    Conv2d scores = UNet.pointwise(classes);
    scores.setInitializer(new ConstantInitializer(RARE), Parameter.Type.BIAS);
    return new SequentialBlock()
        .add(UNet.convolution(FILTERS / 2, 2))
        .add(UNet.convolution(FILTERS, 2))
        .add(UNet.of(FILTERS, DEPTH))
        .add(new ParallelBlock(Fcos::join).add(scores).add(UNet.pointwise(4)));
  }

  private static NDList join(List<NDList> branches) {
    NDArray distances = ofPoints(branches.get(1)).exp().mul(FIRST_DISTANCE);
    return new NDList(ofPoints(branches.get(0)), distances);
  }

  /** Converts (batch, channels, height, width) to (batch, points, channels). */
  private static NDArray ofPoints(NDList map) {
    Shape shape = map.singletonOrThrow().getShape();
    return map.singletonOrThrow()
        .reshape(shape.get(0), shape.get(1), shape.get(2) * shape.get(3))
        .transpose(0, 2, 1);
  }

  /**
   * Returns the focal loss of the scores, plus the IoU loss (Yu et al., 2016) at the points that
   * have a box.
   *
   * @param predicted the output of the network
   * @param boxes float32 (batch, most, 4), edges in pixels; boxes after an image's last are padding
   * @param labels int64 (batch, most), the classes of the boxes
   * @param counts int64 (batch), the number of boxes of each image
   */
  NDArray loss(NDList predicted, NDArray boxes, NDArray labels, NDArray counts) {
    NDManager manager = boxes.getManager();
    long most = boxes.getShape().get(1);
    NDArray points = points(manager);
    NDArray x = points.get(0).reshape(1, -1, 1);
    NDArray y = points.get(1).reshape(1, -1, 1);
    // The distances from each point to each box: (batch, points, most).
    NDArray left = x.sub(edge(boxes, 0));
    NDArray top = y.sub(edge(boxes, 1));
    NDArray right = edge(boxes, 2).sub(x);
    NDArray bottom = edge(boxes, 3).sub(y);
    NDArray within = left.minimum(top).minimum(right).minimum(bottom).gt(0);
    NDArray near = left.sub(right).abs().maximum(top.sub(bottom).abs()).lte(2 * RADIUS);
    NDArray isBox =
        manager.arange((float) most).reshape(1, 1, -1).lt(floats(counts).reshape(-1, 1, 1));
    NDArray may = floats(within).mul(floats(near)).mul(floats(isBox));
    // If a point is in several boxes, it learns the smallest.
    NDArray area = left.add(right).mul(top.add(bottom));
    NDArray cost = area.mul(may).add(may.neg().add(1).mul(FAR));
    NDArray positive = floats(cost.min(new int[] {2}).lt(FAR));
    NDArray chosen = cost.argMin(2).oneHot((int) most).mul(positive.expandDims(2));
    NDArray truth = chosen.batchMatMul(labels.oneHot(classes));
    NDArray overlap =
        overlap(
            predicted.get(1),
            new NDList(
                chosen(left, chosen),
                chosen(top, chosen),
                chosen(right, chosen),
                chosen(bottom, chosen)));
    NDArray ofBoxes = overlap.log().neg().mul(positive).sum();
    return focal(predicted.get(0), truth).add(ofBoxes).div(positive.sum().maximum(1));
  }

  /** Returns the positions of the points, x and y: (2, points). */
  private NDArray points(NDManager manager) {
    int side = imageSize / STRIDE;
    float[] places = new float[2 * side * side];
    for (int i = 0; i < side * side; i++) {
      places[i] = middle(i % side);
      places[side * side + i] = middle(i / side);
    }
    return manager.create(places, new Shape(2, (long) side * side));
  }

  /** Returns the position of a column or row of points, in pixels. */
  private static float middle(int number) {
    return (number + 0.5f) * STRIDE;
  }

  /** Returns one of the four edges of each box: (batch, 1, most). */
  private static NDArray edge(NDArray boxes, int number) {
    return boxes.get(":, :, " + number).expandDims(1);
  }

  private static NDArray floats(NDArray array) {
    return array.toType(DataType.FLOAT32, false);
  }

  /** Returns the distance from each point to its chosen box: (batch, points). */
  private static NDArray chosen(NDArray distance, NDArray chosen) {
    return distance.mul(chosen).sum(new int[] {2});
  }

  private static NDArray focal(NDArray logits, NDArray truth) {
    NDArray score = Activation.sigmoid(logits);
    NDArray missed = score.neg().add(1).square().mul(Activation.softPlus(logits.neg()));
    NDArray invented = score.square().mul(Activation.softPlus(logits));
    return missed.mul(truth).mul(ALPHA).add(invented.mul(truth.neg().add(1)).mul(1 - ALPHA)).sum();
  }

  /**
   * Returns the intersection over union of the predicted and the true box around each point, above
   * 0: (batch, points).
   *
   * @param distances the predicted distances, (batch, points, 4)
   * @param truth the true distances left, top, right and bottom, (batch, points) each
   */
  private static NDArray overlap(NDArray distances, NDList truth) {
    NDArray left = distances.get(":, :, 0");
    NDArray top = distances.get(":, :, 1");
    NDArray right = distances.get(":, :, 2");
    NDArray bottom = distances.get(":, :, 3");
    NDArray width = left.minimum(truth.get(0)).add(right.minimum(truth.get(2)));
    NDArray height = top.minimum(truth.get(1)).add(bottom.minimum(truth.get(3)));
    NDArray common = width.mul(height);
    NDArray predictedArea = left.add(right).mul(top.add(bottom));
    NDArray trueArea = truth.get(0).add(truth.get(2)).mul(truth.get(1).add(truth.get(3)));
    // Adding one pixel keeps the logarithm finite.
    return common.add(1).div(predictedArea.add(trueArea).sub(common).add(1));
  }

  /**
   * Returns the predicted boxes of each image of a batch, the best first.
   *
   * @param predicted the output of the network
   */
  List<List<Detection>> detections(NDList predicted) {
    float[] scores = Activation.sigmoid(predicted.get(0)).toFloatArray();
    float[] distances = predicted.get(1).toFloatArray();
    int side = imageSize / STRIDE;
    int points = side * side;
    List<List<Detection>> images = new ArrayList<>();
    for (int image = 0; image < distances.length / 4 / points; image++) {
      List<Detection> found = new ArrayList<>();
      for (int i = 0; i < points; i++) {
        int point = image * points + i;
        float x = middle(i % side);
        float y = middle(i / side);
        for (int label = 0; label < classes; label++) {
          float score = scores[point * classes + label];
          if (score >= LEAST_SCORE) {
            found.add(
                new Detection(
                    label,
                    score,
                    Math.max(0, x - distances[4 * point]),
                    Math.max(0, y - distances[4 * point + 1]),
                    Math.min(imageSize, x + distances[4 * point + 2]),
                    Math.min(imageSize, y + distances[4 * point + 3])));
          }
        }
      }
      images.add(Detection.suppress(found, LARGEST_OVERLAP));
    }
    return images;
  }
}
