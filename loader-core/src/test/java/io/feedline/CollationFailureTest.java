package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.batch.PaddingCollator;
import io.feedline.batch.PaddingCollator.Padding;
import io.feedline.batch.Probes;
import io.feedline.batch.Shape;
import io.feedline.batch.TensorSource;
import io.feedline.data.Dataset;
import io.feedline.data.LoaderException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Samples that a collator of lists cannot write, while it can write the others. */
@ExpectedLog({"SKIP", "SUBSTITUTE"})
class CollationFailureTest {

  private static final int SIZE = 12;

  @SuppressWarnings("ArrayRecordComponent") // samples are never compared
  private record Scene(TensorSource image, long[] labels) {}

  private static TensorSource picture(long index, boolean broken) {
    return Samples.source(
        DType.INT64,
        () -> Shape.of(1),
        target -> {
          Samples.failIf(broken, "picture " + index + " is torn");
          target.putLong(index);
        });
  }

  private static Dataset<Scene> scenes(LongPredicate broken) {
    return Samples.described(
        Dataset.of(
            SIZE,
            index ->
                new Scene(picture(index, broken.test(index)), new long[1 + (int) (index % 3)])),
        index -> "scenes/" + index);
  }

  private static DataLoaderBuilder<Scene> builder(Dataset<Scene> scenes, int workers) {
    return Samples.loader(scenes, 4, workers).collator(PaddingCollator.of("labels"));
  }

  private static List<List<Long>> pictures(DataLoader<Scene> loader) {
    return Probes.each(
        loader,
        batch -> {
          long[] written = batch.tensor("image").toLongArray();
          assertThat(written).isEqualTo(batch.indices());
          assertThat(batch.tensor("labels").shape().length(0)).isEqualTo(batch.size());
          return Arrays.stream(written).boxed().toList();
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void shouldNameTheSampleThatCannotBeWritten(int workers) {
    try (DataLoader<Scene> loader = builder(scenes(i -> i == 5), workers).build()) {
      BatchIterator iterator = loader.iterator();
      iterator.next().close();
      LoaderException failure = catchThrowableOfType(LoaderException.class, iterator::next);
      assertThat(failure.index()).hasValue(5);
      assertThat(failure.stage()).isEqualTo(LoaderException.Stage.WRITE);
      assertThat(failure)
          .hasMessageContainingAll("sample 5 (scenes/5)", "picture 5 is torn", "ErrorPolicy.skip()")
          .hasCauseInstanceOf(IOException.class);
      iterator.next().close();
      assertThat(iterator.hasNext()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void shouldSkipThatSampleAlone(int workers) {
    try (DataLoader<Scene> loader =
            builder(scenes(i -> i == 4 || i == 7 || i >= 8), workers)
                .errorPolicy(ErrorPolicy.skip())
                .build();
        DataLoader<Scene> padding =
            builder(scenes(i -> i == 8), workers)
                .batchSize(5)
                .padLast(true)
                .errorPolicy(ErrorPolicy.skip())
                .build()) {
      assertThat(pictures(loader)).containsExactly(List.of(0L, 1L, 2L, 3L), List.of(5L, 6L));
      assertThat(loader.quarantine().indices()).containsExactly(4, 7, 8, 9, 10, 11);
      assertThat(pictures(padding))
          .containsExactly(
              List.of(0L, 1L, 2L, 3L, 4L),
              List.of(5L, 6L, 7L, 9L, 5L),
              List.of(10L, 11L, 10L, 11L, 10L));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void shouldSubstituteThatSampleAlone(int workers) {
    Dataset<Scene> scenes = scenes(i -> i % 3 == 2);
    try (DataLoader<Scene> loader =
            builder(scenes, workers).errorPolicy(ErrorPolicy.substitute()).build();
        DataLoader<Scene> plain = builder(scenes, 0).errorPolicy(ErrorPolicy.substitute()).build();
        DataLoader<Scene> hopeless =
            builder(scenes(i -> true), workers).errorPolicy(ErrorPolicy.substitute()).build()) {
      List<List<Long>> found = pictures(loader);
      assertThat(found).allSatisfy(batch -> assertThat(batch).hasSize(4));
      assertThat(found).flatExtracting(batch -> batch).noneMatch(index -> index % 3 == 2);
      assertThat(loader.quarantine().indices()).contains(2, 5, 8, 11);
      assertThat(pictures(plain)).isEqualTo(found);
      Refusals.assertThrown(LoaderException.class, hopeless.iterator()::next, "sample ", "is torn");
    }
  }

  private static Object odd(String kind) {
    return switch (kind) {
      case "null" -> null;
      case "dtype" -> new int[1];
      case "long" -> new float[100];
      case "rank" -> new float[1][1];
      case "type" -> "text";
      case "broken" -> picture(0, true);
      case "shapeless" ->
          Samples.source(
              DType.FLOAT32,
              () -> {
                throw new IllegalStateException("no header");
              },
              target -> {});
      default -> throw new AssertionError(kind);
    };
  }

  static List<Arguments> oddRows() {
    List<Arguments> all = new ArrayList<>();
    for (String entry : List.of("padded", "listed", "stacked", "missing", "more")) {
      for (String kind : List.of("null", "dtype", "long", "rank", "type", "broken", "shapeless")) {
        boolean fits = entry.equals("listed") && (kind.equals("long") || kind.equals("rank"));
        boolean once = entry.equals("missing") || entry.equals("more");
        if (!fits && (!once || kind.equals("null"))) {
          all.add(Arguments.of(entry, kind));
        }
      }
    }
    return all;
  }

  /** One row is odd, the first or another: it alone is skipped, or has a substitute. */
  @ParameterizedTest
  @MethodSource("oddRows")
  void shouldBlameTheOddRowAlone(String entry, String kind) {
    PaddingCollator<Map<String, Object>> collator =
        PaddingCollator.<Map<String, Object>>builder()
            .pad("padded", Padding.zeros().length(9))
            .list("listed")
            .build();
    for (long bad : new long[] {0, 3, 5}) {
      Dataset<Map<String, Object>> dataset =
          Dataset.of(
              6,
              index -> {
                Map<String, Object> sample = new LinkedHashMap<>();
                sample.put("padded", new float[(int) index + 1]);
                sample.put("listed", new float[(int) index + 1]);
                sample.put("stacked", new float[1]);
                if (index == bad) {
                  if (entry.equals("missing")) {
                    sample.remove("padded");
                  } else {
                    sample.put(entry, odd(kind));
                  }
                }
                return sample;
              });
      for (ErrorPolicy policy : List.of(ErrorPolicy.skip(), ErrorPolicy.substitute())) {
        try (DataLoader<Map<String, Object>> loader =
            Samples.loader(dataset, 6, 2).collator(collator).errorPolicy(policy).build()) {
          try (Batch batch = loader.iterator().next()) {
            assertThat(batch.indices()).doesNotContain(bad);
            assertThat(LongStream.of(batch.indices()).distinct().count()).isEqualTo(5);
            for (int row = 0; row < batch.size(); row++) {
              assertThat(batch.tensors("listed").get(row).shape())
                  .isEqualTo(Shape.of(batch.indices()[row] + 1));
            }
          }
          assertThat(loader.quarantine().indices()).containsExactly(bad);
        }
      }
      try (DataLoader<Map<String, Object>> loader =
          DataLoader.builder(dataset).batchSize(6).collator(collator).build()) {
        LoaderException failure =
            catchThrowableOfType(LoaderException.class, () -> loader.iterator().next());
        assertThat(failure.index()).hasValue(bad);
      }
    }
  }
}
