package io.feedline.data;

import static io.feedline.data.ComposedDatasets.augmented;
import static io.feedline.data.ComposedDatasets.files;
import static io.feedline.data.Dataset.StoppingRule.ALL_EXHAUSTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is made of datasets is a dataset. */
@ParameterizedClass
@MethodSource("datasets")
class ComposedDatasetContractTest extends DatasetContract<Object> {

  @Parameter Supplier<Dataset<?>> maker;

  static List<Named<Supplier<Dataset<?>>>> datasets() {
    Dataset<Map<String, Object>> nine = augmented("a", 9);
    int[] labels = {1, 1, 0, 1, 0, 1, 0, 1, 1};
    double[] parts = {0.4, 0.6};
    return List.of(
        named("subset", () -> nine.subset(new long[] {8, 2, 2, 5})),
        named("range", () -> nine.subset(3, 7)),
        named("split", () -> nine.split(parts, 1).get(1)),
        named("stratified split", () -> nine.splitStratified(parts, labels, 1).get(1)),
        named("fold to train with", () -> nine.folds(3, 1).get(1).train()),
        named("fold to validate with", () -> nine.folds(3, 1).get(1).validation()),
        named("filter of indices", () -> nine.filterIndices(i -> i % 2 == 1)),
        named("repetition", () -> augmented("a", 3).repeat(3)),
        named(
            "concatenation",
            () -> Dataset.concat(augmented("a", 1), augmented("b", 0), augmented("c", 4))),
        named(
            "mixture",
            () ->
                Dataset.mix(List.of(augmented("a", 3), nine), new double[] {1, 2}, ALL_EXHAUSTED)),
        named("zip", () -> nine.zip(files("b", 9))),
        named("stack", () -> Dataset.stack(Map.of("image", nine, "mask", files("b", 9)))));
  }

  @Override
  @SuppressWarnings("unchecked") // A dataset only gives samples.
  protected Dataset<Object> dataset() {
    return (Dataset<Object>) maker.get();
  }

  @Test
  void shouldHandTheLoadersContextOn() throws Exception {
    Dataset<?> dataset = dataset();
    SampleContext context = new SampleContext(7, 3, 1);

    Object sample = dataset.get(1, context);

    assertThat(content(sample))
        .isEqualTo(content(dataset.get(1, new SampleContext(7, 3, 1))))
        .isNotEqualTo(content(dataset.get(1, new SampleContext(7, 4, 1))))
        .isNotEqualTo(content(dataset.get(1, new SampleContext(8, 3, 1))));
    assertThat(context.randomTransforms()).isPositive();
  }

  @Test
  void shouldDescribeSamplesByTheirPath() {
    assertThat(dataset().describe(1)).contains("/data/", ".png");
  }
}
