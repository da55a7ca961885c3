package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.Batch;
import io.feedline.batch.Probes;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.sampler.TorchRandomSampler;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * States of version 1, as it wrote them: behind two of seven batches of epoch 1, of the numbers 0
 * to 19 in batches of three.
 */
class EarlierStateTest {

  private static final String SHUFFLED =
      "{\"feedline\":1,\"dataset\":\"404a8cb3-11\",\"order\":\"ad3b2259-15\",\"seed\":7,\"epoch\":1,"
          + "\"position\":6,\"batch_size\":3,\"world_size\":1,\"past\":0,\"samples\":26,\"failures\":0}";

  private static final String STREAMED =
      "{\"feedline\":1,\"dataset\":\"4bf69b74-11\",\"order\":\"30def424-4\",\"seed\":7,\"epoch\":1,"
          + "\"position\":6,\"batch_size\":3,\"world_size\":1,\"past\":0,\"samples\":26,\"failures\":0}";

  /** PyTorch's order; epoch 0 ran to its end. */
  private static final String TORCH =
      "{\"feedline\":1,\"dataset\":\"404a8cb3-11\",\"order\":\"8c044e59-15\",\"seed\":0,\"epoch\":1,"
          + "\"position\":6,\"batch_size\":3,\"world_size\":1,\"past\":40,\"samples\":26,\"failures\":0}";

  /** PyTorch's order; epoch 0 was left after one batch. */
  private static final String TORCH_BROKEN =
      "{\"feedline\":1,\"dataset\":\"404a8cb3-11\",\"order\":\"c2681ffd-15\",\"seed\":0,\"epoch\":1,"
          + "\"position\":6,\"batch_size\":3,\"world_size\":1,\"past\":21,\"samples\":9,\"failures\":0}";

  /** A state as versions wrote it that had no checksum of it. */
  static String withoutChecksum(String state) {
    return state.replaceAll(",\"check\":\"[^\"]*\"", "");
  }

  private static DataLoaderBuilder<Long> numbers() {
    return DataLoader.builder(Dataset.of(20, index -> index)).batchSize(3).numWorkers(2);
  }

  private static void assertGoesOn(String state, DataLoaderBuilder<Long> options) {
    try (DataLoader<Long> resumed = options.build();
        DataLoader<Long> plain = options.build()) {
      resumed.resume(LoaderState.fromJson(state));
      BatchIterator expected = plain.epoch(1).iterator();
      expected.next().close();
      expected.next().close();
      assertThat(Probes.flat(indices(resumed.iterator())))
          .hasSize(14)
          .isEqualTo(Probes.flat(indices(expected)));
      assertThat(Probes.flat(indices(resumed.iterator())))
          .isEqualTo(Probes.flat(indices(plain.iterator())));
    }
  }

  private static List<long[]> indices(BatchIterator batches) {
    List<long[]> indices = new ArrayList<>();
    while (batches.hasNext()) {
      try (Batch batch = batches.next()) {
        indices.add(batch.indices());
      }
    }
    return indices;
  }

  @Test
  void shouldGoOnFromStatesWhoseOrderIsTheSame() {
    assertGoesOn(SHUFFLED, numbers().shuffle(true).seed(7));
    assertGoesOn(TORCH, numbers().torchOrder(5));
    List<Long> numbers = LongStream.range(0, 20).boxed().toList();
    assertGoesOn(
        STREAMED,
        DataLoader.builder(IterableDataset.of(numbers)).batchSize(3).numWorkers(2).seed(7));
  }

  @Test
  void shouldSaySoWhereAnEpochWasLeftInPyTorchsOrder() {
    LoaderState state = LoaderState.fromJson(TORCH_BROKEN);
    try (DataLoader<Long> loader = numbers().torchOrder(5).build()) {
      assertThatThrownBy(() -> loader.resume(state))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("epoch 1 has another order", "TorchRandomSampler.startingAt");
    }
    // The state's "past" is the draw.
    assertGoesOn(TORCH_BROKEN, numbers().sampler(TorchRandomSampler.of(20, 5).startingAt(1, 21)));
  }
}
