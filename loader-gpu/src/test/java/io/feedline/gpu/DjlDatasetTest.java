package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Block;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.Batch;
import ai.djl.training.listener.TrainingListenerAdapter;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import io.feedline.DataLoader;
import io.feedline.LoaderState;
import io.feedline.data.Dataset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DjlDatasetTest {

  @SuppressWarnings("ArrayRecordComponent") // as users write them
  record Point(float[] at, long label) {}

  private static final int SIZE = 60;

  private final NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch");

  @AfterEach
  void close() {
    manager.close();
  }

  private static Dataset<Point> clouds() {
    float[][] centers = {{2, 0}, {-1, 2}, {-1, -2}};
    return Dataset.of(
        SIZE,
        i -> {
          SplittableRandom random = new SplittableRandom(i);
          int label = (int) (i % 3);
          float spread = 0.3f;
          return new Point(
              new float[] {
                centers[label][0] + spread * (float) random.nextGaussian(),
                centers[label][1] + spread * (float) random.nextGaussian()
              },
              label);
        });
  }

  private static DataLoader<Point> loader(int batchSize) {
    return DataLoader.builder(clouds())
        .batchSize(batchSize)
        .shuffle(true)
        .seed(3)
        .numWorkers(2)
        .build();
  }

  /**
   * Two layers: the gradients of a single one under softmax add up to zero but for rounding, which
   * DJL takes for a forgotten {@code backward()}.
   */
  private static Block classifier(Model model) {
    model.getNDManager().getEngine().setRandomSeed(1);
    return new SequentialBlock()
        .add(Linear.builder().setUnits(16).build())
        .add(Activation.tanhBlock())
        .add(Linear.builder().setUnits(3).build());
  }

  @Test
  void shouldTrainWithEasyTrain() throws Exception {
    try (DataLoader<Point> train = loader(8);
        DataLoader<Point> validation = loader(16)) {
      Stopping seen = train(DjlDataset.of(train), DjlDataset.of(validation), 4, -1);

      assertThat(seen.losses).hasSize(4);
      assertThat(seen.losses.get(3)).isLessThan(seen.losses.get(0) / 2);
      for (int epoch = 0; epoch < 4; epoch++) {
        List<Taken> batches = seen.taken.subList(8 * epoch, 8 * epoch + 8);
        assertThat(batches)
            .extracting(Taken::number)
            .containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
        assertThat(batches).extracting(Taken::size).containsExactly(8, 8, 8, 8, 8, 8, 8, 4);
        assertThat(batches.stream().flatMap(batch -> batch.indices().stream()).toList())
            .hasSize(SIZE)
            .doesNotHaveDuplicates();
      }
      assertThat(seen.taken.get(0).indices()).isNotEqualTo(seen.taken.get(8).indices());
      for (DataLoader<Point> loader : List.of(train, validation)) {
        assertThat(loader.stats().samples()).isEqualTo(4 * SIZE);
        assertThat(loader.stats().batchesOpen()).isZero();
      }
    }
  }

  private record Taken(long number, int size, List<?> indices, List<Long> labels) {
    static Taken of(Batch batch) {
      long[] labels = batch.getLabels().head().toLongArray();
      return new Taken(
          batch.getProgress(),
          batch.getSize(),
          batch.getIndices(),
          Arrays.stream(labels).boxed().toList());
    }
  }

  private static final class Stopping extends TrainingListenerAdapter {
    final List<Taken> taken = new ArrayList<>();
    final List<Integer> epochEnds = new ArrayList<>();
    final List<Float> losses = new ArrayList<>();
    private final DjlDataset dataset;
    private final int stopAt;
    private String state;
    private float sum;

    Stopping(DjlDataset dataset, int stopAt) {
      this.dataset = dataset;
      this.stopAt = stopAt;
    }

    @Override
    public void onTrainingBatch(Trainer trainer, BatchData data) {
      Batch batch = data.getBatch();
      assertThat(batch.getProgressTotal()).isEqualTo(8);
      taken.add(Taken.of(batch));
      state = dataset.state().toJson();
      Device device = Device.cpu();
      try (NDArray loss =
          trainer
              .getLoss()
              .evaluate(data.getLabels().get(device), data.getPredictions().get(device))) {
        sum += loss.getFloat() * batch.getSize() / SIZE;
      }
      if (taken.size() == stopAt) {
        throw new IllegalStateException("stopped");
      }
    }

    @Override
    public void onEpoch(Trainer trainer) {
      epochEnds.add(taken.size());
      losses.add(sum);
      sum = 0;
      state = dataset.state().toJson();
    }
  }

  private static Stopping train(DjlDataset dataset, int epochs, int stopAt) throws Exception {
    return train(dataset, null, epochs, stopAt);
  }

  private static Stopping train(DjlDataset dataset, DjlDataset validation, int epochs, int stopAt)
      throws Exception {
    Stopping listener = new Stopping(dataset, stopAt);
    try (Model model = Model.newInstance("clouds", Device.cpu(), "PyTorch")) {
      model.setBlock(classifier(model));
      try (Trainer trainer = model.newTrainer(config().addTrainingListeners(listener))) {
        trainer.initialize(new Shape(1, 2));
        EasyTrain.fit(trainer, epochs, dataset, validation);
      } catch (IllegalStateException e) {
        assertThat(e).hasMessage("stopped");
        assertThat(listener.taken).hasSize(stopAt);
      }
    }
    return listener;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 11, 15, 16, 17})
  void shouldGoOnWithTheVeryNextBatchOfEasyTrain(int stopAt) throws Exception {
    try (DataLoader<Point> whole = loader(8);
        DataLoader<Point> first = loader(8);
        DataLoader<Point> second =
            DataLoader.builder(clouds()).batchSize(8).shuffle(true).seed(3).numWorkers(0).build()) {
      Stopping all = train(DjlDataset.of(whole), 3, -1);
      assertThat(all.epochEnds).containsExactly(8, 16, 24);
      Stopping stopped = train(DjlDataset.of(first), 3, stopAt);
      assertThat(first.stats().batchesOpen()).isZero();

      DjlDataset resumed = DjlDataset.of(second);
      resumed.resume(LoaderState.fromJson(stopped.state));
      assertThat(resumed.state().toJson()).isEqualTo(stopped.state);
      int epochsLeft = 3 - (int) resumed.state().epoch();
      Stopping rest = train(resumed, epochsLeft, -1);

      assertThat(rest.taken).isEqualTo(all.taken.subList(stopAt, 24));
      // The epoch that was stopped at its last batch was not seen to end.
      assertThat(rest.epochEnds)
          .isEqualTo(
              Stream.of(8, 16, 24).filter(end -> end >= stopAt).map(end -> end - stopAt).toList());
      assertThat(LoaderState.fromJson(rest.state).epoch()).isEqualTo(3);
    }
  }

  @Test
  void shouldEndTheIterationUnderWayWhenItResumes() {
    try (DataLoader<Point> host = loader(8)) {
      DjlDataset dataset = DjlDataset.of(host);
      Iterator<Batch> batches = dataset.getData(manager).iterator();
      batches.next().close();
      LoaderState behindOne = dataset.state();
      Taken second = taken(batches);
      dataset.resume(behindOne);

      assertThatThrownBy(batches::next).isInstanceOf(IllegalStateException.class);
      assertThat(taken(dataset.getData(manager).iterator())).isEqualTo(second);
      LoaderState other =
          LoaderState.fromJson(
              """
              {"feedline":1,"dataset":"other","order":"","seed":3,"epoch":0,"position":0,\
              "batch_size":8,"world_size":1,"samples":0,"failures":0,\
              "check":"873f05df-82"}""");
      assertThatThrownBy(() -> dataset.resume(other))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("another dataset");
    }
  }

  private static Taken taken(Iterator<Batch> batches) {
    try (Batch batch = batches.next()) {
      return Taken.of(batch);
    }
  }

  private static DefaultTrainingConfig config() {
    return new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
        .optDevices(new Device[] {Device.cpu()})
        .optOptimizer(Optimizer.sgd().setLearningRateTracker(Tracker.fixed(0.3f)).build());
  }

  @Test
  void shouldBeginAnEpochWithEachIterator() {
    try (DataLoader<Point> host = loader(20)) {
      DjlDataset dataset = DjlDataset.of(host);
      dataset.prepare(null);
      for (int epoch = 0; epoch < 3; epoch++) {
        Iterator<Batch> batches = dataset.getData(manager).iterator();
        Batch first = batches.next();
        first.close();
        first.close();
      }
      try (io.feedline.batch.Batch next = host.iterator().next()) {
        assertThat(next.epoch()).isEqualTo(3);
      }
      assertThat(host.stats().batchesOpen()).isZero();
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // as users write them
  record Pair(float[] left, short[] odd, float[] right, long target, long weight) {}

  private static final Dataset<Pair> PAIRS =
      Dataset.of(4, i -> new Pair(new float[2], new short[1], new float[3], i, 1));

  @Test
  void shouldTakeTheColumnsThatAreNamedOrTellWhichThereAre() {
    try (DataLoader<Pair> host = DataLoader.builder(PAIRS).batchSize(4).build()) {
      DjlDataset dataset =
          DjlDataset.builder(host).data("right", "left").labels("target", "weight").build();
      try (Batch batch = dataset.getData(manager).iterator().next()) {
        assertThat(batch.getData().getShapes()).containsExactly(new Shape(4, 3), new Shape(4, 2));
        assertThat(batch.getLabels().get(0).toLongArray()).containsExactly(0, 1, 2, 3);
        assertThat(batch.getLabels().get(1).toLongArray()).containsExactly(1, 1, 1, 1);
        assertThat(batch.getManager().getParentManager()).isSameAs(manager);
      }
      assertThatThrownBy(() -> DjlDataset.builder(host).data())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("dataColumns");
      DjlDataset misspelled = DjlDataset.builder(host).data("left").labels("targte").build();
      Iterator<Batch> batches = misspelled.getData(manager).iterator();
      assertThatThrownBy(batches::next)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the batch has no tensor 'targte'; it has [left, odd, right");
      assertThat(host.stats().batchesOpen()).isZero();
    }
  }

  private static DataLoader<?> ofNames(String... names) {
    Dataset<Map<String, Object>> samples =
        Dataset.of(
            4,
            i -> {
              Map<String, Object> sample = new TreeMap<>();
              List.of(names).forEach(name -> sample.put(name, new float[] {i, i}));
              return sample;
            });
    return DataLoader.builder(samples).batchSize(2).build();
  }

  private static List<String> names(NDList arrays) {
    return arrays.stream().map(NDArray::getName).toList();
  }

  @Test
  void shouldTakeAllOthersForDataWhereOnlyLabelsAreNamed() {
    try (DataLoader<?> host = ofNames("a", "b", "label", "x");
        Batch batch =
            DjlDataset.builder(host).labels("b", "x").build().getData(manager).iterator().next()) {
      assertThat(names(batch.getData())).containsExactly("a", "label");
      assertThat(names(batch.getLabels())).containsExactly("b", "x");
    }
  }

  /** A model that is given the label learns nothing else. The keys of such a map are sorted. */
  @ParameterizedTest
  @CsvSource({
    "x;label, label",
    "x;labels, labels",
    "x;z, z",
    "x;a.label;z, a.label",
    "x;label;labels, ",
    "x;labels;labels_length, ",
    "x;label;a.label, ",
    "x;z;z_length, ",
    "x, "
  })
  void shouldFindTheLabelByItsNameOrElseAtTheEndOrNotGuess(String columns, String label) {
    String[] names = columns.split(";", -1);
    try (DataLoader<?> host = ofNames(names)) {
      Iterator<Batch> guessing = DjlDataset.of(host).getData(manager).iterator();
      if (label != null) {
        try (Batch batch = guessing.next()) {
          assertThat(names(batch.getLabels())).containsExactly(label);
          assertThat(batch.getData()).hasSize(names.length - 1);
        }
      } else {
        String reason =
            names.length == 1
                ? "data and label take two"
                : "DjlDataset.builder(loader).data(...).labels(...)";
        assertThatThrownBy(guessing::next)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining(reason);
      }
      assertThat(host.stats().batchesOpen()).isZero();
    }
  }

  @Test
  void shouldSplitForSeveralDevices() {
    try (DataLoader<Point> host = loader(20);
        Batch batch = DjlDataset.of(host).getData(manager).iterator().next()) {
      Batch[] halves = batch.split(new Device[] {Device.cpu(), Device.cpu()}, true);

      assertThat(halves).hasSize(2);
      assertThat(halves[1].getData().head().toFloatArray())
          .isEqualTo(batch.getData().head().get("10:").toFloatArray());
    }
  }
}
