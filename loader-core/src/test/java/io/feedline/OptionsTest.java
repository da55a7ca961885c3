package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.feedline.DataLoaderBuilder.WorkerInit;
import io.feedline.batch.Batch;
import io.feedline.batch.BatchTransform;
import io.feedline.batch.ListCollator;
import io.feedline.batch.Probes;
import io.feedline.batch.RowCollator;
import io.feedline.batch.StrictAllocator;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.sampler.BatchSampler;
import io.feedline.sampler.DistributedSampler;
import io.feedline.sampler.DistributedSampler.Remainder;
import io.feedline.sampler.Sampler;
import io.feedline.sampler.SequentialSampler;
import io.feedline.sampler.WorldInfo;
import java.io.File;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which options go together, which do not, and what is said about it. */
class OptionsTest {

  private static final Sampler SAMPLER = SequentialSampler.of(10);
  private static final BatchSampler BATCHES = BatchSampler.of(SAMPLER, 3, false);

  private static DataLoaderBuilder<Long> indexed() {
    return DataLoader.builder(Dataset.of(10, index -> index)).numWorkers(1);
  }

  private static DataLoaderBuilder<Long> streamed() {
    return DataLoader.builder(IterableDataset.of(List.of(1L, 2L, 3L))).numWorkers(1);
  }

  private static Arguments refused(
      UnaryOperator<DataLoaderBuilder<Long>> options, String... messageParts) {
    return Arguments.of((Callable<?>) () -> options.apply(indexed()).build(), messageParts);
  }

  private static Arguments refusedForStream(
      UnaryOperator<DataLoaderBuilder<Long>> options, String... messageParts) {
    return Arguments.of((Callable<?>) () -> options.apply(streamed()).build(), messageParts);
  }

  static Stream<Arguments> refusals() {
    return Stream.of(
        refused(b -> b.numWorkers(-1).timeout(Duration.ofSeconds(-1)), "numWorkers", "-1"),
        refused(b -> b.timeout(Duration.ofMillis(-3)), "timeout", "-3 ms"),
        refused(b -> b.stallThreshold(Duration.ZERO), "stallThreshold", "more than zero"),
        refused(b -> b.stallThreshold(Duration.ofMillis(-3)), "stallThreshold", "-3 ms"),
        refused(b -> b.timeout(Duration.ofSeconds(Long.MAX_VALUE)), "timeout", "at most"),
        refused(b -> b.numWorkers(0).prefetch(4), "prefetch(4)", "numWorkers is 0"),
        refused(
            b -> b.numWorkers(0).timeout(Duration.ofSeconds(5)), "timeout(5 s)", "numWorkers is 0"),
        refused(b -> b.prefetchBytes(0), "prefetchBytes", "0"),
        refused(b -> b.reorderWindow(2), "reorderWindow(2)", "inOrder(false)"),
        refusedForStream(b -> b.shuffle(true), "shuffle(true)", "shuffleBuffer"),
        refusedForStream(b -> b.sampler(SAMPLER), "SequentialSampler(size=10)"),
        refusedForStream(b -> b.readAhead(3), "readAhead(3)", "stream"),
        refusedForStream(b -> b.torchOrder(1), "torchOrder", "stream"),
        refusedForStream(b -> b.batchSampler(BATCHES), "batchSampler(", "stream"),
        refusedForStream(b -> b.shuffleBuffer(-2), "shuffleBuffer", "-2"),
        refusedForStream(b -> b.interleave(0), "interleave", "0"),
        refusedForStream(b -> b.errorPolicy(ErrorPolicy.substitute()), "SUBSTITUTE", "stream"),
        refused(b -> b.shuffleShards(true), "shuffleShards(true)", "random access"),
        refused(b -> b.shuffleBuffer(9), "shuffleBuffer(9)", "random access"),
        refused(b -> b.interleave(2), "interleave(2)", "random access"),
        refused(
            b -> b.shuffle(true).sampler(SAMPLER), "shuffle(true)", "SequentialSampler(size=10)"),
        refused(b -> b.torchOrder(1).shuffle(true), "torchOrder", "shuffle(true)"),
        refused(b -> b.torchOrder(1).sampler(SAMPLER), "torchOrder", "sampler("),
        refused(b -> b.batchSampler(BATCHES).batchSize(2), "batchSize(2)", "batch sampler"),
        refused(b -> b.batchSampler(BATCHES).withoutBatching(), "withoutBatching()"),
        refused(b -> b.batchSampler(BATCHES).shuffle(true), "shuffle(true)", "batch sampler"),
        refused(b -> b.batchSampler(BATCHES).sampler(SAMPLER), "SequentialSampler(size=10)"),
        refused(b -> b.batchSampler(BATCHES).torchOrder(1), "torchOrder", "batch sampler"),
        refused(b -> b.batchSampler(BATCHES).dropLast(true), "dropLast(true)"),
        refused(b -> b.batchSampler(BATCHES).padLast(true), "padLast(true)"),
        refused(b -> b.batchSize(0), "batchSize", "0"),
        refused(b -> b.batchSize(-7), "batchSize", "-7"),
        refused(b -> b.dropLast(true).padLast(true), "dropLast(true)", "padLast(true)"),
        refused(b -> b.withoutBatching().batchSize(2), "batchSize(2)", "withoutBatching()"),
        refused(b -> b.withoutBatching().dropLast(true), "dropLast(true)", "withoutBatching()"),
        refused(b -> b.withoutBatching().padLast(true), "padLast(true)"),
        refused(
            b -> b.withoutBatching().collator((samples, batch) -> batch.values("a", samples)),
            "collator",
            "withoutBatching()"),
        refused(b -> b.maxOpenBatches(0), "maxOpenBatches", "0"),
        refused(b -> b.maxOpenBatches(65_537), "maxOpenBatches", "65536 at most", "65537"),
        refused(b -> b.prefetch(0), "prefetch", "0"),
        refused(b -> b.prefetch(Integer.MAX_VALUE), "prefetch", "65536 at most"),
        refused(b -> b.numWorkers(100_000), "numWorkers", "4096 at most", "100000"),
        refused(b -> b.autoWorkers(0), "autoWorkers", "4096 at most", "0"),
        refused(b -> b.readAhead(-1), "readAhead", "-1"),
        refused(b -> b.readAhead(4097), "readAhead", "4096 at most", "4097"),
        refused(b -> b.readAheadBytes(0), "readAheadBytes", "0"),
        refused(b -> b.reorderWindow(0), "reorderWindow", "0"),
        refused(b -> b.distributed(0, 0), "worldSize", "0"),
        refused(b -> b.distributed(3, 3), "rank must be from 0 to 2", "3"),
        refused(
            b -> b.sampler(DistributedSampler.of(SAMPLER, new WorldInfo(0, 2))).distributed(1, 2),
            "distributed(WorldInfo[rank=1, worldSize=2])",
            "exclude each other"),
        refusedForStream(b -> b.distributed(new WorldInfo(0, 2), Remainder.PAD), "PAD", "stream"),
        refusedForStream(b -> b.batchSize(0), "batchSize", "0"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void shouldRefuseOptionsThatExcludeEachOtherNamingThemAndTheirValues(
      Callable<?> build, String[] messageParts) {
    Refusals.assertRefused(build::call, messageParts);
  }

  @Test
  void shouldRefuseNullAndEpochsOutOfRange() {
    Refusals.assertThrown(NullPointerException.class, () -> indexed().sampler(null), "sampler");
    Refusals.assertThrown(
        NullPointerException.class, () -> DataLoader.builder((Dataset<Long>) null), "dataset");
    try (DataLoader<Long> loader = indexed().build()) {
      for (long epoch : new long[] {-1, Long.MAX_VALUE}) {
        Refusals.assertRefused(
            () -> loader.epoch(epoch), "epoch must be from 0 to 4611686018427387903", "" + epoch);
      }
    }
  }

  static Stream<DataLoaderBuilder<Long>> acceptances() {
    List<DataLoaderBuilder<Long>> all = new ArrayList<>();
    for (int workers : new int[] {0, 2}) {
      all.add(indexed().shuffle(true));
      all.add(indexed().shuffle(false).sampler(SAMPLER));
      all.add(indexed().sampler(SAMPLER).dropLast(true).batchSize(3));
      all.add(indexed().batchSampler(BATCHES).shuffle(false).batchSize(1).dropLast(false));
      all.add(indexed().withoutBatching().shuffle(true));
      all.add(indexed().withoutBatching().sampler(SAMPLER));
      all.add(indexed().torchOrder(3).shuffle(false));
      all.add(indexed().timeout(Duration.ZERO).inOrder(false));
      all.add(indexed().padLast(true).batchSize(4).errorPolicy(ErrorPolicy.skip()));
      all.add(streamed().shuffle(false));
      all.add(streamed().withoutBatching());
      all.add(streamed().dropLast(true).batchSize(2).shuffleShards(true).shuffleBuffer(2));
      all.add(streamed().interleave(5).inOrder(false));
      all.subList(all.size() - 13, all.size()).forEach(builder -> builder.numWorkers(workers));
    }
    all.add(indexed().numWorkers(1).prefetch(1).timeout(Duration.ofDays(1)));
    all.add(indexed().numWorkers(1).inOrder(false).reorderWindow(1));
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("acceptances")
  void shouldTakeOptionsThatGoTogether(DataLoaderBuilder<Long> builder) {
    try (DataLoader<Long> loader = builder.build()) {
      for (int epoch = 0; epoch < 2; epoch++) {
        List<Integer> samples = Probes.each(loader, Batch::valid);
        assertThat(samples.stream().mapToInt(valid -> valid).sum()).isIn(10, 9, 3, 2);
      }
    }
  }

  @Test
  void shouldHavePyTorchsDefaultsAndSayWhichTheyAre() {
    try (DataLoader<Long> loader = DataLoader.builder(Dataset.of(10, index -> index)).build()) {
      LoaderOptions<Long> options = loader.options();
      int processors = Runtime.getRuntime().availableProcessors();
      assertThat(options)
          .hasToString(
              ("LoaderOptions[name=Dataset.of(10), batchSize=OptionalInt[1], batched=true,"
                      + " dropLast=false, padLast=false, numWorkers=%d, autoWorkers=false,"
                      + " prefetch=%d, prefetchBytes=OptionalLong.empty, prefetchFirstEpoch=false,"
                      + " prefetchNextEpoch=true, reorderWindow=1, maxOpenBatches=2,"
                      + " errorPolicy=FAIL, timeout=Optional.empty, seed=0, world=%s,"
                      + " readAhead=OptionalInt.empty]")
                  .formatted(processors, Math.max(2, 1 + 2 * processors), WorldInfo.SINGLE));
      assertThat(options.collator()).isInstanceOf(RowCollator.class);
      assertThat(options.batchTransform()).isEmpty();
    }
  }

  @Test
  void shouldKeepItsOptionsReadable() {
    ErrorPolicy policy = ErrorPolicy.skip().atMost(3).atMostRate(0.5);
    StrictAllocator allocator = new StrictAllocator();
    ListCollator<Long> collator = (samples, batch) -> batch.values("a", samples);
    BatchTransform transform = (batch, random) -> {};
    WorkerInit init = worker -> {};
    try (DataLoader<Long> loader =
        indexed()
            .name("train")
            .batchSize(64)
            .padLast(true)
            .numWorkers(2)
            .workerInit(init)
            .prefetch(5)
            .prefetchBytes(1 << 20)
            .prefetchFirstEpoch(true)
            .prefetchNextEpoch(false)
            .inOrder(false)
            .maxOpenBatches(7)
            .trackOpenBatches(true)
            .collator(collator)
            .batchTransform(transform)
            .errorPolicy(policy)
            .stallThreshold(Duration.ofMillis(3))
            .timeout(Duration.ofMinutes(1))
            .seed(-9)
            .distributed(1, 2)
            .allocator(allocator)
            .readAhead(7)
            .readAheadBytes(3 << 20)
            .build()) {
      LoaderOptions<Long> options = loader.options();
      assertThat(options)
          .hasToString(
              "LoaderOptions[name=train, batchSize=OptionalInt[64], batched=true, dropLast=false,"
                  + " padLast=true, numWorkers=2, autoWorkers=false, prefetch=5,"
                  + " prefetchBytes=OptionalLong[1048576], prefetchFirstEpoch=true,"
                  + " prefetchNextEpoch=false, reorderWindow=5, maxOpenBatches=7, errorPolicy="
                  + policy
                  + ", timeout=Optional[PT1M], seed=-9, world=WorldInfo[rank=1, worldSize=2],"
                  + " readAhead=OptionalInt[7]]");
      assertThat(options.workerInit()).isSameAs(init);
      assertThat(options.trackOpenBatches()).isTrue();
      assertThat(options.collator()).isSameAs(collator);
      assertThat(options.batchTransform()).containsSame(transform);
      assertThat(options.stallThreshold()).isEqualTo(Duration.ofMillis(3));
      assertThat(options.allocator()).isSameAs(allocator);
      assertThat(options.readAheadBytes()).isEqualTo(3 << 20);
      assertThat(loader).hasToString("DataLoader(train, batchSize=64, numWorkers=2)");
    }
    try (DataLoader<Long> loader =
        indexed().batchSampler(BATCHES).numWorkers(0).prefetchFirstEpoch(true).build()) {
      assertThat(loader.options().prefetchFirstEpoch()).isFalse();
      assertThat(loader.options().batchSize()).isEmpty();
      assertThat(loader.options().prefetch()).isEqualTo(1);
      assertThat(loader.options().prefetchNextEpoch()).isFalse();
      assertThat(loader)
          .hasToString("DataLoader(Dataset.of(10), batchSize=by batch sampler, numWorkers=0)");
    }
  }

  @Test
  void shouldPrepareTwoSamplesPerWorkerWhereBatchesAreSmall() {
    assertThat(prefetchOf(indexed().numWorkers(4).batchSize(1))).isEqualTo(9);
    assertThat(prefetchOf(indexed().numWorkers(4).batchSize(3))).isEqualTo(4);
    assertThat(prefetchOf(indexed().numWorkers(4).batchSize(64))).isEqualTo(2);
    assertThat(prefetchOf(indexed().numWorkers(4).batchSampler(BATCHES))).isEqualTo(9);
    assertThat(prefetchOf(indexed().numWorkers(4).prefetch(1))).isEqualTo(1);
  }

  private static int prefetchOf(DataLoaderBuilder<Long> builder) {
    try (DataLoader<Long> loader = builder.build()) {
      return loader.options().prefetch();
    }
  }

  @Test
  void shouldKnowTheNumberOfItsBatches() {
    assertThat(sizeOf(indexed().batchSize(3))).hasValue(4);
    assertThat(sizeOf(indexed().batchSize(3).dropLast(true))).hasValue(3);
    assertThat(sizeOf(indexed().batchSize(5).dropLast(true))).hasValue(2);
    assertThat(sizeOf(indexed().batchSize(3).padLast(true))).hasValue(4);
    assertThat(sizeOf(indexed().batchSize(11).dropLast(true))).hasValue(0);
    assertThat(sizeOf(indexed().withoutBatching())).hasValue(10);
    assertThat(sizeOf(indexed().batchSampler(BATCHES))).hasValue(4);
    assertThat(sizeOf(indexed().sampler(SequentialSampler.of(4)).batchSize(3))).hasValue(2);
    assertThat(sizeOf(streamed())).isEmpty();
  }

  private static OptionalLong sizeOf(DataLoaderBuilder<Long> builder) {
    try (DataLoader<Long> loader = builder.build()) {
      return loader.size();
    }
  }

  @Test
  void shouldCountAnIteratorsBatchesApartFromTheLoaders() {
    try (DataLoader<Long> loader = indexed().batchSize(3).build()) {
      BatchIterator iterator = loader.iterator();
      Samples.take(iterator, 2);
      assertThat(iterator.remaining()).hasValue(2);
      assertThat(loader.size()).hasValue(4);
    }
    try (DataLoader<Long> loader = streamed().build()) {
      assertThat(loader.iterator().remaining()).isEmpty();
    }
  }

  @Test
  void shouldRefuseAPolicyOrADatasetThatCannotBe() {
    Refusals.assertRefused(() -> ErrorPolicy.skip().atMost(-1), "-1");
    for (double rate : new double[] {-0.1, 1.1, Double.NaN}) {
      Refusals.assertRefused(() -> ErrorPolicy.skip().atMostRate(rate), Double.toString(rate));
    }
    Refusals.assertRefused(() -> Dataset.of(-1, index -> index), "-1");
    Refusals.assertRefused(() -> IterableDataset.chain(List.of()), "none");
    assertThat(ErrorPolicy.skip().atMost(3).atMostRate(0.5))
        .hasToString("SKIP, at most 3 failures, at most a rate of 0.5");
  }

  /** In a class loader of its own, since it is said once in the life of the class. */
  @Test
  void shouldWarnOnceOfMoreWorkersThanProcessors() throws Exception {
    List<URL> path = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      path.add(new File(entry).toURI().toURL());
    }
    URL[] urls = path.toArray(URL[]::new);
    try (CapturedLog log = new CapturedLog();
        URLClassLoader fresh = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
      Class<?> test = fresh.loadClass(OptionsTest.class.getName());
      Method build = test.getDeclaredMethod("buildLoadersOfManyWorkers");
      build.setAccessible(true);
      build.invoke(null);
      int processors = Runtime.getRuntime().availableProcessors();
      assertThat(log.lines("workers on")).hasSize(1);
      assertThat(log.text())
          .containsSubsequence(
              "WARN",
              "crowded",
              "%d workers on %d processors".formatted(processors + 1, processors));
    }
  }

  static void buildLoadersOfManyWorkers() {
    int processors = Runtime.getRuntime().availableProcessors();
    assertThatCode(
            () -> {
              indexed().name("roomy").numWorkers(processors).build().close();
              indexed().name("crowded").numWorkers(processors + 1).build().close();
              indexed().name("more").numWorkers(processors + 2).build().close();
            })
        .doesNotThrowAnyException();
  }

  @Test
  void shouldWarnOfMoreSamplesThanAStreamDeclares() {
    for (int workers : new int[] {0, 2}) {
      for (long declared : new long[] {5, 6, 7}) {
        try (CapturedLog log = new CapturedLog();
            DataLoader<Long> loader =
                Samples.loader(Samples.declaring(declared, 6), 2, workers)
                    .prefetchNextEpoch(false)
                    .build()) {
          for (int epoch = 0; epoch < 2; epoch++) {
            loader.forEach(Batch::close);
            // PyTorch compares 3 batches with 5 samples and says nothing.
            assertThat(log.lines("declares 5 samples")).hasSize(declared < 6 ? epoch + 1 : 0);
          }
        }
      }
    }
  }
}
