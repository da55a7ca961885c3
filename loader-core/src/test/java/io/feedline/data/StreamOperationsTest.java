package io.feedline.data;

import static io.feedline.Refusals.assertRefused;
import static io.feedline.Refusals.assertThrown;
import static io.feedline.data.Dataset.StoppingRule.ALL_EXHAUSTED;
import static io.feedline.data.Dataset.StoppingRule.FIRST_EXHAUSTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.feedline.ExpectedLog;
import io.feedline.Samples;
import io.feedline.data.Dataset.StoppingRule;
import io.feedline.data.SampleStream.PendingSample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code filter}, {@code flatMap}, {@code take}, {@code skip} and {@code mix} of streams. */
@Timeout(60)
class StreamOperationsTest {

  private static IterableDataset<String> named(String name, Shards shards) {
    return shards.map(probe -> name + probe.index());
  }

  private static IterableDataset<String> named(String name, int... sizes) {
    return named(name, Shards.of(sizes).seekable());
  }

  private static List<String> parts(String text) {
    int parts = text.hashCode() % 4;
    return IntStream.range(0, Math.abs(parts)).mapToObj(i -> text + "." + i).toList();
  }

  private static boolean isChosen(String text) {
    return text.hashCode() % 3 != 0;
  }

  // ---- what all streams promise -------------------------------------------------------------

  private static IterableDataset<String> section() {
    return named("a", Shards.of(12, 0, 9, 30).seekable().declaringSizes());
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // The array is only read.
  private static IterableDataset<String> mix(
      StoppingRule rule, int seed, double[] weights, IterableDataset<String>... members) {
    return IterableDataset.mix(List.of(members), weights, seed, rule);
  }

  private static double[] by(double... weights) {
    return weights;
  }

  static List<Supplier<IterableDataset<String>>> streams() {
    return List.of(
        () -> named("a", 17, 0, 20).filter(StreamOperationsTest::isChosen),
        () -> named("a", 9, 0, 7).flatMap(StreamOperationsTest::parts),
        () -> section().take(23),
        () -> section().skip(19),
        () -> mix(FIRST_EXHAUSTED, 7, by(2, 1), named("a", 42), named("b", 27)),
        () ->
            mix(
                    FIRST_EXHAUSTED,
                    3,
                    by(2, 1, 2),
                    named("a", 40, 30).filter(StreamOperationsTest::isChosen).skip(7),
                    named("b", 12, 5).flatMap(StreamOperationsTest::parts).take(30),
                    named("c", 40))
                .skip(3)
                .flatMap(StreamOperationsTest::parts)
                .filter(StreamOperationsTest::isChosen));
  }

  @Nested
  @ParameterizedClass
  @MethodSource("io.feedline.data.StreamOperationsTest#streams")
  class Promises extends IterableDatasetContract<String> {
    @Parameter Supplier<IterableDataset<String>> stream;

    @Override
    protected IterableDataset<String> dataset() {
      return stream.get();
    }
  }

  // ---- what they give -----------------------------------------------------------------------

  /** The samples of a shard; a failure shows as its message. */
  private static List<String> read(IterableDataset<String> dataset, int shard, long epoch)
      throws Exception {
    try (SampleStream<String> stream = dataset.open(shard, epoch)) {
      return read(stream);
    }
  }

  private static List<String> read(SampleStream<String> stream) throws Exception {
    List<String> samples = new ArrayList<>();
    while (true) {
      try {
        PendingSample<String> sample = stream.next();
        if (sample == null) {
          return samples;
        }
        samples.add(sample.get(new SampleContext(0, 0, 0)));
      } catch (IOException | RuntimeException e) {
        samples.add("! " + e.getMessage());
      }
    }
  }

  static List<String> read(IterableDataset<String> dataset) throws Exception {
    return read(dataset, 0, 0);
  }

  @Test
  void shouldFilterAndGiveThePartsOfEachSampleInTheirOrder() throws Exception {
    IterableDataset<String> kept = named("a", 4, 3).filter(text -> !text.equals("a1"));
    assertThat(read(kept)).containsExactly("a0", "a2", "a3");
    assertThat(read(kept, 1, 0)).containsExactly("a4", "a5", "a6");
    assertThat(read(named("a", 4).filter(text -> false))).isEmpty();
    assertThat(kept.size()).isEmpty();
    IterableDataset<String> two = named("a", 2);
    assertThat(read(two.flatMap(text -> List.of(text + "x", text + "y"))))
        .containsExactly("a0x", "a0y", "a1x", "a1y");
    assertThat(read(two.flatMap(text -> List.of()))).isEmpty();
    AtomicInteger made = new AtomicInteger();
    IterableDataset<Integer> endless =
        two.flatMap(text -> () -> Stream.generate(made::getAndIncrement).iterator());
    assertThat(read(endless.take(3).map(String::valueOf))).containsExactly("0", "1", "2");
    assertThat(made).hasValue(3);
  }

  @Test
  void shouldTakeAndSkipOverTheEndsOfShards() throws Exception {
    Shards shards = Shards.of(2, 0, 3).declaringSizes();
    IterableDataset<String> source = named("a", shards);
    assertThat(read(source.take(3))).containsExactly("a0", "a1", "a2");
    assertThat(shards.read()).isEqualTo(3);
    shards.assertAllClosed();
    assertThat(read(source.skip(3))).containsExactly("a3", "a4");
    assertThat(read(source.take(0))).isEmpty();
    assertThat(read(source.skip(9))).isEmpty();
    assertThat(read(source.skip(0).take(9))).hasSize(5);
    assertThat(List.of(source.take(3), source.take(9), source.skip(3), source.skip(9)))
        .extracting(section -> section.size().getAsLong())
        .containsExactly(3L, 5L, 2L, 0L);
    assertThat(named("a", 3, 2).take(2).size()).isEmpty();
    assertThat(source.take(3).shards()).isEqualTo(1);
  }

  @Test
  void shouldHoldEachShareInAnyStretchOfAMixture() throws Exception {
    double[] weights = {5, 2, 1};
    List<String> samples =
        read(mix(FIRST_EXHAUSTED, 1, weights, named("a", 500), named("b", 500), named("c", 500)));
    assertThat(samples).hasSizeBetween(790, 810);
    for (int from = 0; from < samples.size(); from += 13) {
      for (int to = from; to < samples.size(); to += 29) {
        for (int member = 0; member < 3; member++) {
          String name = "abc".substring(member, member + 1);
          long found = starting(name, samples.subList(from, to)).size();
          assertThat((double) found).isCloseTo(weights[member] / 8 * (to - from), within(2.0));
        }
      }
    }
  }

  private static List<String> starting(String name, List<String> samples) {
    return samples.stream().filter(sample -> sample.startsWith(name)).toList();
  }

  @Test
  void shouldEndAMixtureAsItsRuleSays() throws Exception {
    for (int seed = 0; seed < 8; seed++) {
      List<String> first = read(mix(FIRST_EXHAUSTED, seed, by(1, 1), named("a", 6), named("b", 2)));
      assertThat(first).doesNotHaveDuplicates().contains("b0", "b1", "a0", "a1");
      assertThat(first.size()).isBetween(4, 5);
      List<String> all = read(mix(ALL_EXHAUSTED, seed, by(1, 1), named("a", 6), named("b", 2)));
      assertThat(starting("a", all)).containsExactly("a0", "a1", "a2", "a3", "a4", "a5");
      assertThat(starting("b", all)).startsWith("b0", "b1", "b0", "b1", "b0");
    }
  }

  @Test
  void shouldMixByTheSeedAndTheEpochAlone() throws Exception {
    IntFunction<IterableDataset<String>> mixture =
        seed -> mix(FIRST_EXHAUSTED, seed, by(3, 4), named("a", 3, 3, 3, 3, 3, 3), named("b", 30));
    List<String> samples = read(mixture.apply(1));
    assertThat(read(mixture.apply(1))).isEqualTo(samples);
    assertThat(read(mixture.apply(2))).isNotEqualTo(samples);
    assertThat(read(mixture.apply(1), 0, 1)).isNotEqualTo(samples);
    assertThat(mixture.apply(2).fingerprint()).isNotEqualTo(mixture.apply(1).fingerprint());
  }

  @ParameterizedTest
  @CsvSource({"10 1, 1 10", "4 4 4 4 4, 8 8", "0 0 5, 3 0 0", "7, 0 9 0 0", "0 1 0 1, 0 0 0 30"})
  void shouldExhaustAMemberWhenAllItsShardsAre(String first, String second) throws Exception {
    int a = IntStream.of(sizes(first)).sum();
    int b = IntStream.of(sizes(second)).sum();
    IterableDataset<String> one = named("a", sizes(first));
    IterableDataset<String> two = named("b", sizes(second));
    for (int seed = 0; seed < 6; seed++) {
      for (long epoch = 0; epoch < 3; epoch++) {
        List<String> all = read(mix(ALL_EXHAUSTED, seed, by(1, 1), one, two), 0, epoch);
        assertThat(starting("a", all).stream().distinct()).hasSize(a);
        assertThat(starting("b", all).stream().distinct()).hasSize(b);
        assertThat(starting("!", all)).isEmpty();
        List<String> until = read(mix(FIRST_EXHAUSTED, seed, by(1, 1), one, two), 0, epoch);
        assertThat(until).doesNotHaveDuplicates();
        assertThat(until.size()).isBetween(2 * Math.min(a, b), 2 * Math.min(a, b) + 1);
      }
    }
  }

  private static int[] sizes(String sizes) {
    return Arrays.stream(sizes.split(" ")).mapToInt(Integer::parseInt).toArray();
  }

  // ---- failures -----------------------------------------------------------------------------

  @Test
  void shouldSayWhereASampleComesFromThatFailsBeforeItIsChosen() throws Exception {
    IterableDataset<String> brittle =
        named("a", Shards.of(3, 4).failingAt(1L, 4L))
            .map(Samples.after(text -> Samples.failIf(text.equals("a5"), "bad " + text)));
    List<String> second =
        List.of(
            "a3",
            "! sample 1 of shard 1 of Shards: cannot read 4",
            "! sample 2 of shard 1 of Shards: bad a5",
            "a6");
    assertThat(read(brittle.filter(text -> true), 1, 0)).isEqualTo(second);
    assertThat(read(brittle.flatMap(List::of), 1, 0)).isEqualTo(second);
    assertThat(read(brittle.skip(3))).isEqualTo(second);
    assertThat(read(brittle.skip(2).take(2))).containsExactly("a2", "a3");
    Predicate<String> failing =
        text -> {
          throw new IllegalArgumentException("no text");
        };
    assertThat(read(named("a", 1).filter(failing)))
        .containsExactly("! sample 0 of shard 0 of Shards: no text");
  }

  /** Two parts, of which the second one of a0 fails. */
  private static Iterator<String> twoParts(String text) {
    return new Iterator<>() {
      private int next;

      @Override
      public boolean hasNext() {
        if (next == 1 && text.equals("a0")) {
          throw new IllegalStateException("no more");
        }
        return next < 2;
      }

      @Override
      public String next() {
        return text + "." + next++;
      }
    };
  }

  @Test
  void shouldGoOnBehindPartsThatFail() throws Exception {
    IterableDataset<String> dataset = named("a", 3).flatMap(text -> () -> twoParts(text));
    assertThat(read(dataset))
        .containsExactly(
            "a0.0", "! sample 0 of shard 0 of Shards: no more", "a1.0", "a1.1", "a2.0", "a2.1");
  }

  @Test
  @ExpectedLog("closing a shard of")
  void shouldGoOnBehindAShardThatCannotBeOpenedOrFailsForEver() throws Exception {
    Shards shards = Shards.of(2, 2, 200, 2).failingToOpen(1).failingToClose(2);
    shards.failingAt(IntStream.range(5, 204).mapToObj(Long::valueOf).toArray(Long[]::new));
    List<String> samples = read(named("a", shards).skip(0));
    assertThat(samples)
        .startsWith("a0", "a1", "! shard 1 of Shards: cannot open shard 1", "a4")
        .endsWith("a204", "a205")
        .hasSize(2 + 1 + 1 + 100 + 2);
    shards.assertAllClosed();
  }

  @Test
  void shouldRefuseRandomTransformsBeforeWhatIsChosen() throws Exception {
    assertThat(
            read(named("a", 1).map((text, random) -> text + random.nextInt()).filter(text -> true)))
        .singleElement()
        .asString()
        .contains("transformed at random", "filter first");
  }

  @ParameterizedTest
  @EnumSource
  void shouldTellOnceThatAMemberIsEmptyAndGoByTheOthers(StoppingRule rule) throws Exception {
    for (IterableDataset<String> empty : List.of(named("b", 0, 0), named("b"))) {
      IterableDataset<String> mixture = mix(rule, 0, by(1, 2), named("a", 50), empty);
      List<String> samples = read(mixture);
      assertThat(starting("!", samples))
          .containsExactly("! dataset 1 of the mixture, Shards, has no samples");
      assertThat(starting("a", samples))
          .isEqualTo(rule == FIRST_EXHAUSTED ? List.of() : read(named("a", 50)));
      for (int at = 0; at < samples.size(); at++) {
        try (SampleStream<String> before = mixture.open(0, 0);
            SampleStream<String> behind = mixture.open(0, 0)) {
          before.skip(at);
          behind.goTo(at, before.mark());
          assertThat(read(behind)).isEqualTo(samples.subList(at, samples.size()));
        }
      }
    }
    assertThat(read(mix(rule, 0, by(1, 1), named("a", 0), named("b"))))
        .hasSize(rule == FIRST_EXHAUSTED ? 1 : 2)
        .allMatch(text -> text.endsWith("has no samples"));
  }

  @Test
  void shouldRefuseWhatCannotBe() {
    IterableDataset<String> one = named("a", 3);
    IterableDataset<String> once =
        IterableDataset.once(() -> SampleStream.of(List.of("x").iterator()));
    assertRefused(() -> one.take(-1), "take(samples) needs a number of 0 or more, was -1");
    assertRefused(() -> one.skip(-2), "skip(samples) needs a number of 0 or more, was -2");
    assertThrown(NullPointerException.class, () -> one.filter(null));
    assertThrown(NullPointerException.class, () -> one.flatMap(null));
    assertRefused(
        () -> IterableDataset.mix(List.of(), new double[0], 0, FIRST_EXHAUSTED), "at least one");
    assertRefused(() -> mix(FIRST_EXHAUSTED, 0, by(1, 2), one), "1 datasets, weights [1.0, 2.0]");
    assertRefused(() -> mix(ALL_EXHAUSTED, 0, by(1, 2), one, once), "read once only");
    assertThat(mix(FIRST_EXHAUSTED, 0, by(1, 2), one, once).readOnce()).isTrue();
    assertThat(List.of(once.filter(text -> true), once.take(1)))
        .allMatch(IterableDataset::readOnce);
  }

  @Test
  void shouldRefuseMarksThatAreNone() throws Exception {
    List<IterableDataset<String>> datasets =
        List.of(
            named("a", 9).filter(text -> true),
            named("a", 9).take(3),
            mix(FIRST_EXHAUSTED, 0, by(1, 1), named("a", 9), named("b", 9)));
    Random random = new Random(3);
    for (IterableDataset<String> dataset : datasets) {
      List<Long> sound;
      try (SampleStream<String> stream = dataset.open(0, 0)) {
        stream.skip(2);
        sound = stream.mark();
      }
      for (int round = 0; round < 3000; round++) {
        List<Long> mark = new ArrayList<>(sound.subList(0, random.nextInt(sound.size() + 1)));
        if (!mark.isEmpty()) {
          mark.set(random.nextInt(mark.size()), random.nextLong() >> random.nextInt(64));
        }
        try (SampleStream<String> stream = dataset.open(0, 0)) {
          stream.goTo(2, mark);
        } catch (IOException | AssertionError e) {
          // AssertionError: the probes' own streams check where they are asked to go.
          assertThat(e).hasMessageFindingMatch("not a position|changed|no positions|[0-9]");
        }
      }
    }
  }

  @Test
  void shouldGoOnFromEachPlaceAmongSamplesThatFail() throws Exception {
    Shards brittle = Shards.of(60, 41).seekable().failingAt(3L, 17L, 18L, 70L);
    IterableDataset<String> mixture =
        mix(
                ALL_EXHAUSTED,
                11,
                by(3, 2, 1),
                named("a", brittle).filter(StreamOperationsTest::isChosen),
                named("b", 12, 5).flatMap(StreamOperationsTest::parts),
                named("c", 40).skip(3).take(30))
            .skip(5)
            .flatMap(StreamOperationsTest::parts);
    List<String> all = read(mixture);
    assertThat(starting("!", all)).hasSizeGreaterThan(2);
    for (int place = 0; place < all.size(); place++) {
      try (SampleStream<String> before = mixture.open(0, 0);
          SampleStream<String> behind = mixture.open(0, 0)) {
        before.skip(place);
        behind.goTo(place, before.mark());
        assertThat(read(behind)).isEqualTo(all.subList(place, all.size()));
      }
    }
  }

  @Test
  void shouldSeekWhenItGoesOnInsteadOfReadingAgain() throws Exception {
    Shards shards = Shards.of(1000).seekable();
    IterableDataset<String> dataset = named("a", shards).filter(text -> true).skip(100).take(800);
    List<Long> mark;
    try (SampleStream<String> stream = dataset.open(0, 0)) {
      stream.skip(500);
      mark = stream.mark();
    }
    int before = shards.read();
    try (SampleStream<String> stream = dataset.open(0, 0)) {
      stream.goTo(500, mark);
      assertThat(stream.next().get(new SampleContext(0, 0, 0))).isEqualTo("a600");
    }
    // The sample that the mark lies in is made again.
    assertThat(shards.read() - before).isLessThanOrEqualTo(2);
    try (SampleStream<String> stream = named("a", Shards.of(9)).filter(text -> true).open(0, 0)) {
      stream.next();
      assertThat(stream.mark()).isEmpty();
    }
  }
}
