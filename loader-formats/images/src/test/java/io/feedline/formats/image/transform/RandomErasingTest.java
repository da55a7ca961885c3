package io.feedline.formats.image.transform;

import static io.feedline.formats.image.TestTargets.floats;
import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.data.Dataset;
import io.feedline.formats.image.Golden;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.SampleRandom;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RandomErasingTest {

  private static final Region PART = new Region(1, 0, 2, 2);

  @Test
  void shouldOverwriteTheSamePartWhateverTheLayout() throws Exception {
    Image image = Image.ofRgb(new byte[3 * 4 * 3], 4, 3);
    Image planes = image.erase(PART, 1, 2, 3);
    Image interleaved = planes.toTensor(DType.FLOAT32, ImageLayout.HWC);

    assertThat(floats(planes))
        .containsExactly(
            0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, //
            0, 2, 2, 0, 0, 2, 2, 0, 0, 0, 0, 0, //
            0, 3, 3, 0, 0, 3, 3, 0, 0, 0, 0, 0);
    assertThat(floats(interleaved))
        .containsExactly(
            0, 0, 0, 1, 2, 3, 1, 2, 3, 0, 0, 0, //
            0, 0, 0, 1, 2, 3, 1, 2, 3, 0, 0, 0, //
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  @Test
  void shouldRefuseBytesThatCannotHoldTheValue() {
    Image bytes = Image.ofRgb(new byte[3], 1, 1).toTensor(DType.UINT8, ImageLayout.CHW);
    Region all = new Region(0, 0, 1, 1);

    for (float wrong : new float[] {0.5f, -1, 256, Float.NaN}) {
      refused(IllegalStateException.class, () -> bytes.erase(all, 0, wrong, 0), "" + wrong);
    }
    refused(IllegalStateException.class, () -> bytes.eraseWithNoise(all, 1), "random values");
    Image noise = Image.ofRgb(new byte[3], 1, 1).eraseWithNoise(all, 1);
    assertThatThrownBy(() -> noise.toTensor(DType.UINT8, ImageLayout.CHW))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldWriteNoiseOfTheStandardNormalDistribution() throws Exception {
    Image image = Image.ofRgb(new byte[3 * 200 * 100], 200, 100);
    float[] noise = floats(image.eraseWithNoise(new Region(0, 0, 200, 100), 5));

    double sum = 0;
    double squares = 0;
    int within = 0;
    for (float value : noise) {
      sum += value;
      squares += value * value;
      within += Math.abs(value) < 1 ? 1 : 0;
    }
    assertThat(sum / noise.length).isBetween(-0.02, 0.02);
    assertThat(squares / noise.length).isBetween(0.97, 1.03);
    assertThat((double) within / noise.length).isBetween(0.67, 0.695);
  }

  @Test
  void shouldComeAfterWhatChangesPixels() {
    Image erased = TestImage.image(9, 9).erase(PART, 0, 0, 0);

    assertComesLast(() -> erased.flipHorizontal());
    assertComesLast(() -> erased.crop(new Region(0, 0, 3, 3)));
    assertComesLast(() -> erased.resize(3, 3, Interpolation.BOX));
    assertComesLast(() -> Grayscale.of().apply(erased));
    assertComesLast(() -> Normalize.imagenet().apply(erased));
  }

  private static void assertComesLast(ThrowingCallable transform) {
    refused(IllegalStateException.class, transform, "comes last");
  }

  @Test
  void shouldErasePartAfterPartButNotInPixels() throws Exception {
    RandomErasing always = RandomErasing.of().withProbability(1).withValue(9);
    TorchRandom random = TorchRandom.ofSeed(2);
    Image image = Image.ofRgb(new byte[3 * 50 * 40], 50, 40);

    Image once = always.apply(image, random);
    Image twice = always.apply(once, random);

    assertThat(count(floats(twice))).isGreaterThan(count(floats(once)));
    assertThat(twice.pixels().rgb()).isEqualTo(image.pixels().rgb());
  }

  private static long count(float... values) {
    return IntStream.range(0, values.length).filter(i -> values[i] == 9).count();
  }

  // ---- of batches ---------------------------------------------------------------------------

  /** One image of each batch is enough to see the rectangles that the transform of images draws. */
  @ParameterizedTest
  @EnumSource(ImageLayout.class)
  void shouldEraseInBatchesWhatItEraseInImages(ImageLayout layout) throws Exception {
    RandomErasing erasing = RandomErasing.of().withProbability(0.6).withValue(1, 2, 3);
    Dataset<Image> images =
        Dataset.of(30, i -> TestImage.image(12, 9).toTensor(DType.UINT8, layout));
    try (DataLoader<Image> loader =
        DataLoader.builder(images)
            .batchSize(1)
            .seed(4)
            .batchTransform(erasing.onBatches("data", layout))
            .build()) {
      int erased = 0;
      for (Batch batch : loader) {
        try (batch) {
          Image plain = images.get(0);
          Image expected = erasing.apply(plain, SampleRandom.ofBatch(4, 0, batch.number()));
          erased += expected == plain ? 0 : 1;
          assertThat(batch.tensor("data").bytes()).isEqualTo(Golden.written(expected));
        }
      }
      assertThat(erased).isBetween(10, 26);
    }
  }

  @Test
  void shouldSayWhichBatchesItErases() {
    RandomErasing three = RandomErasing.of().withValue(1, 2, 3);
    assertThat(three.onBatches("image")).hasToString(three + " on batches of CHW image");
    assertThatThrownBy(() -> RandomErasing.of().withRandomValue().onBatches("image"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("use it on single images");
    RandomErasing four = RandomErasing.of().withValue(1, 2, 3, 4);
    Dataset<Image> images = Dataset.of(2, i -> TestImage.image(5, 4));
    try (DataLoader<Image> loader =
        DataLoader.builder(images).batchTransform(four.onBatches("data")).build()) {
      assertThatThrownBy(() -> loader.iterator().next())
          .hasMessageContaining(
              "'data' is FLOAT32 (1, 3, 4, 5); RandomErasing takes images, CHW, with 4 channels");
    }
  }
}
