package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.ErrorPolicy;
import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.batch.PaddingCollator;
import io.feedline.batch.Shape;
import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.data.Quarantine;
import io.feedline.formats.image.transform.ColorJitter;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomIoUCrop;
import io.feedline.formats.image.transform.RandomRotation;
import io.feedline.formats.image.transform.Resize;
import io.feedline.formats.image.transform.SanitizeBoundingBoxes;
import io.feedline.formats.store.FixtureFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Samples with an image, a mask, boxes and labels, on their whole way into batches. */
class TargetsLoadingTest extends DatasetContract<TargetsLoadingTest.Detection> {

  private static final int WIDTH = 19;
  private static final int HEIGHT = 11;
  private static final int SIZE = 22;
  private static final int BROKEN = 7;

  record Detection(Image image, Mask mask, BoundingBoxes boxes, BoxLabels labels) {}

  private static Detection detection(long index, byte[] mask) throws IOException {
    int boxes = (int) (index % 4);
    float[] edges = new float[4 * boxes];
    long[] labels = new long[boxes];
    for (int i = 0; i < boxes; i++) {
      edges[4 * i] = i;
      edges[4 * i + 1] = 1;
      edges[4 * i + 2] = 9 + 3 * i;
      edges[4 * i + 3] = 8 + i;
      labels[i] = 10 * index + i;
    }
    byte[] rgb = TestImage.rgb(WIDTH, HEIGHT);
    rgb[0] = (byte) index;
    return new Detection(
        Image.ofRgb(rgb, WIDTH, HEIGHT),
        Mask.ofEncoded(mask, "masks/%d.png".formatted(index)).toTensor(DType.INT64),
        BoundingBoxes.of(edges, BoundingBoxes.Format.XYXY, WIDTH, HEIGHT),
        BoxLabels.of(labels));
  }

  private static Dataset<Detection> whole() {
    byte[] mask = Fixtures.bytes("mask_palette_8.png");
    return Dataset.of(SIZE, index -> detection(index, mask));
  }

  private static Dataset<Detection> withOneBrokenMask() {
    byte[] mask = Fixtures.bytes("mask_palette_8.png");
    byte[] cut = Arrays.copyOf(mask, mask.length - 30);
    return Dataset.of(SIZE, index -> detection(index, index == BROKEN ? cut : mask));
  }

  private static Dataset<Detection> augmented(Dataset<Detection> dataset) {
    return dataset.map(
        JointTransform.of(
            RandomIoUCrop.of()
                .andThen(RandomHorizontalFlip.of())
                .andThen(ColorJitter.of(0.3, 0.3, 0.3, 0.1))
                .andThen(RandomRotation.of(15))
                .andThen(Resize.of(12, 16))
                .andThen(SanitizeBoundingBoxes.of())));
  }

  private record Segmentation(Image image, Mask mask) {}

  private static Dataset<Segmentation> segmentation(Dataset<Detection> dataset) {
    return dataset.map(sample -> new Segmentation(sample.image(), sample.mask()));
  }

  @Override
  protected Dataset<Detection> dataset() {
    return augmented(whole());
  }

  private static DataLoader<Detection> loader(Dataset<Detection> dataset, int workers) {
    return DataLoader.builder(dataset)
        .batchSize(4)
        .shuffle(true)
        .seed(3)
        .numWorkers(workers)
        .collator(PaddingCollator.of("boxes", "labels"))
        .build();
  }

  /** Indices and all tensors of a batch. */
  private static String content(Batch batch) {
    StringBuilder text = new StringBuilder(Arrays.toString(batch.indices()));
    new TreeMap<>(batch.tensors())
        .forEach(
            (name, tensor) -> {
              byte[] bytes = new byte[tensor.byteSize()];
              tensor.bytes().get(bytes);
              text.append(' ').append(name).append(tensor.shape()).append(FixtureFiles.crc(bytes));
            });
    return text.toString();
  }

  private static List<String> contents(DataLoader<Detection> loader) {
    List<String> contents = new ArrayList<>();
    for (Batch batch : loader) {
      try (batch) {
        contents.add(content(batch));
      }
    }
    return contents;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 8})
  void shouldGiveTheSameBatchesForAnyNumberOfWorkers(int workers) throws Exception {
    List<String> expected;
    try (DataLoader<Detection> alone = loader(augmented(whole()), 0)) {
      expected = contents(alone);
    }
    try (DataLoader<Detection> loader = loader(augmented(whole()), workers)) {
      assertThat(contents(loader)).isEqualTo(expected).hasSize(6);
    }
  }

  @Test
  void shouldSkipABrokenMaskOrSubstituteItsSample() throws Exception {
    for (ErrorPolicy policy : List.of(ErrorPolicy.skip(), ErrorPolicy.substitute())) {
      assertOneSampleTolerated(
          DataLoader.builder(segmentation(augmented(withOneBrokenMask()))), policy);
      assertOneSampleTolerated(
          DataLoader.builder(augmented(withOneBrokenMask()))
              .collator(PaddingCollator.of("boxes", "labels")),
          policy);
    }
  }

  private static void assertOneSampleTolerated(DataLoaderBuilder<?> builder, ErrorPolicy policy)
      throws Exception {
    try (DataLoader<?> loader =
        builder.batchSize(2).numWorkers(2).errorPolicy(policy.atMost(1)).build()) {
      List<Long> seen = new ArrayList<>();
      for (Batch batch : loader) {
        try (batch) {
          assertThat(batch.tensor("mask").shape().length(0)).isEqualTo(batch.size());
          Arrays.stream(batch.indices()).forEach(seen::add);
        }
      }

      assertThat(seen).doesNotContain((long) BROKEN);
      assertThat(seen).hasSize(policy.action() == ErrorPolicy.Action.SKIP ? SIZE - 1 : SIZE);
      List<Quarantine.Entry> broken = loader.quarantine().entries();
      assertThat(broken).hasSize(1);
      assertThat(broken.get(0).index()).isEqualTo(BROKEN);
      assertThat(broken.get(0).cause()).contains("masks/7.png", "truncated");
    }
  }

  @Test
  void shouldPadBoxesOfDifferentCountsAndStackTheRest() throws Exception {
    try (DataLoader<Detection> loader =
        DataLoader.builder(whole())
            .batchSize(4)
            .collator(PaddingCollator.of("boxes", "labels"))
            .build()) {
      try (Batch batch = loader.iterator().next()) {
        assertThat(batch.tensor("image").shape()).isEqualTo(Shape.of(4, 3, HEIGHT, WIDTH));
        assertThat(batch.tensor("mask").shape()).isEqualTo(Shape.of(4, HEIGHT, WIDTH));
        assertThat(batch.tensor("mask").dtype()).isEqualTo(DType.INT64);
        assertThat(batch.tensor("boxes").shape()).isEqualTo(Shape.of(4, 3, 4));
        assertThat(batch.tensor("boxes_length").toLongArray()).containsExactly(0, 1, 2, 3);
        assertThat(batch.tensor("labels").toLongArray())
            .containsExactly(0, 0, 0, 10, 0, 0, 20, 21, 0, 30, 31, 32);
        assertThat(batch.tensor("boxes").toFloatArray())
            .startsWith(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 9, 8, 0, 0);
      }
    }
  }
}
