package io.feedline.examples.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Parameter;
import ai.djl.training.ParameterStore;
import ai.djl.training.initializer.XavierInitializer;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointsTest {
  private static final List<String> CLASSES = List.of("cat", "dog", "emu");
  private static final Shape IMAGE = new Shape(1, 3, 32, 32);

  @TempDir Path temp;

  private static Model untrained(int classes) {
    Model model = Model.newInstance("network", Device.cpu());
    model.setBlock(ResNet.RESNET18.block(classes, 32));
    return model;
  }

  private static Model initialized() {
    Model model = untrained(CLASSES.size());
    model.getBlock().setInitializer(new XavierInitializer(), Parameter.Type.WEIGHT);
    model.getBlock().initialize(model.getNDManager(), DataType.FLOAT32, IMAGE);
    return model;
  }

  private static ResumableSgd sgd() {
    return new ResumableSgd(
        Optimizer.sgd().setLearningRateTracker(Tracker.fixed(0.1f)).optMomentum(0.9f));
  }

  private static float[] predict(Model model) {
    try (NDManager manager = model.getNDManager().newSubManager()) {
      NDArray image = manager.arange(3 * 32 * 32).toType(DataType.FLOAT32, false).div(3072);
      return model
          .getBlock()
          .forward(new ParameterStore(manager, false), new NDList(image.reshape(IMAGE)), false)
          .singletonOrThrow()
          .toFloatArray();
    }
  }

  @Test
  void shouldGiveBackTheParametersThatWereSaved() throws Exception {
    Checkpoints checkpoints = new Checkpoints(temp.resolve("new"), "resnet18");
    assertThat(checkpoints.lastEpoch()).isEmpty();
    try (Model saved = initialized();
        Model later = initialized();
        Model loaded = untrained(CLASSES.size())) {
      Path file = checkpoints.save(saved, sgd(), 4, CLASSES);
      checkpoints.save(later, sgd(), 12, CLASSES);

      assertThat(file).hasFileName("resnet18-0004.params");
      assertThat(checkpoints.lastEpoch()).hasValue(12);
      checkpoints.load(loaded, sgd(), 4, CLASSES);
      assertThat(predict(loaded)).isEqualTo(predict(saved)).isNotEqualTo(predict(later));
      checkpoints.save(later, sgd(), 4, CLASSES);
      checkpoints.load(loaded, sgd(), 4, CLASSES);
      assertThat(predict(loaded)).as("replaced").isEqualTo(predict(later));
      try (Stream<Path> files = Files.list(temp.resolve("new"))) {
        assertThat(files).as("nothing unfinished is left").hasSize(4);
      }
    }
  }

  @Test
  void shouldRefuseWhatDoesNotFit() throws Exception {
    Checkpoints checkpoints = new Checkpoints(temp, "resnet18");
    try (Model model = initialized();
        Model otherClasses = untrained(CLASSES.size());
        Model cut = untrained(CLASSES.size())) {
      Path file = checkpoints.save(model, sgd(), 0, CLASSES);

      assertThatThrownBy(() -> checkpoints.load(otherClasses, sgd(), 0, List.of("a", "b", "c")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(file.toString())
          .hasMessageContaining("other classes");
      Path momentum = temp.resolve("resnet18-0000.momentum");
      byte[] list = Files.readAllBytes(momentum);
      Files.write(momentum, new byte[] {1, 2, 3});
      assertThatThrownBy(() -> checkpoints.load(model, sgd(), 0, CLASSES))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(momentum.toString());
      Files.write(momentum, list);

      byte[] bytes = Files.readAllBytes(file);
      Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length / 2));
      assertThatThrownBy(() -> checkpoints.load(cut, sgd(), 0, CLASSES))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(file.toString());
    }
  }
}
