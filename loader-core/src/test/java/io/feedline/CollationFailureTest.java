package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.batch.PaddingCollator;
import io.feedline.batch.Shape;
import io.feedline.batch.TensorSource;
import io.feedline.data.Dataset;
import io.feedline.data.LoaderException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Samples that a collator of lists cannot write, while it can write the others. */
class CollationFailureTest {

  private static final int SIZE = 12;

  /** An image that is decoded when it is written, and labels, more or less of them. */
  @SuppressWarnings("ArrayRecordComponent") // samples are never compared
  private record Scene(TensorSource image, long[] labels) {}

  private record Picture(long index, boolean broken) implements TensorSource {
    @Override
    public DType dtype() {
      return DType.INT64;
    }

    @Override
    public Shape shape() {
      return Shape.of(1);
    }

    @Override
    public void writeTo(ByteBuffer target) throws IOException {
      if (broken) {
        throw new IOException("picture " + index + " is torn");
      }
      target.putLong(index);
    }
  }

  private static Dataset<Scene> scenes(LongPredicate broken) {
    return new Dataset<>() {
      @Override
      public long size() {
        return SIZE;
      }

      @Override
      public Scene get(long index) {
        return new Scene(new Picture(index, broken.test(index)), new long[1 + (int) (index % 3)]);
      }

      @Override
      public String describe(long index) {
        return "scenes/" + index;
      }
    };
  }

  private static DataLoaderBuilder<Scene> builder(Dataset<Scene> scenes, int workers) {
    return DataLoader.builder(scenes)
        .batchSize(4)
        .numWorkers(workers)
        .collator(PaddingCollator.of("labels"));
  }

  private static List<List<Long>> pictures(DataLoader<Scene> loader) {
    List<List<Long>> batches = new ArrayList<>();
    for (Batch batch : loader) {
      try (batch) {
        long[] written = batch.tensor("image").toLongArray();
        assertThat(written).isEqualTo(batch.indices());
        assertThat(batch.tensor("labels").shape().length(0)).isEqualTo(batch.size());
        batches.add(Arrays.stream(written).boxed().toList());
      }
    }
    return batches;
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
        CapturedLog log = new CapturedLog()) {
      assertThat(pictures(loader)).containsExactly(List.of(0L, 1L, 2L, 3L), List.of(5L, 6L));
      assertThat(loader.quarantine().indices()).containsExactly(4, 7, 8, 9, 10, 11);
      assertThat(log.lines("SKIP")).hasSize(6);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void shouldFillALastBatchWithWhatCanBeWritten(int workers) {
    try (DataLoader<Scene> loader =
            builder(scenes(i -> i == 8), workers)
                .batchSize(5)
                .lastBatch(LastBatch.PAD)
                .errorPolicy(ErrorPolicy.skip())
                .build();
        CapturedLog log = new CapturedLog()) {
      assertThat(pictures(loader))
          .containsExactly(
              List.of(0L, 1L, 2L, 3L, 4L),
              List.of(5L, 6L, 7L, 9L, 5L),
              List.of(10L, 11L, 10L, 11L, 10L));
      assertThat(log.lines("SKIP")).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void shouldSubstituteThatSampleAlone(int workers) {
    List<List<Long>> first;
    try (DataLoader<Scene> loader =
            builder(scenes(i -> i % 3 == 2), workers)
                .errorPolicy(ErrorPolicy.substitute())
                .build();
        CapturedLog log = new CapturedLog()) {
      first = pictures(loader);
      assertThat(first).allSatisfy(batch -> assertThat(batch).hasSize(4));
      assertThat(first).flatExtracting(batch -> batch).noneMatch(index -> index % 3 == 2);
      assertThat(loader.quarantine().indices()).contains(2, 5, 8, 11);
      assertThat(log.lines("SUBSTITUTE")).isNotEmpty();
    }
    try (DataLoader<Scene> again =
            builder(scenes(i -> i % 3 == 2), 0).errorPolicy(ErrorPolicy.substitute()).build();
        CapturedLog log = new CapturedLog()) {
      assertThat(pictures(again)).isEqualTo(first);
      assertThat(log.lines("SUBSTITUTE")).isNotEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void shouldGiveUpWhereNoSampleCanBeWritten(int workers) {
    try (DataLoader<Scene> loader =
        builder(scenes(i -> true), workers).errorPolicy(ErrorPolicy.substitute()).build()) {
      LoaderException failure =
          catchThrowableOfType(LoaderException.class, loader.iterator()::next);
      assertThat(failure).hasMessageContainingAll("sample ", "is torn");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void shouldFailTheBatchWhereTheSamplesDoNotGoTogether(int workers) {
    Dataset<Scene> scenes = scenes(i -> false);
    Dataset<Object> mixed =
        scenes.map(scene -> ((Picture) scene.image()).index() == 5 ? (Object) "a word" : scene);
    try (DataLoader<Object> loader =
        DataLoader.builder(mixed)
            .batchSize(4)
            .numWorkers(workers)
            .collator(PaddingCollator.of("labels"))
            .errorPolicy(ErrorPolicy.skip())
            .build()) {
      BatchIterator iterator = loader.iterator();
      iterator.next().close();
      LoaderException failure = catchThrowableOfType(LoaderException.class, iterator::next);
      assertThat(failure.stage()).isEqualTo(LoaderException.Stage.COLLATE);
      assertThat(failure).hasMessageContaining("batch 1 of epoch 0");
    }
  }
}
