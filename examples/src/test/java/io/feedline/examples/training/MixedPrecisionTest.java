package io.feedline.examples.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Block;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.GradientCollector;
import ai.djl.training.Trainer;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class MixedPrecisionTest {

  private static final int CLASSES = 4;
  private static final int SIDE = 32;
  private static final int STEPS = 6;

  private static Model model(boolean half) {
    Model model = Model.newInstance("precision", Device.cpu());
    Block network = ResNet.RESNET18.block(CLASSES, SIDE);
    model.setBlock(half ? new MixedPrecision(network) : network);
    return model;
  }

  /** The loss before each step. */
  private static List<Float> train(Model model, boolean half) {
    model.getNDManager().getEngine().setRandomSeed(7);
    float scale = half ? MixedPrecision.LOSS_SCALE : 1;
    DefaultTrainingConfig config =
        new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
            .optDevices(new Device[] {Device.cpu()})
            .optOptimizer(
                Optimizer.sgd()
                    .setRescaleGrad(1 / scale)
                    .setLearningRateTracker(Tracker.fixed(0.02f))
                    .optMomentum(0.9f)
                    .build());
    ResNet.initialize(model.getBlock(), config);
    List<Float> losses = new ArrayList<>();
    try (Trainer trainer = model.newTrainer(config)) {
      trainer.initialize(new Shape(1, 3, SIDE, SIDE));
      try (NDManager batch = trainer.getManager().newSubManager()) {
        NDArray images =
            batch.randomNormal(0, 1, new Shape(2 * CLASSES, 3, SIDE, SIDE), DataType.FLOAT32);
        NDArray labels = batch.arange(2 * CLASSES).toType(DataType.INT64, false).mod(CLASSES);
        for (int step = 0; step < STEPS; step++) {
          try (GradientCollector gradients = trainer.newGradientCollector()) {
            NDList scores = trainer.forward(new NDList(images));
            assertThat(scores.head().getDataType()).isEqualTo(DataType.FLOAT32);
            NDArray loss = trainer.getLoss().evaluate(new NDList(labels), scores);
            gradients.backward(loss.mul(scale));
            losses.add(loss.getFloat());
          }
          trainer.step();
        }
      }
    }
    return losses;
  }

  @Test
  void shouldLearnAsInSinglePrecision() {
    try (Model single = model(false);
        Model half = model(true)) {
      List<Float> expected = train(single, false);
      List<Float> losses = train(half, true);

      assertThat(losses.get(STEPS - 1)).isLessThan(losses.get(0) * 0.9f);
      for (int step = 0; step < STEPS; step++) {
        assertThat(losses.get(step))
            .as("step %d of %s", step, losses)
            .isCloseTo(expected.get(step), within(0.01f));
      }
      // Equal would mean that nothing was computed in half precision.
      assertThat(losses).isNotEqualTo(expected);
    }
  }

  @Test
  void shouldKeepItsParametersInSinglePrecisionAndFitEitherOnDisk(@TempDir Path temp)
      throws Exception {
    try (Model half = model(true);
        Model single = model(false)) {
      train(half, true);
      assertThat(half.getBlock().getParameters().values())
          .allMatch(parameter -> parameter.getArray().getDataType() == DataType.FLOAT32);

      half.save(temp, "saved");
      single.load(temp, "saved");

      assertThat(values(single)).isEqualTo(values(half));
    }
  }

  private static Map<String, Integer> values(Model model) {
    Map<String, Integer> values = new TreeMap<>();
    model
        .getBlock()
        .getParameters()
        .forEach(
            named ->
                values.put(
                    named.getKey(), Arrays.hashCode(named.getValue().getArray().toFloatArray())));
    return values;
  }
}
