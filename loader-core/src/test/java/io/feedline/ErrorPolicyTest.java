package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.batch.ListCollator;
import io.feedline.batch.Probes;
import io.feedline.batch.Shape;
import io.feedline.batch.TensorSource;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.LoaderException;
import io.feedline.data.Quarantine;
import io.feedline.sampler.BatchSampler;
import io.feedline.sampler.SequentialSampler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Failing samples under each policy, at any place and with any exception. */
@Timeout(60)
@ExpectedLog({"SKIP", "SUBSTITUTE"})
class ErrorPolicyTest {

  private static final int SIZE = 120;
  private static final int BATCH = 8;

  /** The place at which a sample fails. */
  enum Place {
    GET,
    TRANSFORM,
    WRITE,
    SHAPE
  }

  private record Fragile(long id, Text text) {}

  private record Text(long index, int length, boolean breaks) implements TensorSource {
    @Override
    public DType dtype() {
      return DType.UINT8;
    }

    @Override
    public Shape shape() {
      return Shape.of(length);
    }

    @Override
    public void writeTo(ByteBuffer target) throws IOException {
      for (int i = 0; i < length; i++) {
        Samples.failIf(breaks && i == length / 2, "truncated " + index);
        target.put((byte) (index * 31 + i));
      }
    }
  }

  private static Dataset<Fragile> fragile(Place place, Set<Long> bad) {
    Dataset<Fragile> read =
        Dataset.of(
            SIZE,
            index -> {
              boolean broken = bad.contains(index);
              Samples.failIf(broken && place == Place.GET, "truncated " + index);
              int length = broken && place == Place.SHAPE ? 17 : 16;
              return new Fragile(index, new Text(index, length, broken && place == Place.WRITE));
            });
    return Samples.described(read, index -> "train/" + index + ".jpg")
        .map(
            Samples.after(
                sample ->
                    Samples.failIf(
                        place == Place.TRANSFORM && bad.contains(sample.id()),
                        "truncated " + sample.id())));
  }

  private static final ListCollator<Fragile> LIST =
      (samples, batch) -> {
        ByteBuffer ids = batch.tensor("id", DType.INT64, Shape.of(samples.size()));
        samples.forEach(sample -> ids.putLong(sample.id()));
        int length = samples.get(0).text().length();
        ByteBuffer text = batch.tensor("text", DType.UINT8, Shape.of(samples.size(), length));
        for (Fragile sample : samples) {
          sample.text().writeTo(text);
        }
      };

  private static List<String> story(DataLoader<Fragile> loader) {
    return Samples.story(
        loader,
        batch -> {
          verify(batch);
          return batch.number() + " " + batch.valid() + " " + Arrays.toString(batch.indices());
        },
        e ->
            "failed at %s: %s"
                .formatted(e.index(), e.getCause() == null ? "" : e.getCause().getMessage()));
  }

  private static void verify(Batch batch) {
    assertThat(batch.tensor("id").toLongArray()).isEqualTo(batch.indices());
    byte[] text = batch.tensor("text").toByteArray();
    assertThat(text).hasSize(batch.size() * 16);
    for (int i = 0; i < text.length; i++) {
      assertThat(text[i]).isEqualTo((byte) (batch.indices()[i / 16] * 31 + i % 16));
    }
  }

  private static DataLoader<Fragile> loader(
      Dataset<Fragile> dataset, ErrorPolicy policy, int workers, boolean list) {
    DataLoaderBuilder<Fragile> builder =
        Samples.loader(dataset, BATCH, workers)
            .errorPolicy(policy)
            .seed(3)
            .prefetchNextEpoch(false);
    return (list ? builder.collator(LIST) : builder).build();
  }

  static Stream<Arguments> failures() {
    List<Arguments> all = new ArrayList<>();
    // Single ones, the first and the last of a batch, neighbors, the last one.
    Set<Long> scattered = new TreeSet<>(List.of(3L, 16L, 31L, 43L, 44L, (long) SIZE - 1));
    for (Place place : Place.values()) {
      for (ErrorPolicy.Action action : ErrorPolicy.Action.values()) {
        for (boolean list : new boolean[] {false, true}) {
          // A list collator itself decides about samples that look different when they are written.
          if (!list || place == Place.GET || place == Place.TRANSFORM) {
            all.add(Arguments.of(place, action, list, scattered));
          }
        }
      }
    }
    return all.stream();
  }

  private static ErrorPolicy policy(ErrorPolicy.Action action) {
    return switch (action) {
      case FAIL -> ErrorPolicy.fail();
      case SKIP -> ErrorPolicy.skip();
      case SUBSTITUTE -> ErrorPolicy.substitute();
    };
  }

  @ParameterizedTest
  @MethodSource("failures")
  void shouldTreatFailuresAlikeForAnyNumberOfWorkers(
      Place place, ErrorPolicy.Action action, boolean list, Set<Long> bad) {
    // Where shapes differ, a batch's first row says what is right; here that is row 16.
    Set<Long> failing = new TreeSet<>(bad);
    if (place == Place.SHAPE) {
      failing.remove(16L);
    }
    Dataset<Fragile> dataset = fragile(place, failing);
    List<List<String>> stories = new ArrayList<>();
    for (int workers : new int[] {0, 1, 2, 8, 8}) {
      try (CapturedLog log = new CapturedLog();
          DataLoader<Fragile> loader = loader(dataset, policy(action), workers, list)) {
        stories.add(story(loader));
        List<String> again = story(loader);
        if (action != ErrorPolicy.Action.SUBSTITUTE) {
          assertThat(again).isEqualTo(stories.get(0));
        }
        assertCounted(loader, log, action, failing);
      }
    }
    assertThat(stories).allMatch(stories.get(0)::equals);
    assertThat(stories.get(0)).isEqualTo(expected(action, failing, place));
  }

  private static List<String> expected(ErrorPolicy.Action action, Set<Long> bad, Place place) {
    List<String> story = new ArrayList<>();
    for (int first = 0; first < SIZE; first += BATCH) {
      List<Long> row = new ArrayList<>();
      long failed = -1;
      for (long index = first; index < Math.min(first + BATCH, SIZE); index++) {
        if (!bad.contains(index)) {
          row.add(index);
        } else if (action == ErrorPolicy.Action.SUBSTITUTE) {
          row.add(substitute(bad, index));
        } else if (failed < 0) {
          failed = index;
        }
      }
      story.add(
          action == ErrorPolicy.Action.FAIL && failed >= 0
              ? "failed at OptionalLong[%d]: %s".formatted(failed, reason(failed, first, place))
              : "%d %d %s".formatted(first / BATCH, row.size(), row));
    }
    return story;
  }

  private static String reason(long index, long first, Place place) {
    return place == Place.SHAPE
        ? ("entry 'text' UINT8 (17) differs from 'text' UINT8 (16), which row 0 of the batch (index"
                + " %d) has; give all samples one shape (images: resize or crop them to one size,"
                + " by Resize.of(height, width), CenterCrop or RandomResizedCrop), or pad the"
                + " entry with a PaddingCollator")
            .formatted(first)
        : "truncated " + index;
  }

  private static long substitute(Set<Long> bad, long position) {
    for (int attempt = 0; attempt < ErrorPolicy.ATTEMPTS; attempt++) {
      long other = substituteAt(position, 0, attempt);
      if (!bad.contains(other)) {
        return other;
      }
    }
    throw new AssertionError("choose another seed");
  }

  private static long substituteAt(long position, long epoch, int attempt) {
    return new Substitutes(
            () -> BatchSampler.of(SequentialSampler.of(SIZE), 1, false).order(0), 0, BATCH)
        .index(3, epoch, position / BATCH, (int) (position % BATCH), attempt);
  }

  private static void assertCounted(
      DataLoader<Fragile> loader, CapturedLog log, ErrorPolicy.Action action, Set<Long> bad) {
    boolean tolerant = action != ErrorPolicy.Action.FAIL;
    assertThat(loader.stats().tolerated()).isEqualTo(tolerant ? 2L * bad.size() : 0);
    assertThat(loader.stats().batchesOpen()).isZero();
    assertThat(log.lines(action + ":")).hasSize(tolerant ? 2 * bad.size() : 0);
    assertThat(loader.quarantine().indices())
        .isEqualTo(tolerant ? bad.stream().mapToLong(Long::longValue).toArray() : new long[0]);
    for (Quarantine.Entry entry : loader.quarantine().entries()) {
      assertThat(entry.description()).isEqualTo("train/" + entry.index() + ".jpg");
      assertThat(entry.cause()).contains("Exception");
    }
  }

  @Test
  void shouldDrawAnotherSubstituteInEachEpoch() {
    assertThat(LongStream.range(0, 100).map(epoch -> substituteAt(7, epoch, 0)).distinct().count())
        .isGreaterThan(50);
  }

  /** The first row is the odd one: the others decide, whichever was there first. */
  @ParameterizedTest
  @EnumSource(ErrorPolicy.Action.class)
  void shouldDecideByMostRows(ErrorPolicy.Action action) {
    for (int workers : new int[] {0, 1, 2, 8}) {
      for (int round = 0; round < 10; round++) {
        try (DataLoader<Fragile> loader =
            loader(fragile(Place.SHAPE, Set.of(0L, 1L)), policy(action), workers, false)) {
          BatchIterator iterator = loader.iterator();
          if (action == ErrorPolicy.Action.FAIL) {
            LoaderException failure = catchThrowableOfType(LoaderException.class, iterator::next);
            assertThat(failure.index()).hasValue(0);
            assertThat(failure).hasMessageContaining("which row 2 of the batch (index 2) has");
            assertThat(failure.getSuppressed()).hasSize(1);
          } else {
            try (Batch batch = iterator.next()) {
              verify(batch);
              assertThat(batch.indices()).contains(2, 3, 4, 5, 6, 7).doesNotContain(0, 1);
              assertThat(batch.size()).isEqualTo(action == ErrorPolicy.Action.SKIP ? 6 : 8);
            }
            assertThat(loader.quarantine().indices()).containsExactly(0, 1);
          }
          try (Batch batch = iterator.next()) {
            verify(batch);
            assertThat(batch.indices()[0]).isEqualTo(8);
          }
        }
      }
    }
  }

  /**
   * The first row is odd and cannot be written. Which row is made first must not matter. The order
   * is forced both ways.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldNotDecideByARowThatCannotBeWritten(boolean oddRowFirst) {
    Gate odd = new Gate();
    Gate others = new Gate();
    Dataset<TensorSource> dataset =
        Dataset.of(
            4,
            index -> {
              others.passIf(index == 0 && !oddRowFirst);
              odd.passIf(index > 0 && oddRowFirst);
              Text text = new Text(index, index == 0 ? 5 : 16, index == 0);
              return Samples.source(
                  DType.UINT8,
                  text::shape,
                  target -> {
                    try {
                      text.writeTo(target);
                    } finally {
                      (index == 0 ? odd : others).open();
                    }
                  });
            });
    try (DataLoader<TensorSource> loader =
        Samples.loader(dataset, 4, 2)
            .prefetchNextEpoch(false)
            .errorPolicy(ErrorPolicy.skip())
            .build()) {
      try (Batch batch = loader.iterator().next()) {
        assertThat(batch.indices()).containsExactly(1, 2, 3);
        byte[] rows = batch.tensor("data").toByteArray();
        assertThat(rows).hasSize(48);
        assertThat(rows[47]).isEqualTo((byte) (3 * 31 + 15));
      }
      assertThat(loader.quarantine().indices()).containsExactly(0);
      assertThat(loader.quarantine().entries().get(0).cause()).contains("UINT8 (5) differs");
    }
  }

  /** Rows of several lengths, some of which break: what remains must not depend on the workers. */
  @Test
  void shouldDecideAlikeWhicheverRowIsFirst() {
    for (int seed = 0; seed < Strength.of(60); seed++) {
      int run = seed;
      Dataset<Text> dataset =
          Dataset.of(
              40,
              index -> {
                int drawn = new SplittableRandom(1000L * run + index).nextInt(30);
                return new Text(index, 1 + drawn % 3, drawn > 20);
              });
      for (ErrorPolicy policy :
          List.of(ErrorPolicy.fail(), ErrorPolicy.skip(), ErrorPolicy.substitute())) {
        List<List<String>> stories = new ArrayList<>();
        for (int workers : new int[] {0, 1, 3, 3}) {
          try (DataLoader<Text> loader =
              Samples.loader(dataset, 5, workers)
                  .errorPolicy(policy)
                  .prefetchNextEpoch(false)
                  .build()) {
            List<String> story =
                Samples.story(
                    loader,
                    batch -> {
                      byte[] text = batch.tensor("data").toByteArray();
                      int length = text.length / batch.size();
                      for (int i = 0; i < text.length; i++) {
                        long index = batch.indices()[i / length];
                        assertThat(text[i]).isEqualTo((byte) (index * 31 + i % length));
                      }
                      return length + " " + Arrays.toString(batch.indices());
                    },
                    e -> e.index() + " " + e.getCause().getMessage());
            loader
                .quarantine()
                .entries()
                .forEach(entry -> story.add(entry.index() + entry.cause()));
            stories.add(story);
          }
        }
        assertThat(stories).as("run %d, %s", run, policy).allMatch(stories.get(0)::equals);
      }
    }
  }

  @Test
  void shouldNotTakeAMisfitForASubstitute() {
    // Hardly two samples are alike, so most substitutes do not fit either.
    Dataset<float[]> dataset = Dataset.of(1000, index -> new float[(int) (index % 7 * 3) + 1]);
    for (int workers : new int[] {0, 2}) {
      try (DataLoader<float[]> loader =
          Samples.loader(dataset, 4, workers).errorPolicy(ErrorPolicy.substitute()).build()) {
        BatchIterator iterator = loader.iterator();
        int delivered = 0;
        while (iterator.hasNext()) {
          try (Batch batch = iterator.next()) {
            long length = batch.tensor("data").shape().length(1);
            assertThat(LongStream.of(batch.indices())).allMatch(i -> i % 7 * 3 + 1 == length);
            delivered++;
          } catch (LoaderException e) {
            assertThat(e.stage()).isEqualTo(LoaderException.Stage.COLLATE);
          }
        }
        assertThat(delivered).isGreaterThan(50);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ErrorPolicy.Action.class)
  void shouldDeliverErrorsUnderEachPolicy(ErrorPolicy.Action action) {
    for (int workers : new int[] {0, 1, 2, 8}) {
      Dataset<Probes.Probe> dataset =
          Samples.probes(
              40,
              index -> {
                Samples.failIf(index == 11, "bad");
                Samples.failIf(index == 14, new OutOfMemoryError("made up"));
              });
      try (DataLoader<Probes.Probe> loader =
          Samples.loader(dataset, 10, workers).errorPolicy(policy(action)).build()) {
        BatchIterator iterator = loader.iterator();
        iterator.next().close();
        LoaderException failure = catchThrowableOfType(LoaderException.class, iterator::next);
        if (action == ErrorPolicy.Action.FAIL) {
          assertThat(failure).hasCauseInstanceOf(IOException.class);
        } else {
          // A failure that the policy tolerates does not hide one that it must not.
          assertThat(failure).hasCauseInstanceOf(OutOfMemoryError.class);
          assertThat(failure.index()).hasValue(14);
        }
        assertThat(failure.getSuppressed()).hasSize(1);
        assertThat(Probes.verify(iterator.next())).startsWith(20);
        assertThat(loader.stats().tolerated()).isZero();
        assertThat(loader.quarantine().entries()).isEmpty();
      }
    }
  }

  @Test
  void shouldDeliverAnErrorOfASubstitute() {
    AtomicInteger gets = new AtomicInteger();
    Dataset<Long> dataset =
        Samples.numbers(
            1,
            index -> {
              Samples.failIf(gets.getAndIncrement() > 0, new OutOfMemoryError("made up"));
              Samples.failIf(true, "bad");
            });
    try (DataLoader<Long> loader =
        DataLoader.builder(dataset).numWorkers(0).errorPolicy(ErrorPolicy.substitute()).build()) {
      assertThatThrownBy(() -> loader.iterator().next())
          .isInstanceOf(LoaderException.class)
          .hasCauseInstanceOf(OutOfMemoryError.class);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 8})
  void shouldFailTheBatchThatExceedsTheBudget(int workers) {
    Dataset<Fragile> dataset = fragile(Place.GET, Set.of(1L, 17L, 18L, 33L, 50L));
    try (DataLoader<Fragile> loader =
        loader(dataset, ErrorPolicy.skip().atMost(3), workers, false)) {
      BatchIterator iterator = loader.iterator();
      assertThat(Probes.each(iterator, 4, Batch::number)).containsExactly(0L, 1L, 2L, 3L);
      LoaderException failure = catchThrowableOfType(LoaderException.class, iterator::next);
      assertThat(failure)
          .hasMessageContainingAll(
              "4 of 40 samples", "SKIP, at most 3 failures", "batch 4 of epoch 0")
          .hasCauseInstanceOf(LoaderException.class)
          .hasRootCauseMessage("truncated 33");
      // The policy ignores batches in which nothing fails.
      assertThat(Probes.each(iterator, 1, Batch::number)).containsExactly(5L);
      Refusals.assertThrown(Exception.class, iterator::next, "5 of 56 samples");
      assertThat(Probes.each(iterator, 1, Batch::number)).containsExactly(7L);
      assertThat(loader.stats().failures()).isEqualTo(2);
      assertThat(loader.stats().tolerated()).as("not those of batches that failed").isEqualTo(3);
      assertThat(loader.stats().epochs().get(0).tolerated()).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void shouldFailABatchWithoutSamplesThatExceedsTheBudget(int workers) {
    Set<Long> bad = LongStream.range(8, 16).boxed().collect(Collectors.toSet());
    try (DataLoader<Fragile> loader =
        loader(fragile(Place.GET, bad), ErrorPolicy.skip().atMost(7), workers, false)) {
      BatchIterator iterator = loader.iterator();
      iterator.next().close();
      assertThat(iterator.hasNext()).isTrue();
      assertThat(iterator.hasNext()).isTrue();
      Refusals.assertThrown(Exception.class, iterator::next, "8 of 16 samples failed");
      assertThat(Probes.each(iterator, 1, Batch::number)).containsExactly(2L);
    }
  }

  private static int batchesWithin(
      double rate, int size, Set<Long> bad, int workers, boolean stream) {
    Dataset<Long> dataset =
        Samples.numbers(size, index -> Samples.failIf(bad.contains(index), "bad " + index));
    List<Long> numbers = LongStream.range(0, size).boxed().toList();
    DataLoaderBuilder<Long> builder =
        stream
            ? DataLoader.builder(IterableDataset.of(numbers).map(dataset::get))
            : DataLoader.builder(dataset);
    try (DataLoader<Long> loader =
        builder
            .batchSize(4)
            .numWorkers(workers)
            .errorPolicy(ErrorPolicy.skip().atMostRate(rate))
            .build()) {
      int batches = 0;
      BatchIterator iterator = loader.iterator();
      while (iterator.hasNext()) {
        try {
          iterator.next().close();
          batches++;
        } catch (LoaderException e) {
          assertThat(e).hasMessageContainingAll(" of ", "samples failed", "rate of " + rate);
          return batches;
        }
      }
      return -1;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void shouldHoldARateOfFewSamples(int workers) {
    Set<Long> three = Set.of(2L, 9L, 17L);
    assertThat(batchesWithin(0.01, 23, three, workers, false)).as("the second of 23").isEqualTo(2);
    assertThat(batchesWithin(0.1, 23, three, workers, false)).as("the third of 23").isEqualTo(4);
    assertThat(batchesWithin(0.14, 23, three, workers, false)).isEqualTo(-1);
    assertThat(batchesWithin(0.01, 23, Set.of(0L), workers, false)).as("one").isEqualTo(-1);
    assertThat(batchesWithin(0, 23, Set.of(22L), workers, false)).as("none").isEqualTo(5);
    // A few among the first of many do not decide.
    assertThat(batchesWithin(0.01, 2000, three, workers, false)).isEqualTo(-1);
    // One in fifty; the budget of a thousand samples is used up at sample 750.
    Set<Long> fiftieths =
        LongStream.range(0, 80).map(i -> 50 * i).boxed().collect(Collectors.toSet());
    assertThat(batchesWithin(0.015, 4000, fiftieths, workers, false)).isEqualTo(750 / 4);
    assertThat(batchesWithin(0.021, 4000, fiftieths, workers, false)).isEqualTo(-1);
    // How long a stream is shows at its end, in a batch that is short or after the last one.
    assertThat(batchesWithin(0.01, 23, three, workers, true)).isEqualTo(5);
    assertThat(batchesWithin(0.01, 24, three, workers, true)).isEqualTo(6);
    assertThat(batchesWithin(0.14, 24, three, workers, true)).isEqualTo(-1);
    assertThat(batchesWithin(0.01, 24, Set.of(0L), workers, true)).isEqualTo(-1);
  }

  @Test
  void shouldFailOnceWhereAStreamExceedsANumber() {
    IterableDataset<Long> numbers =
        IterableDataset.of(LongStream.range(0, 12).boxed().toList())
            .map(Samples.after(number -> Samples.failIf(number == 5, "bad")));
    try (DataLoader<Long> loader =
        DataLoader.builder(numbers)
            .batchSize(4)
            .errorPolicy(ErrorPolicy.skip().atMost(0))
            .build()) {
      BatchIterator iterator = loader.iterator();
      iterator.next().close();
      Refusals.assertThrown(Exception.class, iterator::next, "1 of 8 samples failed");
      iterator.next().close();
      assertThat(iterator.hasNext()).isFalse();
    }
  }
}
