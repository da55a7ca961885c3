package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.feedline.batch.Batch;
import io.feedline.batch.PaddingCollator;
import io.feedline.batch.PaddingCollator.Padding;
import io.feedline.batch.RowCollator;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.LoaderException;
import io.feedline.data.SampleReader;
import io.feedline.data.SampleStream;
import io.feedline.data.StrictReader;
import io.feedline.sampler.BatchSampler.BatchOrder;
import io.feedline.sampler.Sampler;
import io.feedline.sampler.Sampler.Order;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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

/** Inputs of a user's that are wrong are named as the user knows them. */
@ExpectedLog({"SKIP", "closing", "gave the same int[] twice", "does not report its position"})
@Timeout(60)
class WrongInputTest {

  private static LoaderException failure(DataLoaderBuilder<?> builder) {
    try (DataLoader<?> loader = builder.numWorkers(0).build()) {
      return catchThrowableOfType(LoaderException.class, () -> loader.forEach(Batch::close));
    }
  }

  @Test
  void shouldSayWhichElementOfAListIsNull() {
    List<Long> holey = Arrays.asList(1L, null, 3L);
    assertThatThrownBy(() -> Dataset.of(holey)).hasMessage("element 1 of the 3 samples is null");
    assertThatThrownBy(() -> Dataset.of((List<Long>) null)).hasMessage("samples");
    Dataset<Long> one = Dataset.of(List.of(1L));
    assertThatThrownBy(() -> Dataset.concat(Arrays.asList(one, null)))
        .hasMessage("element 1 of the 2 datasets is null");
    assertThatThrownBy(() -> IterableDataset.lines(Collections.singletonList((Path) null)))
        .hasMessage("element 0 of the 1 files is null");
    assertThat(failure(DataLoader.builder(IterableDataset.of(holey))))
        .hasMessageContainingAll("reading sample 1", "the sample is null");
  }

  @Test
  void shouldNameTypesAsUsersKnowThem() {
    for (Object sample : List.of(Set.of(2), new HashSet<>(Set.of(1)))) {
      assertThat(failure(DataLoader.builder(Dataset.of(2, index -> sample))))
          .hasMessageContaining(
              "the sample is of type " + (sample instanceof HashSet ? "HashSet" : "Set") + ";");
    }
    PaddingCollator<List<Integer>> collator = PaddingCollator.of("data");
    assertThat(failure(DataLoader.builder(Dataset.of(2, i -> List.of(1, 2))).collator(collator)))
        .hasMessageContaining("entry 'data' is of type List;");
  }

  @Test
  void shouldNotShowItsInsidesWhereAUserGivesNull() {
    IterableDataset<Long> nothing = (shard, epoch) -> null;
    List<IterableDataset<Long>> streams =
        List.of(
            nothing,
            nothing.map(sample -> sample),
            nothing.filter(sample -> true),
            nothing.take(3),
            IterableDataset.chain(List.of(nothing)),
            IterableDataset.from(() -> null));
    for (IterableDataset<Long> stream : streams) {
      assertThat(failure(DataLoader.builder(stream)))
          .as("%s", stream.name())
          .hasMessageContaining("opened nothing: null");
    }
    assertThat(failure(DataLoader.builder(IterableDataset.of(() -> null))))
        .hasMessageContaining("the iterator is null");
    assertThat(failure(DataLoader.builder(IterableDataset.of(List.of(1)).flatMap(one -> null))))
        .hasMessageContaining("a sample without parts has an empty list");
    Dataset<Long> numbers = Dataset.of(2, index -> index);
    assertThat(failure(DataLoader.builder(numbers).collator((RowCollator<Long>) sample -> null)))
        .hasMessageContaining("the collator's plan is null");
    assertThat(failure(DataLoader.builder(numbers).allocator(size -> null)))
        .hasMessageContaining("the allocator gave no memory");
  }

  @Test
  void shouldRefuseShardsThatAreNone() {
    Refusals.assertRefused(
        () -> DataLoader.builder(Samples.shards(true)).build(), "1 shard or more", "0");
    Refusals.assertThrown(
        Exception.class,
        () -> DataLoader.builder(Samples.shards(true, -5, -5)).distributed(0, 2).build().iterator(),
        "declares -5 samples");
  }

  /** A method reference whose method has forms of one and of two parameters. */
  @Test
  void shouldMapByAnOverloadedMethod() {
    try (DataLoader<Long> loader =
        DataLoader.builder(IterableDataset.of(List.of("7", "8")).map(Long::parseLong)).build()) {
      assertThat(Samples.rest(loader.iterator())).containsExactly(7L, 8L);
    }
    assertThat(Dataset.of(List.of("9")).map("parse", Integer::parseInt).size()).isEqualTo(1);
  }

  @Test
  void shouldNotPadWithWhatANumberCannotBe() {
    for (double value : new double[] {1e300, -1e300, 1e-300}) {
      PaddingCollator<float[]> collator =
          PaddingCollator.<float[]>builder().pad("data", Padding.with(value)).build();
      Dataset<float[]> dataset = Dataset.of(2, index -> new float[(int) index + 1]);
      assertThat(failure(DataLoader.builder(dataset).batchSize(2).collator(collator)))
          .hasMessageContaining("entry 'data' is FLOAT32, which cannot be padded");
    }
  }

  /** A source that fills one object again and again would give the last content many times. */
  @Test
  void shouldWarnOfAnObjectThatIsHandedOutAgain() {
    int[] same = new int[1];
    try (CapturedLog log = new CapturedLog();
        DataLoader<int[]> loader =
            DataLoader.builder(IterableDataset.of(Collections.nCopies(5, same)))
                .prefetchNextEpoch(false)
                .build()) {
      loader.forEach(Batch::close);
      assertThat(log.lines("gave the same int[] twice")).hasSize(1);
    }
    try (CapturedLog log = new CapturedLog();
        DataLoader<String> loader =
            DataLoader.builder(IterableDataset.of(Collections.nCopies(5, "a"))).build()) {
      loader.forEach(Batch::close);
      assertThat(log.lines("gave the same")).isEmpty();
    }
  }

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
