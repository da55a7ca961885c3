package io.feedline.data;

import static io.feedline.Refusals.assertRefused;
import static io.feedline.data.ComposedDatasets.brief;
import static io.feedline.data.ComposedDatasets.files;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.DataLoader;
import io.feedline.data.ComposedDatasets.Sample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Several datasets as one: behind each other and side by side. */
class JoinTest {

  @Test
  void shouldConcatenate() throws Exception {
    Dataset<Sample> joined = Dataset.concat(files("a", 2), files("b", 0), files("c", 1));

    assertThat(brief(joined)).containsExactly("a0", "a1", "c0");
    assertThat(joined.describe(2)).isEqualTo("/data/c/0.png");
    assertThat(joined.name()).isEqualTo("concat(a, b, c)");
    assertThat(Dataset.concat(files("a", 0)).size()).isZero();
  }

  @Test
  void shouldConcatenateAnyNumberOfAnySizes() throws Exception {
    Random random = new Random(11);
    for (int round = 0; round < 50; round++) {
      List<Dataset<Sample>> members = new ArrayList<>();
      List<String> expected = new ArrayList<>();
      int count = 1 + random.nextInt(20);
      for (int i = 0; i < count; i++) {
        Dataset<Sample> member = files("m" + i + "_", random.nextInt(4));
        members.add(member);
        expected.addAll(brief(member));
      }

      assertThat(brief(Dataset.concat(members))).isEqualTo(expected);
    }
  }

  @Test
  void shouldConcatenateBeyondTheRangeOfAnInt() throws Exception {
    long large = 3_000_000_000L;
    Dataset<Sample> joined = Dataset.concat(files("a", large), files("b", large));

    assertThat(joined.size()).isEqualTo(2 * large);
    assertThat(joined.get(large - 1)).isEqualTo(Sample.of("a", large - 1));
    assertThat(joined.get(large)).isEqualTo(Sample.of("b", 0));
    assertThat(joined.get(2 * large - 1)).isEqualTo(Sample.of("b", large - 1));
  }

  @Test
  void shouldRefuseToConcatenateNothing() {
    assertRefused(
        () -> Dataset.concat(List.<Dataset<Sample>>of()),
        "concat needs at least one dataset, was given none");
    assertRefused(Dataset::concat);
  }

  @Test
  void shouldNameTheMemberOfASampleThatHasOnlyANumber() {
    Dataset<Long> joined = Dataset.concat(Dataset.of(2, i -> i), Dataset.of(5, i -> i));

    assertThat(joined.describe(3)).isEqualTo("index 1 of Dataset.of(5)");
    assertThat(joined.describe(7)).isEqualTo("index 7");
  }

  @Test
  void shouldShortenTheNamesOfManyMembers() {
    List<Dataset<Sample>> members =
        LongStream.range(0, 9).mapToObj(i -> files("m" + i, 1)).toList();

    assertThat(Dataset.concat(members).name()).isEqualTo("concat(m0, m1, m2, and 6 more)");
  }

  @Test
  void shouldZip() throws Exception {
    Dataset<Dataset.Pair<Sample, Sample>> zipped = files("a", 3).zip(files("b", 3));

    assertThat(zipped.get(2)).isEqualTo(new Dataset.Pair<>(Sample.of("a", 2), Sample.of("b", 2)));
    assertThat(zipped.describe(2)).isEqualTo("/data/a/2.png and /data/b/2.png");
    assertThat(zipped.name()).isEqualTo("zip(a, b)");
    assertThat(files("a", 3).zip(files("b", 3), (a, b) -> a.checksum() ^ b.checksum()).get(1))
        .isEqualTo(Sample.checksum("a", 1) ^ Sample.checksum("b", 1));
  }

  @Test
  void shouldRefuseToZipUnequalSizes() {
    assertRefused(
        () -> files("a", 3).zip(files("b", 4)),
        "zip needs datasets of one size: a has 3 samples, b has 4");
  }

  @Test
  void shouldDrawDifferentNumbersOnTheTwoSidesOfAZip() throws Exception {
    Dataset<Long> draws = files("a", 20).map((sample, random) -> random.nextLong());

    for (long i = 0; i < 20; i++) {
      Dataset.Pair<Long, Long> pair = draws.zip(draws).get(i);
      assertThat(pair.first()).isNotEqualTo(pair.second());
    }
  }

  @Test
  void shouldStackInTheMapsOrder() throws Exception {
    Map<String, Dataset<?>> members = new LinkedHashMap<>();
    members.put("z", files("a", 2));
    members.put("b", Dataset.of(2, index -> index * 10));
    Dataset<Map<String, Object>> stacked = Dataset.stack(members);
    members.clear();

    assertThat(stacked.size()).isEqualTo(2);
    assertThat(stacked.get(1)).containsExactlyEntriesOf(ordered("z", Sample.of("a", 1), "b", 10L));
    assertThat(stacked.describe(1)).isEqualTo("/data/a/1.png, index 1");
    assertThat(stacked.name()).isEqualTo("stack('z' a, 'b' Dataset.of(2))");
  }

  private static Map<String, Object> ordered(String a, Object first, String b, Object second) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(a, first);
    map.put(b, second);
    return map;
  }

  @Test
  void shouldStackAMapWithoutAnOrderSorted() throws Exception {
    Dataset<Map<String, Object>> stacked =
        Dataset.stack(Map.of("c", files("x", 1), "a", files("y", 1), "b", files("z", 1)));

    assertThat(stacked.get(0).keySet()).containsExactly("a", "b", "c");
  }

  @Test
  void shouldRefuseToStackNothingOrUnequalSizes() {
    assertRefused(
        () -> Dataset.stack(Map.of()), "stack needs at least one dataset, was given none");
    assertRefused(
        () -> Dataset.stack(Map.of("a", files("x", 3), "b", files("y", 4))),
        "stack needs datasets of one size: 'a' 3 samples, 'b' 4 samples");
  }

  @Test
  void shouldLeadErrorsThroughAllLayersToThePath() {
    Dataset<Long> broken =
        files("b", 4)
            .map(
                sample -> {
                  if (sample.index() == 2) {
                    throw new IOException("truncated");
                  }
                  return sample.index();
                });
    Dataset<Long> layers =
        Dataset.concat(files("a", 3).map(Sample::index), broken).subset(1, 7).repeat(2);

    try (DataLoader<Long> loader = DataLoader.builder(layers).batchSize(12).build()) {
      assertThatThrownBy(() -> loader.iterator().next())
          .isInstanceOf(LoaderException.class)
          .hasMessageContainingAll("transforming", "4", "/data/b/2.png", "truncated");
    }
  }
}
