package io.feedline.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Durations, counts, class names and digests in words. */
class WordsTest {

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0 s",
    "PT0.000000001S, 1 ns",
    "PT0.00000085S, 850 ns",
    "PT0.0000123S, 12.3 us",
    "PT0.0009996S, 1 ms",
    "PT0.03S, 30 ms",
    "PT0.12345S, 123 ms",
    "PT0.99949S, 999 ms",
    "PT0.99951S, 1 s",
    "PT1.34S, 1.3 s",
    "PT59.94S, 59.9 s",
    "PT59.96S, 1 min",
    "PT60.4S, 1 min",
    "PT1M59.6S, 2 min",
    "PT2M5S, 2 min 5 s",
    "PT59M59.6S, 1 h",
    "PT3H12M29S, 3 h 12 min",
    "PT23H59M31S, 1 d",
    "PT51H, 2 d 3 h",
    "PT-2M-5S, -2 min 5 s",
    "PT-0.5S, -500 ms",
  })
  void shouldWriteDurationsAsPeopleDo(Duration duration, String words) {
    assertThat(Durations.words(duration)).isEqualTo(words);
  }

  @Test
  void shouldHaveWordsForAnyDuration() {
    assertThat(Durations.words(Duration.ofNanos(Long.MAX_VALUE))).isEqualTo("106752 d");
    assertThat(Durations.words(Duration.ofSeconds(Long.MAX_VALUE))).endsWith(" h");
    assertThat(Durations.words(Duration.ofSeconds(Long.MIN_VALUE))).startsWith("-");
  }

  @Test
  void shouldWriteTheSingularForOneAlone() {
    assertThat(Counts.of(1, "batch")).isEqualTo("1 batch");
    assertThat(Counts.of(0, "batch")).isEqualTo("0 batches");
    assertThat(Counts.of(2, "class")).isEqualTo("2 classes");
    assertThat(Counts.of(3, "failed sample")).isEqualTo("3 failed samples");
    assertThat(Counts.noun(1, "step")).isEqualTo("step");
    assertThat(Counts.noun(1.5, "step")).isEqualTo("steps");
  }

  private record Boxes() {}

  @Test
  void shouldNameEachKindOfClassTheSameInEveryRun() {
    Supplier<String> lambda = () -> "";
    assertThat(ClassNames.of("")).isEqualTo("String");
    assertThat(ClassNames.of(lambda)).isEqualTo("WordsTest");
    assertThat(ClassNames.of(new Object() {})).isEqualTo("io.feedline.internal.WordsTest$1");
  }

  @Test
  void shouldNameTypesAsJavaWritesThem() {
    assertThat(ClassNames.ofType(new float[0])).isEqualTo("float[]");
    assertThat(ClassNames.ofType(new int[0][][])).isEqualTo("int[][][]");
    assertThat(ClassNames.ofType(new String[0])).isEqualTo("String[]");
    assertThat(ClassNames.ofType(new BigDecimal("1"))).isEqualTo("BigDecimal");
    assertThat(ClassNames.ofType(new ArrayList<>())).isEqualTo("ArrayList");
    assertThat(ClassNames.ofType(new Boxes[0])).isEqualTo("io.feedline.internal.WordsTest.Boxes[]");
    assertThat(ClassNames.ofType(new Object() {})).startsWith("io.feedline.internal.WordsTest$");
    assertThat(ClassNames.ofType((Object) null)).isEqualTo("null");
  }

  @Test
  void shouldTellApartWhatDiffersInAValueTheOrderOrTheNumber() {
    Set<String> digests = new HashSet<>();
    long[][] all = {{}, {0}, {0, 0}, {1}, {1, 2}, {2, 1}, {1L << 63}, {-1}, {256}, {1L << 32}};
    for (long[] numbers : all) {
      Digest digest = new Digest();
      LongStream.of(numbers).forEach(digest::add);
      digests.add(digest.toString());
    }
    assertThat(digests).hasSize(all.length);
    assertThat(Digest.of("\ud83d\ude00")).isNotEqualTo(Digest.of("\ud83d"));
    assertThat(Digest.of("train:1000")).isEqualTo("5569525c-a");
    assertThat(Digest.ofLines(Stream.of())).isEqualTo("00000000");
    assertThat(Digest.ofLines(Stream.of("123456789"))).isEqualTo("a8dab577");
    assertThat(Digest.ofLines(Stream.of("a", "b"))).isEqualTo("52a4fb0b");
  }
}
