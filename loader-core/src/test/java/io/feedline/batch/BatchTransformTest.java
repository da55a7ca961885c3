package io.feedline.batch;

import static io.feedline.Refusals.assertRefused;
import static io.feedline.Refusals.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.ErrorPolicy;
import io.feedline.LoaderState;
import io.feedline.Samples;
import io.feedline.batch.BatchTransform.MutableBatch;
import io.feedline.batch.Probes.Probe;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class BatchTransformTest {

  private static final int SIZE = 26;

  /** Writes what it draws, and where it stands, over what the samples had drawn. */
  private static final BatchTransform STAMP =
      (batch, random) -> {
        ByteBuffer drawn = batch.tensor("drawn").bytes();
        for (int row = 0; row < batch.valid(); row++) {
          drawn.putLong(8 * row, drawn.getLong(8 * row) ^ random.nextLong());
        }
        batch.repeatPadding("drawn");
      };

  /** Makes four floats of each index: another dtype, another shape, more bytes. */
  private static final BatchTransform WIDEN =
      (batch, random) -> {
        long[] indices = batch.tensor("index").toLongArray();
        FloatBuffer wide =
            batch.replace("index", DType.FLOAT32, Shape.of(batch.size(), 4)).asFloatBuffer();
        for (long index : indices) {
          for (int i = 0; i < 4; i++) {
            wide.put((float) index + i / 4f);
          }
        }
      };

  private static DataLoaderBuilder<Probe> builder() {
    return DataLoader.builder(Probes.augmented(SIZE)).seed(9).batchSize(4).shuffle(true);
  }

  private static void forEachBatch(DataLoaderBuilder<Probe> builder, Consumer<Batch> use) {
    try (DataLoader<Probe> loader = builder.build()) {

      for (Batch batch : loader) {
        try (batch) {
          use.accept(batch);
        }
      }
    }
  }

  private static List<Probes.Delivered> deliver(UnaryOperator<DataLoaderBuilder<Probe>> options) {
    try (DataLoader<Probe> loader = options.apply(builder()).build()) {
      return Probes.delivered(loader, 2);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void shouldDrawTheSameWhateverTheWorkers(int workers) {
    List<Probes.Delivered> alone = deliver(b -> b.batchTransform(STAMP).numWorkers(0));

    assertThat(deliver(b -> b.batchTransform(STAMP).numWorkers(workers))).isEqualTo(alone);
    assertThat(deliver(b -> b.numWorkers(0))).doesNotContainAnyElementsOf(alone);
  }

  @Test
  void shouldDrawTheSameAfterResuming() {
    List<Probes.Delivered> whole = deliver(b -> b.batchTransform(STAMP).numWorkers(2));
    LoaderState state =
        Samples.stateAfter(builder().batchTransform(STAMP).numWorkers(3).build(), 3);
    try (DataLoader<Probe> loader = builder().batchTransform(STAMP).numWorkers(1).build()) {
      loader.resume(state);
      assertThat(Probes.delivered(loader, 2)).isEqualTo(whole.subList(3, whole.size()));
    }
  }

  @Test
  void shouldDrawAnewForEachBatchEpochRankAndSeed() {
    List<Long> draws = new ArrayList<>();
    BatchTransform draw = (batch, random) -> draws.add(random.nextLong());
    for (long seed : new long[] {1, 2}) {
      for (int rank = 0; rank < 2; rank++) {
        DataLoaderBuilder<Probe> options = builder().seed(seed).distributed(rank, 2);
        try (DataLoader<Probe> loader = options.batchTransform(draw).numWorkers(0).build()) {

          Probes.delivered(loader, 2);
        }
      }
    }
    assertThat(draws).doesNotHaveDuplicates().hasSize(32);
  }

  @Test
  void shouldReplaceATensorInItsPlace() {
    forEachBatch(
        builder().batchTransform(WIDEN),
        batch -> {
          assertThat(batch.tensors().keySet()).containsExactly("index", "words", "drawn");
          assertThat(batch.tensor(0).shape()).isEqualTo(Shape.of(batch.size(), 4));
          float[] wide = batch.tensor("index").toFloatArray();
          for (int i = 0; i < wide.length; i++) {
            assertThat(wide[i]).isEqualTo((float) batch.indices()[i / 4] + i % 4 / 4f);
          }
          assertThat(batch.values("name")).hasSize(batch.size());
        });
  }

  @Test
  void shouldAllocateNothingOnceItsBatchesHaveBeenSeen() {
    StrictAllocator allocator = new StrictAllocator();
    try (DataLoader<Probe> loader =
        builder().dropLast(true).batchTransform(WIDEN).allocator(allocator).numWorkers(2).build()) {
      int slots = loader.options().prefetch() + loader.options().maxOpenBatches();
      Probes.delivered(loader, 40);

      // A slot's first batch takes a block and one more; its second, one that is large enough.
      assertThat(allocator.calls()).isLessThanOrEqualTo(3 * slots);
    }
    allocator.assertAllGivenBack();
  }

  @Test
  void shouldChangeWhatAListCollatorMade() {
    ListCollator<Probe> collator =
        (probes, batch) -> {
          ByteBuffer out = batch.tensor("index", DType.INT64, Shape.of(probes.size()));
          probes.forEach(probe -> out.putLong(probe.index()));
        };
    forEachBatch(
        builder().collator(collator).batchTransform(WIDEN).numWorkers(2),
        batch ->
            assertThat(batch.tensor("index").toFloatArray()[4])
                .isEqualTo((float) batch.indices()[1]));
  }

  @Test
  void shouldKeepThePaddingARepetition() {
    List<Integer> padded = new ArrayList<>();
    forEachBatch(
        builder().padLast(true).batchTransform(STAMP),
        batch -> {
          long[] drawn = batch.tensor("drawn").toLongArray();
          assertThat(batch.size()).isEqualTo(4);
          for (int row = batch.valid(); row < batch.size(); row++) {
            assertThat(drawn[row]).isEqualTo(drawn[row % batch.valid()]);
            padded.add(row);
          }
        });
    assertThat(padded).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void shouldDeliverAFailureAtItsTurnAndGoOn(int workers) {
    BatchTransform failing = (batch, random) -> Samples.failIf(batch.number() == 2, "two");
    DataLoaderBuilder<Probe> options = builder().errorPolicy(ErrorPolicy.skip());
    try (DataLoader<Probe> loader = options.batchTransform(failing).numWorkers(workers).build()) {

      List<String> story =
          Samples.story(loader, batch -> "" + batch.number(), Throwable::getMessage);
      assertThat(story.remove(2)).contains("transforming", "batch 2 of epoch 0", "two");
      assertThat(story).containsExactly("0", "1", "3", "4", "5", "6");
    }
  }

  @Test
  void shouldGiveAccessToTheBatchDuringTheCallOnly() {
    AtomicReference<MutableBatch> kept = new AtomicReference<>();
    AtomicReference<Tensor> tensor = new AtomicReference<>();
    BatchTransform keeping =
        (batch, random) -> {
          kept.set(batch);
          tensor.set(batch.tensor("index"));
        };
    try (DataLoader<Probe> loader = builder().batchTransform(keeping).numWorkers(0).build()) {
      loader.iterator().next().close();
      assertThatIllegalStateException()
          .isThrownBy(() -> kept.get().tensor("index"))
          .withMessageContaining("batch 0 of epoch 0");
      assertThatIllegalStateException()
          .isThrownBy(() -> kept.get().replace("index", DType.INT64, Shape.of(4)));
      assertThatIllegalStateException().isThrownBy(() -> tensor.get().bytes());
    }
  }

  @Test
  void shouldRefuseTensorsAndRowsThatABatchDoesNotHave() {
    long[] all = {};
    BatchTransform asking =
        (batch, random) -> {
          assertRefused(
              () -> batch.replace("labels", DType.FLOAT32, Shape.of(1)),
              "no tensor 'labels'",
              "[index, words, drawn, name]");
          for (int row : new int[] {-1, 4}) {
            assertThrown(
                IndexOutOfBoundsException.class, () -> batch.fill("index", row, all, all, 0));
          }
        };
    forEachBatch(builder().batchTransform(asking), batch -> {});
    assertRefused(
        () -> DataLoader.builder(Probes.dataset(3)).withoutBatching().batchTransform(STAMP).build(),
        "batchTransform",
        "withoutBatching");
  }

  @Test
  void shouldApplyOneOfSeveralOrOneAfterTheOther() {
    Set<Long> chosen = new HashSet<>();
    BatchTransform oneOf =
        BatchTransform.oneOf(setting(1), setting(2), setting(5).andThen(setting(3)));
    forEachBatch(
        builder().batchSize(1).batchTransform(oneOf),
        batch -> chosen.add(batch.tensor("index").toLongArray()[0]));

    assertThat(chosen).containsExactlyInAnyOrder(-1L, -2L, -3L);
    assertRefused(() -> BatchTransform.oneOf());
  }

  private static BatchTransform setting(long value) {
    return (batch, random) -> batch.tensor("index").bytes().putLong(0, -value);
  }
}
