package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import org.junit.jupiter.api.Test;

/** The contract of transforms that carry out one operation with some probability. */
abstract class RandomOperationContract extends TransformContract {

  @Override
  protected abstract RandomTransform<Image, Image> transform();

  /** Returns the transform with a probability. */
  abstract RandomTransform<Image, Image> transform(double probability);

  @Test
  void shouldActAlwaysOrNeverAtTheLimits() throws Exception {
    TorchRandom random = TorchRandom.ofSeed(5);
    Image image = TestImage.noise(40, 30);
    byte[] changed = transform(1).apply(image, random).pixels().rgb();

    assertThat(changed).isNotEqualTo(image.pixels().rgb());
    for (int i = 0; i < 50; i++) {
      assertThat(transform(1).apply(image, random).pixels().rgb()).isEqualTo(changed);
      assertThat(transform(0).apply(image, random)).isSameAs(image);
    }
  }

  @Test
  void shouldDrawOneNumberWhateverTheOutcome() throws Exception {
    for (double probability : new double[] {0, 1}) {
      TorchRandom random = TorchRandom.ofSeed(5);

      transform(probability).apply(TestImage.image(3, 3), random);

      assertThat(random.words()).isEqualTo(1);
    }
  }

  @Test
  void shouldChangeEverySecondImageUnlessAskedOtherwise() {
    assertThat(transform()).isEqualTo(transform(0.5)).isNotEqualTo(transform(0.25));
  }
}
