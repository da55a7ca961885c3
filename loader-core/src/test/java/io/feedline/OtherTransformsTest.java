package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A loader that is resumed with other transforms says so. */
@Timeout(60)
class OtherTransformsTest {

  private record Plus(long summand) implements Transform<Long, Long> {
    @Override
    public Long apply(Long input) {
      return input + summand;
    }
  }

  private static final class Noise implements RandomTransform<Long, Long> {
    @Override
    public Long apply(Long input, RandomGenerator random) {
      return input + random.nextInt(2);
    }
  }

  private static Dataset<Long> numbers() {
    return Dataset.of(24, index -> index);
  }

  private static LoaderState stateOf(Dataset<Long> dataset) {
    try (DataLoader<Long> loader = DataLoader.builder(dataset).batchSize(4).build()) {
      loader.iterator().next().close();
      return LoaderState.fromJson(loader.state().toJson());
    }
  }

  private static void resume(Dataset<Long> dataset, LoaderState state, boolean same) {
    try (DataLoader<Long> loader = DataLoader.builder(dataset).batchSize(4).build()) {
      if (same) {
        loader.resumeSame(state);
      } else {
        loader.resume(state);
      }
      assertThat(loader.iterator().next().indices()).startsWith(4);
    }
  }

  @Test
  void shouldResumeWithTheSameTransforms() {
    Transform<Long, Long> lambda = number -> number;
    for (Dataset<Long> dataset :
        List.of(
            numbers(),
            numbers().map(new Plus(1)),
            numbers().map(new Plus(1).andThen(new Plus(2))),
            numbers().map(new Noise()).map(lambda))) {
      resume(dataset, stateOf(dataset), true);
    }
    resume(numbers().map(new Noise()), stateOf(numbers().map(new Noise())), true);
  }

  @Test
  @ExpectedLog(
      "is resumed with other transforms: number 2 was Plus[summand=64] and is Plus[summand=8]")
  void shouldWarnOfAnother() {
    LoaderState state = stateOf(numbers().map(new Plus(1)).map(new Plus(64)));
    Dataset<Long> other = numbers().map(new Plus(1)).map(new Plus(8));
    resume(other, state, false);
    Refusals.assertRefused(
        () -> resume(other, state, true), "number 2 was Plus[summand=64] and is Plus[summand=8]");
  }

  @Test
  void shouldRefuseOneMoreAndOneLess() {
    Dataset<Long> more = numbers().map(new Plus(1));
    assertThatThrownBy(() -> resume(more, stateOf(numbers()), true))
        .hasMessageEndingWith("number 1 was absent and is Plus[summand=1]");
    assertThatThrownBy(() -> resume(numbers(), stateOf(more), true))
        .hasMessageEndingWith("number 1 was Plus[summand=1] and is absent");
  }

  @Test
  void shouldKnowTheTransformsBelowOtherOperations() {
    Dataset<Long> mapped = numbers().map(new Plus(1));
    List<String> plus = List.of("Plus[summand=1]");
    assertThat(mapped.subset(2, 20).transforms()).isEqualTo(plus);
    assertThat(mapped.filter(number -> number > 3).transforms()).isEqualTo(plus);
    assertThat(Dataset.concat(mapped, numbers()).transforms()).isEqualTo(plus);
    assertThat(numbers().zip(mapped, Long::sum).transforms()).isEqualTo(plus);
    assertThat(Dataset.stack(Map.of("x", mapped)).transforms()).isEqualTo(plus);
    IterableDataset<Long> stream = IterableDataset.of(List.of(1L, 2L, 3L)).map(new Plus(1));
    assertThat(stream.transforms()).isEqualTo(plus);
    assertThat(stream.skip(2).take(3).transforms()).isEqualTo(plus);
    assertThat(stream.filter(number -> number > 3).transforms()).isEqualTo(plus);
  }
}
