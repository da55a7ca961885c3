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
          ColorJitter.of().withBrightness(0.2, 3).withSaturation(0, 5).withHue(-0.5, 0.25);
      case "grayscale" -> RandomGrayscale.of(0.5);
      case "verticalFlip" -> RandomVerticalFlip.of();
      case "apply" -> RandomApply.of(ColorJitter.of(0.8, 0.8, 0.8, 0.2), 0.6);
      case "rotation" -> RandomRotation.of(30);
      case "rotationExpand" ->
          RandomRotation.of(-180, 20)
              .withInterpolation(Interpolation.BILINEAR)
              .withExpand(true)
              .withFill(1, 2, 250);
      case "rotationCenter" ->
          RandomRotation.of(90).withInterpolation(Interpolation.BICUBIC).withCenter(3, 11);
      case "affine" ->
          RandomAffine.of(25).withTranslate(0.1, 0.3).withScale(0.5, 1.5).withShear(20);
      case "affineShears" ->
          RandomAffine.of(0)
              .withShear(-10, 30, 5, 15)
              .withInterpolation(Interpolation.BILINEAR)
              .withFill(7, 8, 9);
      case "affineCenter" -> RandomAffine.of(5, 90).withScale(1.1, 2).withCenter(2, 30);
      case "crop" -> RandomCrop.of(20, 24);
      case "cropPadded" -> RandomCrop.of(32).withPadding(4);
      case "cropReflected" ->
          RandomCrop.of(33, 40).withPadding(3, 5, 7, 1).withMode(PaddingMode.REFLECT);
      case "cropIfNeeded" -> RandomCrop.of(60, 70).withPadIfNeeded(true).withFill(200, 100, 50);
      case "rand" -> RandAugment.of();
      case "randStrong" ->
          RandAugment.of()
              .withNumOps(4)
              .withMagnitude(20)
              .withNumMagnitudeBins(24)
              .withInterpolation(Interpolation.BILINEAR)
              .withFill(255, 128, 0);
      case "trivial" -> TrivialAugmentWide.of();
      case "trivialBilinear" ->
          TrivialAugmentWide.of()
              .withNumMagnitudeBins(17)
              .withInterpolation(Interpolation.BILINEAR);
      case "auto" -> AutoAugment.of();
      case "autoCifar" ->
          AutoAugment.of(AutoAugment.Policy.CIFAR10)
              .withInterpolation(Interpolation.BILINEAR)
              .withFill(3, 2, 255);
      case "autoSvhn" -> AutoAugment.of(AutoAugment.Policy.SVHN);
      case "mix" -> AugMix.of();
      case "mixStrong" ->
          AugMix.of()
              .withSeverity(10)
              .withMixtureWidth(2)
              .withChainDepth(4)
              .withAlpha(0.4)
              .withAllOps(false)
              .withInterpolation(Interpolation.NEAREST)
              .withFill(7, 8, 9);
      case "equalize" -> RandomEqualize.of();
      case "invert" -> RandomInvert.of(0.3);
      case "autocontrast" -> RandomAutocontrast.of();
      case "posterize" -> RandomPosterize.of(3);
      case "solarize" -> RandomSolarize.of(130.5, 0.7);
      case "sharpness" -> RandomAdjustSharpness.of(2.5);
      case "perspective" -> RandomPerspective.of();
      case "perspectiveNear" ->
          RandomPerspective.of(0.3, 1)
              .withInterpolation(Interpolation.NEAREST)
              .withFill(9, 99, 199);
      case "perspectiveFar" ->
          RandomPerspective.of(1, 0.8).withInterpolation(Interpolation.BICUBIC);
      case "channels" -> RandomChannelPermutation.of();
      case "distort" -> RandomPhotometricDistort.of();
      case "distortMuch" ->
          RandomPhotometricDistort.of()
              .withBrightness(0.1, 2)
              .withContrast(0, 3)
              .withSaturation(0, 4)
              .withHue(-0.5, 0.5)
              .withProbability(0.9);
      case "zoomOut" -> RandomZoomOut.of();
      case "zoomOutFar" ->
          RandomZoomOut.of().withFill(1, 2, 3).withSideRange(2.5, 6).withProbability(0.7);
      case "scaleJitter" -> ScaleJitter.of(64);
      case "scaleJitterWide" ->
          ScaleJitter.of(80, 20).withScale(0.5, 1.5).withInterpolation(Interpolation.BICUBIC);
      case "shortestSize" -> RandomShortestSize.of(20);
      case "shortestSizes" ->
          RandomShortestSize.of(16, 24, 32, 40)
              .withMaxSize(48)
              .withInterpolation(Interpolation.BICUBIC);
      case "largeScaleJitter" ->
          ScaleJitter.of(64).andThen(RandomCrop.of(64).withPadIfNeeded(true));
      case "erasing" -> RandomErasing.of(0.7);
      case "erasingValues" ->
          RandomErasing.of()
              .withProbability(1)
              .withScale(0.2, 0.9)
              .withRatio(0.1, 4)
              .withValue(0.25f, -3.5f, 1e20f);
      case "recipe" ->
          RandomResizedCrop.of(32)
              .andThen(RandomHorizontalFlip.of())
              .andThen(TrivialAugmentWide.of().withInterpolation(Interpolation.BILINEAR))
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
                  TrivialAugmentWide.of().withNumMagnitudeBins(bins).strength(operation, bin);
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
