package io.feedline.formats.image.transform;

import static io.feedline.formats.image.Golden.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.Golden;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.PaddingMode;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomApply;
import io.feedline.transform.RandomTransform;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares random transforms with torchvision's, given PyTorch's generator;
 * torchvision_augmentations.py and torchvision_v2_augmentations.py made the files.
 */
class TorchvisionAugmentationsTest {

  private static final String MAGNITUDES = "magnitudes";

  private static List<String[]> lines() throws IOException {
    List<String[]> lines = new ArrayList<>(Golden.lines("torchvision_augmentations.txt"));
    lines.addAll(Golden.lines("torchvision_v2_augmentations.txt"));
    return lines;
  }

  /** Returns the operations whose lines have five words; other kinds have more. */
  static Stream<String> transforms() throws IOException {
    return lines().stream().filter(words -> words.length == 5).map(words -> words[0]).distinct();
  }

  @ParameterizedTest
  @MethodSource("transforms")
  void shouldDrawAndTransformAsTorchvisionDoes(String name) throws Exception {
    RandomTransform<Image, Image> transform = transform(name);
    int cases = 0;
    for (String[] words : lines()) {
      if (words[0].equals(name) && words.length == 5) {
        TorchRandom random = TorchRandom.ofSeed(number(words[1]));
        Image image = TestImage.noise(number(words[2]), number(words[3]));

        Image result = transform.apply(image, random);

        assertThat(Golden.tensorCrc(result)).as(String.join(" ", words)).isEqualTo(words[4]);
        cases++;
      }
    }
    assertThat(cases).isGreaterThanOrEqualTo(12);
  }

  private static RandomTransform<Image, Image> transform(String name) {
    return switch (name) {
      case "jitter" -> ColorJitter.of(0.4, 0.4, 0.4, 0.1);
      case "jitterRanges" ->
          ColorJitter.builder().brightness(0.2, 3).saturation(0, 5).hue(-0.5, 0.25).build();
      case "grayscale" -> RandomGrayscale.of(0.5);
      case "verticalFlip" -> RandomVerticalFlip.of();
      case "apply" -> RandomApply.of(ColorJitter.of(0.8, 0.8, 0.8, 0.2), 0.6);
      case "rotation" -> RandomRotation.of(30);
      case "rotationExpand" ->
          RandomRotation.builder(-180, 20)
              .interpolation(Interpolation.BILINEAR)
              .expand(true)
              .fill(1, 2, 250)
              .build();
      case "rotationCenter" ->
          RandomRotation.builder(90).interpolation(Interpolation.BICUBIC).center(3, 11).build();
      case "affine" ->
          RandomAffine.builder(25).translate(0.1, 0.3).scale(0.5, 1.5).shear(20).build();
      case "affineShears" ->
          RandomAffine.builder(0)
              .shear(-10, 30, 5, 15)
              .interpolation(Interpolation.BILINEAR)
              .fill(7, 8, 9)
              .build();
      case "affineCenter" -> RandomAffine.builder(5, 90).scale(1.1, 2).center(2, 30).build();
      case "crop" -> RandomCrop.of(20, 24);
      case "cropPadded" -> RandomCrop.builder(32).padding(4).build();
      case "cropReflected" ->
          RandomCrop.builder(33, 40).padding(3, 5, 7, 1).mode(PaddingMode.REFLECT).build();
      case "cropIfNeeded" ->
          RandomCrop.builder(60, 70).padIfNeeded(true).fill(200, 100, 50).build();
      case "rand" -> RandAugment.of();
      case "randStrong" ->
          RandAugment.builder()
              .numOps(4)
              .magnitude(20)
              .numMagnitudeBins(24)
              .interpolation(Interpolation.BILINEAR)
              .fill(255, 128, 0)
              .build();
      case "trivial" -> TrivialAugmentWide.of();
      case "trivialBilinear" ->
          TrivialAugmentWide.builder()
              .numMagnitudeBins(17)
              .interpolation(Interpolation.BILINEAR)
              .build();
      case "auto" -> AutoAugment.of();
      case "autoCifar" ->
          AutoAugment.builder()
              .policy(AutoAugment.Policy.CIFAR10)
              .interpolation(Interpolation.BILINEAR)
              .fill(3, 2, 255)
              .build();
      case "autoSvhn" -> AutoAugment.of(AutoAugment.Policy.SVHN);
      case "mix" -> AugMix.of();
      case "mixStrong" ->
          AugMix.builder()
              .severity(10)
              .mixtureWidth(2)
              .chainDepth(4)
              .alpha(0.4)
              .allOps(false)
              .interpolation(Interpolation.NEAREST)
              .fill(7, 8, 9)
              .build();
      case "equalize" -> RandomEqualize.of();
      case "invert" -> RandomInvert.of(0.3);
      case "autocontrast" -> RandomAutocontrast.of();
      case "posterize" -> RandomPosterize.of(3);
      case "solarize" -> RandomSolarize.of(130.5, 0.7);
      case "sharpness" -> RandomAdjustSharpness.of(2.5);
      case "perspective" -> RandomPerspective.of();
      case "perspectiveNear" ->
          RandomPerspective.builder()
              .distortionScale(0.3)
              .probability(1)
              .interpolation(Interpolation.NEAREST)
              .fill(9, 99, 199)
              .build();
      case "perspectiveFar" ->
          RandomPerspective.builder()
              .distortionScale(1)
              .probability(0.8)
              .interpolation(Interpolation.BICUBIC)
              .build();
      case "channels" -> RandomChannelPermutation.of();
      case "distort" -> RandomPhotometricDistort.of();
      case "distortMuch" ->
          RandomPhotometricDistort.builder()
              .brightness(0.1, 2)
              .contrast(0, 3)
              .saturation(0, 4)
              .hue(-0.5, 0.5)
              .probability(0.9)
              .build();
      case "zoomOut" -> RandomZoomOut.of();
      case "zoomOutFar" ->
          RandomZoomOut.builder().fill(1, 2, 3).sideRange(2.5, 6).probability(0.7).build();
      case "scaleJitter" -> ScaleJitter.of(64);
      case "scaleJitterWide" ->
          ScaleJitter.builder(80, 20).scale(0.5, 1.5).interpolation(Interpolation.BICUBIC).build();
      case "shortestSize" -> RandomShortestSize.of(20);
      case "shortestSizes" ->
          RandomShortestSize.builder(16, 24, 32, 40)
              .maxSize(48)
              .interpolation(Interpolation.BICUBIC)
              .build();
      case "largeScaleJitter" ->
          ScaleJitter.of(64).andThen(RandomCrop.builder(64).padIfNeeded(true).build());
      case "erasing" -> RandomErasing.of(0.7);
      case "erasingValues" ->
          RandomErasing.builder()
              .probability(1)
              .scale(0.2, 0.9)
              .ratio(0.1, 4)
              .value(0.25f, -3.5f, 1e20f)
              .build();
      case "recipe" ->
          RandomResizedCrop.of(32)
              .andThen(RandomHorizontalFlip.of())
              .andThen(TrivialAugmentWide.builder().interpolation(Interpolation.BILINEAR).build())
              .andThen(Normalize.imagenet())
              .andThen(RandomErasing.of());
      default -> throw new IllegalArgumentException("no transform " + name);
    };
  }

  @Test
  void shouldHaveTheMagnitudesOfTorchvision() throws Exception {
    int cases = 0;
    for (String[] words : lines()) {
      if (words[0].equals(MAGNITUDES)) {
        int bins = number(words[2]);
        String constant = words[3].replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT);
        Augmentation operation = Augmentation.valueOf(constant);
        int bin = number(words[4]);
        double magnitude =
            switch (words[1]) {
              case "rand", "auto" -> operation.magnitude(bin, bins, 41, 29);
              case "mix" -> AugMix.magnitude(operation, bin, 41, 29);
              default ->
                  TrivialAugmentWide.builder()
                      .numMagnitudeBins(bins)
                      .build()
                      .strength(operation, bin);
            };

        // The last bit of PyTorch's depends on how wide the processor's vectors are.
        double expected = Double.parseDouble(words[5]);
        assertThat(Math.abs(magnitude - expected))
            .as(String.join(" ", words))
            .isLessThanOrEqualTo(Math.ulp((float) expected));
        cases++;
      }
    }
    assertThat(cases).isGreaterThan(800);
  }
}
