package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleReader;
import io.feedline.data.SampleStream;
import io.feedline.data.StrictReader;
import io.feedline.sampler.BatchSampler.BatchOrder;
import io.feedline.sampler.Sampler;
import io.feedline.sampler.Sampler.Order;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Samplers, batch samplers, datasets and streams of a user's that throw, in any of their methods.
 */
@Timeout(60)
@ExpectedLog({"SKIP", "closing", "does not report its position"})
class UserCodeTest {

  private static final int SIZE = 32;
  private static final int BATCH = 4;

  private static RuntimeException thrown(boolean error) {
    if (error) {
      throw new AssertionError("made up");
    }
    throw new IllegalStateException("made up");
  }

  private static Dataset<Long> announcing(long failing, boolean error) {
    SampleReader<Long> reader =
        new SampleReader<>() {
          @Override
          public Long read(long index) {
            return index;
          }

          @Override
          public boolean prefersReadAhead() {
            return true;
          }

          @Override
          public long byteSize(Long value) {
            return Long.BYTES;
          }
        };
    return StrictReader.dataset(
        SIZE,
        reader,
        index -> {
          if (index == failing) {
            throw thrown(error);
          }
        });
  }

  private static long failed(boolean error) {
    throw thrown(error);
  }

  private static BatchOrder batches(long failing, IntSupplier size) {
    return Samples.batches(
        SIZE / BATCH,
        batch -> batch == failing ? size.getAsInt() : BATCH,
        (batch, row) -> batch * BATCH + row);
  }

  private static List<Long> story(DataLoader<Long> loader) {
    return story(loader, "made up");
  }

  private static List<Long> story(DataLoader<Long> loader, String word) {
    return Samples.story(
            loader,
            batch -> {
              assertThat(batch.indices()).isEqualTo(batch.tensor("data").toLongArray());
              assertThat(loader.state()).isNotNull();
              return "" + batch.number();
            },
            e -> {
              assertThat(e).hasStackTraceContaining(word);
              return "-1";
            })
        .stream()
        .map(Long::valueOf)
        .toList();
  }

  static Stream<Arguments> ways() {
    List<Arguments> ways = new ArrayList<>();
    for (int workers : new int[] {0, 1, 3}) {
      for (int readAhead : new int[] {-1, 0, 4}) {
        for (boolean error : new boolean[] {false, true}) {
          ways.add(Arguments.of(workers, readAhead, error));
        }
      }
    }
    return ways.stream();
  }

  private static DataLoaderBuilder<Long> builder(Dataset<Long> dataset, int workers, int ahead) {
    DataLoaderBuilder<Long> builder = DataLoader.builder(dataset).numWorkers(workers);
    return ahead < 0 ? builder : builder.readAhead(ahead);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldFailTheBatchesWhoseIndicesASamplerDoesNotTell(int workers, int ahead, boolean error) {
    for (long failing : new long[] {0, 3, 7}) {
      try (DataLoader<Long> loader =
          builder(announcing(-1, error), workers, ahead)
              .batchSize(BATCH)
              .sampler(
                  epoch -> Samples.order(SIZE, at -> at / BATCH == failing ? failed(error) : at))
              .build()) {
        for (int epoch = 0; epoch < 2; epoch++) {
          assertThat(story(loader)).isEqualTo(allBut(failing));
        }
      }
    }
  }

  private static List<Long> allBut(long failing) {
    return LongStream.range(0, SIZE / BATCH)
        .mapToObj(batch -> batch == failing ? -1L : batch)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldFailTheBatchOfASampleThatDoesNotTellItsReads(int workers, int ahead, boolean error) {
    for (long failing : new long[] {0, 13, SIZE - 1}) {
      try (DataLoader<Long> loader =
          builder(announcing(failing, error), workers, ahead).batchSize(BATCH).build()) {
        for (int epoch = 0; epoch < 2; epoch++) {
          if (loader.options().readAhead().orElse(1) == 0) {
            // Nothing is read ahead, and nothing asked for.
            assertThat(story(loader)).hasSize(SIZE / BATCH);
          } else {
            assertThat(story(loader)).isEqualTo(allBut(failing / BATCH));
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldFailTheBatchWithoutASize(int workers, int ahead, boolean error) {
    List<IntSupplier> sizes = List.of(() -> (int) failed(error), () -> 0, () -> -7);
    for (IntSupplier size : sizes) {
      for (long failing : new long[] {0, 3, 7}) {
        for (ErrorPolicy policy : List.of(ErrorPolicy.fail(), ErrorPolicy.skip())) {
          try (DataLoader<Long> loader =
              builder(announcing(-1, error), workers, ahead)
                  .batchSampler(epoch -> batches(failing, size))
                  .errorPolicy(policy)
                  .build()) {
            for (int epoch = 0; epoch < 2; epoch++) {
              String word = size == sizes.get(0) ? "made up" : "size";
              assertThat(story(loader, word)).isEqualTo(allBut(failing));
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void shouldLeaveAnEpochWholeWhoseSuccessorHasNoOrder(int workers) {
    for (boolean error : new boolean[] {false, true}) {
      Sampler sampler =
          epoch -> {
            if (epoch == 1) {
              throw thrown(error);
            }
            return Order.sequential(SIZE);
          };
      try (DataLoader<Long> loader =
          builder(announcing(-1, error), workers, -1).batchSize(1).sampler(sampler).build()) {
        assertThat(story(loader)).hasSize(SIZE).doesNotContain(-1L);
        assertThatThrownBy(loader::iterator).hasMessage("made up");
        assertThatThrownBy(loader::iterator).hasMessage("made up");
        assertThat(loader.epoch(2).iterator()).isNotNull();
        assertThat(story(loader)).hasSize(SIZE).doesNotContain(-1L);
      }
    }
  }

  @Test
  void shouldRefuseOrdersThatAreNone() {
    Order negative = Samples.order(-5, position -> position);
    BatchOrder negativeBatches = Samples.batches(-3, batch -> 0, (batch, row) -> 0);
    Supplier<DataLoaderBuilder<Long>> builder = () -> builder(announcing(-1, false), 0, -1);
    for (int ranks : new int[] {1, 2}) {
      List<DataLoaderBuilder<Long>> all =
          List.of(
              builder.get().batchSize(2).sampler(epoch -> negative),
              builder.get().batchSampler(epoch -> negativeBatches),
              builder.get().batchSize(2).sampler(epoch -> null),
              builder.get().batchSampler(epoch -> null));
      List<String> messages = List.of("-5 samples", "-3 batches", "no order", "no order");
      for (int i = 0; i < all.size(); i++) {
        try (DataLoader<Long> loader = all.get(i).distributed(0, ranks).build()) {
          Refusals.assertThrown(
              IllegalStateException.class, loader::iterator, messages.get(i), "epoch 0");
        }
      }
    }
  }

  /** A source that is not there must not pass for an empty one. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void shouldFailWhereAStreamCannotBeOpened(int workers) {
    for (ErrorPolicy policy : List.of(ErrorPolicy.fail(), ErrorPolicy.skip().atMost(3))) {
      IterableDataset<Long> missing =
          (shard, epoch) -> {
            throw new IOException("no such file: made up");
          };
      try (DataLoader<Long> loader =
          DataLoader.builder(missing).numWorkers(workers).errorPolicy(policy).build()) {
        for (int epoch = 0; epoch < 5; epoch++) {
          assertThat(story(loader)).containsExactly(-1L);
        }
        assertThat(loader.quarantine().entries()).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void shouldOutliveAStreamThatCannotTellItsPlaceOrClose(int workers) {
    for (boolean error : new boolean[] {false, true}) {
      IterableDataset<Long> rough =
          (shard, epoch) -> {
            SampleStream<Long> stream =
                IterableDataset.of(LongStream.range(0, SIZE).boxed().toList()).open(0, epoch);
            return new SampleStream<>() {
              @Override
              public PendingSample<Long> next() throws Exception {
                return stream.next();
              }

              @Override
              public List<Long> mark() {
                throw thrown(error);
              }

              @Override
              public void close() {
                throw thrown(error);
              }
            };
          };
      try (DataLoader<Long> loader = Samples.loader(rough, BATCH, workers).build()) {
        for (int epoch = 0; epoch < 2; epoch++) {
          assertThat(story(loader)).hasSize(SIZE / BATCH).doesNotContain(-1L);
        }
      }
    }
  }
}
