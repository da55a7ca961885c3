package io.feedline.formats.image.transform;

import io.feedline.batch.DType;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.PaddingMode;
import io.feedline.formats.image.transform.quality.GaussianNoise;
import io.feedline.formats.image.transform.quality.JPEG;
import io.feedline.transform.RandomApply;
import io.feedline.transform.RandomChoice;
import io.feedline.transform.RandomTransform;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of every transform from an image to an image. */
@ParameterizedClass
@MethodSource("transforms")
class EveryTransformTest extends TransformContract {

  private final Supplier<RandomTransform<Image, Image>> transform;

  EveryTransformTest(Supplier<RandomTransform<Image, Image>> transform) {
    this.transform = transform;
  }

  @Override
  protected RandomTransform<Image, Image> transform() {
    return transform.get();
  }

  @Override
  protected Class<?>[] classes() {
    return new Class<?>[] {BoxedImages.class};
  }

  static Stream<Named<Supplier<RandomTransform<Image, Image>>>> transforms() {
    Stream<Supplier<RandomTransform<Image, Image>>> all =
        Stream.of(
            AugMix::of,
            () -> AutoAugment.of(AutoAugment.Policy.SVHN),
            () -> RandomTransform.from(CenterCrop.of(33, 50)),
            () -> ColorJitter.of(0.4, 0.4, 0.4, 0.1),
            () -> RandomTransform.from(ConvertDtype.of(DType.UINT8)),
            () -> ElasticTransform.of(200, 2),
            () -> GaussianBlur.of(5),
            () -> GaussianNoise.of(0.05, 0.2),
            () -> RandomTransform.from(Grayscale.of()),
            () -> RandomTransform.from(Grayscale.of(1)),
            () -> JPEG.of(20, 90),
            () -> RandomTransform.from(Normalize.imagenet()),
            () -> RandomTransform.from(Pad.of(5, 2, 3, 40).withMode(PaddingMode.REFLECT)),
            () -> RandAugment.of(3, 14),
            () -> RandomAdjustSharpness.of(2),
            () -> RandomAffine.of(20).withTranslate(0.2, 0.1).withScale(0.5, 2).withShear(10),
            RandomAutocontrast::of,
            RandomChannelPermutation::of,
            () -> RandomCrop.of(20, 30).withPadding(4).withPadIfNeeded(true),
            RandomEqualize::of,
            () -> RandomErasing.of().withProbability(0.7).withRandomValue(),
            () -> RandomGrayscale.of(0.5),
            RandomHorizontalFlip::of,
            RandomInvert::of,
            () -> new BoxedImages(RandomIoUCrop.of()),
            () -> RandomPerspective.of(0.6, 0.8),
            RandomPhotometricDistort::of,
            () -> RandomPosterize.of(3),
            () -> RandomResizedCrop.of(32),
            () -> RandomRotation.of(170).withInterpolation(Interpolation.BILINEAR).withExpand(true),
            () -> RandomShortestSize.of(12, 20),
            () -> RandomSolarize.of(100),
            RandomVerticalFlip::of,
            RandomZoomOut::of,
            () -> RandomTransform.from(Resize.of(24)),
            () -> Resize.random(5, 50),
            () -> new BoxedImages(RandomTransform.from(SanitizeBoundingBoxes.of())),
            () -> ScaleJitter.of(24),
            () -> RandomTransform.from(ToTensor.of(DType.UINT8).withLayout(ImageLayout.HWC)),
            TrivialAugmentWide::of,
            () ->
                RandomApply.of(
                    RandomChoice.of(ColorJitter.of(0.4, 0.4, 0.4, 0.1), GaussianBlur.of(3)), 0.8),
            () ->
                RandomTransform.inRandomOrder(
                    RandomHorizontalFlip.of(),
                    RandomRotation.of(30),
                    ColorJitter.of(0.4, 0.4, 0.4, 0.1)));
    return all.map(each -> Named.of(each.get().toString(), each));
  }
}
