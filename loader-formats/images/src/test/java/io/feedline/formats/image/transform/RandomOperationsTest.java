package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Transforms that carry out one operation with some probability. */
class RandomOperationsTest {

  private record Operation(
      double usual,
      RandomTransform<Image, Image> byDefault,
      DoubleFunction<RandomTransform<Image, Image>> with) {}

  static Stream<Operation> operations() {
    return Stream.of(
        new Operation(0.5, RandomAdjustSharpness.of(2), p -> RandomAdjustSharpness.of(2, p)),
        new Operation(0.5, RandomAutocontrast.of(), RandomAutocontrast::of),
        new Operation(0.5, RandomEqualize.of(), RandomEqualize::of),
        new Operation(0.1, RandomGrayscale.of(), RandomGrayscale::of),
        new Operation(0.5, RandomHorizontalFlip.of(), RandomHorizontalFlip::of),
        new Operation(0.5, RandomInvert.of(), RandomInvert::of),
        new Operation(0.5, RandomPosterize.of(3), p -> RandomPosterize.of(3, p)),
        new Operation(0.5, RandomSolarize.of(100), p -> RandomSolarize.of(100, p)),
        new Operation(0.5, RandomVerticalFlip.of(), RandomVerticalFlip::of));
  }

  @ParameterizedTest
  @MethodSource("operations")
  void shouldActAlwaysOrNeverAtTheLimitsAndDrawOneNumber(Operation operation) throws Exception {
    TorchRandom random = TorchRandom.ofSeed(5);
    Image image = TestImage.noise(40, 30);
    byte[] changed = operation.with.apply(1).apply(image, random).pixels().rgb();

    assertThat(changed).isNotEqualTo(image.pixels().rgb());
    for (int i = 0; i < 50; i++) {
      assertThat(operation.with.apply(1).apply(image, random).pixels().rgb()).isEqualTo(changed);
      assertThat(operation.with.apply(0).apply(image, random)).isSameAs(image);
    }
    assertThat(random.words()).isEqualTo(101);
    assertThat(operation.byDefault)
        .isEqualTo(operation.with.apply(operation.usual))
        .isNotEqualTo(operation.with.apply(0.25));
  }
}
