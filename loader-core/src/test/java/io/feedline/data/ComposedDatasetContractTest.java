package io.feedline.data;

import static io.feedline.data.ComposedDatasets.augmented;
import static io.feedline.data.ComposedDatasets.files;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.data.ComposedDatasets.Sample;
import io.feedline.data.Dataset.StoppingRule;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Whatever is made of datasets is a dataset. */
class ComposedDatasetContractTest {

  /** The contract of all of them beyond that of datasets. */
  abstract static class Composed<T> extends DatasetContract<T> {

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

    @Override
    protected abstract Dataset<T> dataset();
  }

  @Nested
  class OfASubset extends Composed<Map<String, Object>> {
    @Override
    protected Dataset<Map<String, Object>> dataset() {
      return augmented("a", 9).subset(new long[] {8, 2, 2, 5});
    }
  }

  @Nested
  class OfARange extends Composed<Map<String, Object>> {
    @Override
    protected Dataset<Map<String, Object>> dataset() {
      return augmented("a", 9).subset(3, 7);
    }
  }

  @Nested
  class OfASplit extends Composed<Map<String, Object>> {
    @Override
    protected Dataset<Map<String, Object>> dataset() {
      return augmented("a", 9).split(new double[] {0.4, 0.6}, 1).get(1);
    }
  }

  @Nested
  class OfAStratifiedSplit extends Composed<Map<String, Object>> {
    @Override
    protected Dataset<Map<String, Object>> dataset() {
      int[] labels = {1, 1, 0, 1, 0, 1, 0, 1, 1};
      return augmented("a", 9).splitStratified(new double[] {0.4, 0.6}, labels, 1).get(1);
    }
  }

  @Nested
  class OfAFoldToTrainWith extends Composed<Map<String, Object>> {
    @Override
    protected Dataset<Map<String, Object>> dataset() {
      return augmented("a", 9).folds(3, 1).get(1).train();
    }
  }

  @Nested
  class OfAFoldToValidateWith extends Composed<Map<String, Object>> {
    @Override
    protected Dataset<Map<String, Object>> dataset() {
      return augmented("a", 9).folds(3, 1).get(1).validation();
    }
  }

  @Nested
  class OfAnIndexFilter extends Composed<Map<String, Object>> {
    @Override
    protected Dataset<Map<String, Object>> dataset() {
      return augmented("a", 9).filterIndices(i -> i % 2 == 1);
    }
  }

  @Nested
  class OfARepetition extends Composed<Map<String, Object>> {
    @Override
    protected Dataset<Map<String, Object>> dataset() {
      return augmented("a", 3).repeat(3);
    }
  }

  @Nested
  class OfAConcatenation extends Composed<Map<String, Object>> {
    @Override
    protected Dataset<Map<String, Object>> dataset() {
      return Dataset.concat(augmented("a", 1), augmented("b", 0), augmented("c", 4));
    }
  }

  @Nested
  class OfAMixture extends Composed<Map<String, Object>> {
    @Override
    protected Dataset<Map<String, Object>> dataset() {
      return Dataset.mix(
          List.of(augmented("a", 3), augmented("b", 9)),
          new double[] {1, 2},
          StoppingRule.ALL_EXHAUSTED);
    }
  }

  @Nested
  class OfAZip extends Composed<Dataset.Pair<Map<String, Object>, Sample>> {
    @Override
    protected Dataset<Dataset.Pair<Map<String, Object>, Sample>> dataset() {
      return augmented("a", 4).zip(files("b", 4));
    }
  }

  @Nested
  class OfAStack extends Composed<Map<String, Object>> {
    @Override
    protected Dataset<Map<String, Object>> dataset() {
      return Dataset.stack(Map.of("image", augmented("a", 4), "mask", files("b", 4)));
    }
  }

  @Nested
  class OfAFilter extends DatasetContract<Sample> {
    @Override
    protected Dataset<Sample> dataset() {
      return files("a", 20).filter(sample -> sample.index() % 3 == 0);
    }
  }
}
