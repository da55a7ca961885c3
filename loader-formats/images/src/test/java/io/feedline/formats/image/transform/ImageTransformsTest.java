package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.Shape;
import io.feedline.data.Dataset;
import io.feedline.formats.image.CountingSource;
import io.feedline.formats.image.Golden;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.PaddingMode;
import io.feedline.formats.image.pixel.Region;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Sizes, draws and decoded parts; further tests compare the pixels with torchvision's. */
class ImageTransformsTest {

  private static final Region PART = new Region(3, 4, 5, 6);

  private static TorchRandom random() {
    return TorchRandom.ofSeed(1);
  }

  private static RandomTransform<Image, Image> cropped(RandomTransform<Image, Image> transform) {
    return (image, random) -> transform.apply(image, random).crop(PART);
  }

  static List<Arguments> parts() {
    return List.of(
        Arguments.of(CenterCrop.of(4), 10, 10, new Region(3, 3, 4, 4)),
        Arguments.of(CenterCrop.of(4), 11, 11, new Region(4, 4, 4, 4)),
        Arguments.of(CenterCrop.of(4), 13, 13, new Region(4, 4, 4, 4)),
        Arguments.of(CenterCrop.of(4), 9, 9, new Region(2, 2, 4, 4)),
        Arguments.of(CenterCrop.of(4), 4, 4, new Region(0, 0, 4, 4)),
        // Scaled by 512 / 1000: columns 144 to 368 of 512, rows 16 to 240 of 256.
        Arguments.of(
            Resize.of(256).andThen(CenterCrop.of(224)), 1000, 500, new Region(280, 30, 440, 440)),
        Arguments.of(cropped(RandomVerticalFlip.of(1)), 30, 20, new Region(3, 10, 5, 6)),
        Arguments.of(cropped(ColorJitter.of(0.4, 0, 0.4, 0.1)), 30, 20, PART),
        Arguments.of(cropped(ColorJitter.of(0, 0.4, 0, 0)), 30, 20, new Region(0, 0, 30, 20)),
        Arguments.of(cropped(RandomTransform.from(Pad.of(2))), 30, 20, new Region(1, 2, 5, 6)),
        Arguments.of(
            cropped(RandomTransform.from(Pad.of(6).withMode(PaddingMode.REFLECT))),
            30,
            20,
            new Region(0, 0, 4, 4)),
        Arguments.of(RandomCrop.of(20, 30).withPadding(4), 300, 200, new Region(145, 108, 30, 20)),
        Arguments.of(
            RandomResizedCrop.of(32), 300, 200, RandomResizedCrop.of(32).draw(300, 200, random())));
  }

  @ParameterizedTest
  @MethodSource("parts")
  void shouldDecodeOnlyTheNeededPart(
      RandomTransform<Image, Image> transform, int width, int height, Region part)
      throws Exception {
    CountingSource source = new CountingSource(width, height);

    transform.apply(source.image(), random()).pixels();

    assertThat(source.lastRegion()).isEqualTo(part);
    assertThat(source.decodes()).isEqualTo(1);
  }

  @Test
  void shouldDecodeOnceForAllOperationsOnColors() throws Exception {
    ColorJitter jitter = ColorJitter.of(0.4, 0.4, 0.4, 0.1);
    for (int seed = 0; seed < 50; seed++) {
      for (RandomTransform<Image, Image> each :
          List.of(jitter.andThen(jitter), RandAugment.of(6, 9))) {
        CountingSource source = new CountingSource(30, 20);

        each.apply(source.image(), TorchRandom.ofSeed(seed)).pixels();

        assertThat(source.decodes()).isEqualTo(1);
      }
    }
  }

  @Test
  void shouldDecodeNothingForABorderAlone() throws Exception {
    CountingSource source = new CountingSource(30, 20);
    Image padded = Pad.of(4).withFill(1, 2, 3).apply(source.image());

    assertThat(padded.crop(new Region(0, 0, 1, 1)).pixels().rgb()).containsExactly(1, 2, 3);
    assertThat(source.decodes()).isZero();
    assertThat(Pad.of(4).apply(source.image())).asString().doesNotContain("padded");
  }

  static List<Arguments> sizes() {
    return List.of(
        Arguments.of(Resize.of(256), 500, 375, 341, 256), // 341.33: the fraction is cut off
        Arguments.of(Resize.of(256), 375, 500, 256, 341),
        Arguments.of(Resize.of(256), 300, 300, 256, 256),
        Arguments.of(Resize.of(256), 400, 256, 400, 256),
        Arguments.of(Resize.of(256), 3, 1000, 256, 85333),
        Arguments.of(Resize.of(256), 1, 1, 256, 256),
        Arguments.of(Resize.of(256).withMaxSize(300), 500, 375, 300, 225), // 300 * 256 / 341
        Arguments.of(Resize.of(256).withMaxSize(300), 375, 500, 225, 300),
        Arguments.of(Resize.of(256).withMaxSize(300), 300, 300, 256, 256),
        Arguments.of(Resize.of(256).withMaxSize(300), 9999, 1, 300, 1),
        Arguments.of(Resize.ofLongerEdge(300), 500, 375, 300, 225),
        Arguments.of(Resize.ofLongerEdge(300), 375, 500, 225, 300),
        Arguments.of(Resize.ofLongerEdge(300), 100, 99, 300, 297),
        Arguments.of(Resize.ofLongerEdge(300), 333, 1000, 99, 300),
        Arguments.of(Resize.ofLongerEdge(300), 9999, 1, 300, 1),
        Arguments.of(Resize.of(20, 70), 33, 44, 70, 20),
        Arguments.of(RandomShortestSize.of(40).withMaxSize(50), 100, 20, 50, 10),
        Arguments.of(ScaleJitter.of(40, 10).withScale(1, 1), 80, 10, 40, 5),
        Arguments.of(ScaleJitter.of(40, 10).withScale(1, 1), 20, 40, 5, 10));
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void shouldHaveTheSizeOfTorchvision(
      RandomTransform<Image, Image> transform, int width, int height, int newWidth, int newHeight)
      throws Exception {
    Image result = transform.apply(new CountingSource(width, height).image(), random());

    assertThat(List.of(result.width(), result.height())).containsExactly(newWidth, newHeight);
  }

  static List<Arguments> unchanged() {
    Image gray = TestImage.noise(ImageMode.GRAY, 5, 4);
    Image wide = TestImage.noise(ImageMode.GRAY16, 5, 4);
    RandomPerspective perspective = RandomPerspective.of(0.5, 1);
    return List.of(
        Arguments.of(ColorJitter.of(), TestImage.image(5, 5), 3),
        Arguments.of(Grayscale.of(1), gray, 0),
        Arguments.of(Grayscale.of(1), wide, 0),
        Arguments.of(RandAugment.of(0, 9), TestImage.image(5, 5), 0),
        Arguments.of(RandomCrop.of(20, 30), TestImage.image(30, 20), 0),
        Arguments.of(perspective, TestImage.image(1, 1), 9),
        Arguments.of(perspective, TestImage.image(1, 9), 9),
        Arguments.of(perspective, TestImage.image(9, 1), 9),
        Arguments.of(perspective.withProbability(0), TestImage.image(9, 9), 1),
        Arguments.of(RandomPhotometricDistort.of().withProbability(0), TestImage.image(3, 3), 6));
  }

  @ParameterizedTest
  @MethodSource("unchanged")
  void shouldReturnTheSameImageIfNothingChanges(
      RandomTransform<Image, Image> transform, Image image, int words) throws Exception {
    TorchRandom random = random();

    assertThat(transform.apply(image, random)).isSameAs(image);
    assertThat(random.words()).isEqualTo(words);
  }

  @Test
  void shouldDrawAsManyNumbersWhateverTheOutcome() throws Exception {
    Image image = TestImage.image(31, 17);
    for (int seed = 0; seed < 30; seed++) {
      for (AutoAugment.Policy policy : AutoAugment.Policy.values()) {
        assertThat(words(AutoAugment.of(policy), image, seed)).isEqualTo(5);
      }
    }
    assertThat(words(RandomPerspective.of(0.5, 1), image, 1)).isEqualTo(9);
    assertThat(words(ElasticTransform.of(), image, 1)).isEqualTo(2 * 31 * 17);
  }

  private static long words(RandomTransform<Image, Image> transform, Image image, int seed)
      throws Exception {
    TorchRandom random = TorchRandom.ofSeed(seed);
    transform.apply(image, random);
    return random.words();
  }

  // ---- transforms with a probability ----

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

  @Test
  void shouldDrawEachOrderAndEachLengthAboutAsOften() throws Exception {
    TorchRandom random = TorchRandom.ofSeed(2);
    Image image = Image.ofRgb(new byte[] {1, 2, 3}, 1, 1);
    int[] orders = new int[322];
    int[] heights = new int[21];
    for (int i = 0; i < 600; i++) {
      byte[] rgb = RandomChannelPermutation.of().apply(image, random).pixels().rgb();
      orders[100 * rgb[0] + 10 * rgb[1] + rgb[2]]++;
      heights[RandomShortestSize.of(12, 20).apply(TestImage.image(60, 40), random).height()]++;
    }

    for (int order : new int[] {123, 132, 213, 231, 312, 321}) {
      assertThat(orders[order]).as("order %d", order).isBetween(60, 140);
    }
    assertThat(heights[12]).isBetween(250, 350);
    assertThat(heights[12] + heights[20]).isEqualTo(600);
  }

  // ---- geometry ----

  private static String row(Transform<Image, Image> transform, Image image) throws Exception {
    StringBuilder pixels = new StringBuilder();
    byte[] rgb = transform.apply(image).pixels().rgb();
    for (int i = 0; i < rgb.length; i += 3) {
      pixels.append(rgb[i]);
    }
    return pixels.toString();
  }

  @Test
  void shouldSurroundASmallerImageWithBlackOrRepeatIt() throws Exception {
    Image row = Image.ofRgb(new byte[] {1, 1, 1, 2, 2, 2, 3, 3, 3}, 3, 1);
    Pad pad = Pad.of(6, 0, 4, 0);

    assertThat(row(pad.withMode(PaddingMode.EDGE), row)).isEqualTo("1111111233333");
    assertThat(row(pad.withMode(PaddingMode.REFLECT), row)).isEqualTo("3212321232123");
    assertThat(row(pad.withMode(PaddingMode.SYMMETRIC), row)).isEqualTo("1233211233211");
    assertThat(row(pad, row)).isEqualTo("0000001230000");
    assertThat(row(CenterCrop.of(4, 6), row)).isEqualTo("000000" + "012300" + "000000" + "000000");
  }

  @Test
  void shouldTurnByRightAnglesWithoutResampling() throws Exception {
    byte[] rgb = new byte[3 * 2 * 3];
    for (int i = 0; i < rgb.length; i++) {
      rgb[i] = (byte) (i / 3);
    }
    String[] turned = {"135024", "543210", "420531", "012345"};
    for (int quarters = 1; quarters <= 4; quarters++) {
      double degrees = quarters == 3 ? -90 : 90 * quarters;
      RandomRotation rotation = RandomRotation.of(degrees, degrees).withExpand(true);

      assertThat(row(image -> rotation.apply(image, random()), Image.ofRgb(rgb, 2, 3)))
          .isEqualTo(turned[quarters - 1]);
    }
  }

  /** Beyond 32768 pixels Pillow leaves its fixed point arithmetic. */
  @Test
  void shouldTurnALongImage() throws Exception {
    Image result =
        new Warp(Interpolation.NEAREST, 0).rotate(TestImage.noise(40_000, 3), 0.002, false);

    assertThat(Golden.pixelsCrc(result)).isEqualTo("b231bd56");
  }

  @Test
  void shouldTakeTheMiddleOfAnImageWhereNoPartFits() {
    RandomResizedCrop tooLarge = RandomResizedCrop.of(8).withScale(2, 3);

    assertThat(tooLarge.draw(100, 10, random())).isEqualTo(new Region(43, 0, 13, 10));
    assertThat(tooLarge.draw(10, 100, random())).isEqualTo(new Region(0, 43, 10, 13));
    assertThat(tooLarge.draw(50, 60, random())).isEqualTo(new Region(0, 0, 50, 60));
    assertThat(tooLarge.withRatio(5, 6).draw(1, 90, random())).isEqualTo(new Region(0, 44, 1, 1));
  }

  @Test
  void shouldKeepTheImageWholeOnALargerCanvas() throws Exception {
    Image image = Image.ofRgb(new byte[] {1, 2, 3, 4, 5, 6}, 2, 1);
    RandomZoomOut zoom = RandomZoomOut.of().withProbability(1);
    for (int seed = 0; seed < 50; seed++) {
      Image result = zoom.apply(image, TorchRandom.ofSeed(seed));

      assertThat(result.width()).isBetween(2, 8);
      assertThat(result.height()).isBetween(1, 4);
      int sum = 0;
      for (byte sample : result.pixels().rgb()) {
        sum += sample;
      }
      assertThat(sum).isEqualTo(21);
    }
  }

  @Test
  void shouldDecodeTheCornersAndTheMiddleAlone() throws Exception {
    List<Region> five = decoded(FiveCrop.of(10, 8));
    List<Region> ten = decoded(TenCrop.of(10, 8));

    assertThat(five)
        .containsExactly(
            new Region(0, 0, 8, 10),
            new Region(33, 0, 8, 10),
            new Region(0, 19, 8, 10),
            new Region(33, 19, 8, 10),
            new Region(16, 10, 8, 10));
    assertThat(ten.subList(0, 5)).isEqualTo(five);
    assertThat(ten.subList(5, 9))
        .containsExactly(five.get(1), five.get(0), five.get(3), five.get(2));
  }

  private static List<Region> decoded(Transform<Image, List<Image>> crop) throws Exception {
    CountingSource source = new CountingSource(41, 29);
    List<Region> decoded = new ArrayList<>();
    for (Image part : crop.apply(source.image())) {
      assertThat(source.decodes()).isEqualTo(decoded.size());
      part.pixels();
      decoded.add(source.lastRegion());
    }
    return decoded;
  }

  private record Views(List<Image> image, int label) {}

  @Test
  void shouldBecomeFiveTensorsOfABatch() throws Exception {
    FiveCrop crop = FiveCrop.of(10);
    Dataset<Views> views =
        Dataset.of(3, index -> new Views(crop.apply(TestImage.image(20, 20)), (int) index));
    try (DataLoader<Views> loader = DataLoader.builder(views).batchSize(3).build();
        Batch batch = loader.iterator().next()) {
      assertThat(batch.tensors().keySet())
          .containsExactly("image.0", "image.1", "image.2", "image.3", "image.4", "label");
      assertThat(batch.tensor("image.4").shape()).isEqualTo(Shape.of(3, 3, 10, 10));
    }
  }

  @Test
  void shouldLeaveAntialiasingOutWhenAsked() {
    Resize plain = Resize.of(10, 20).withAntialias(false);

    assertThat(plain).hasToString("Resize(size=[10, 20], interpolation=bilinear, antialias=false)");
    assertThat(plain.apply(TestImage.image(50, 60)).toString())
        .contains("resized to 20 x 10 (bilinear, not antialiased)");
    assertThat(Resize.ofLongerEdge(300).toString()).startsWith("Resize(maxSize=300, ");
  }

  @Test
  void shouldSayWhichSizeIsTooLargeForAnArray() {
    assertThatThrownBy(Resize.of(300_000).apply(TestImage.image(3, 3))::pixels)
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContainingAll("300000 x 300000", "2^31");
  }

  // ---- colors ----

  @Test
  void shouldChangeTheCropThatStandsBeforeAnOperation() throws Exception {
    CountingSource source = new CountingSource(30, 20);
    ColorJitter jitter = ColorJitter.of(0.4, 0.4, 0.4, 0.1);

    Image cropped = source.image().crop(PART).flipHorizontal();
    Image expected = cropped.pixels().toImage();

    assertThat(jitter.apply(cropped, random()).pixels().rgb())
        .isEqualTo(jitter.apply(expected, random()).pixels().rgb());
    assertThat(source.lastRegion()).isEqualTo(PART);
  }

  @Test
  void shouldGiveTheSameMixtureInAPart() throws Exception {
    for (int seed = 0; seed < 10; seed++) {
      Image mixed = AugMix.of().apply(TestImage.noise(41, 29), TorchRandom.ofSeed(seed));

      assertThat(mixed.crop(PART).pixels().rgb())
          .isEqualTo(mixed.pixels().toImage().crop(PART).pixels().rgb());
      assertThat(mixed.toString()).containsPattern("mixed with .* of \\[[a-z ]+ .*\\], ");
    }
  }

  @Test
  void shouldKeepAnEvenImageEvenAndAStillImageStill() throws Exception {
    byte[] even = new byte[3 * 6 * 4];
    Arrays.fill(even, (byte) 200);
    Image image = TestImage.noise(31, 17);

    Image blurred = GaussianBlur.of(9).apply(Image.ofRgb(even.clone(), 6, 4), random());
    Image still = ElasticTransform.of(0, 3).apply(image, random());

    assertThat(blurred.pixels().rgb()).isEqualTo(even);
    assertThat(still.pixels().rgb()).isEqualTo(image.pixels().rgb());
  }

  /** torch.manual_seed(3); GaussianBlur.get_params(0.1, 2.0) */
  @Test
  void shouldDrawTheDeviationAsTorchvisionDoes() {
    Image blurred = GaussianBlur.of(3).apply(TestImage.image(9, 9), TorchRandom.ofSeed(3));

    assertThat(blurred).asString().contains("blur 3 x 3, sigma 0.10810068994760513");
  }

  @Test
  void shouldMakeThreeEqualChannelsAndLeaveTheArrayUnchanged() throws Exception {
    byte[] colors = {10, 20, 30, (byte) 255, 0, 0, (byte) 255, (byte) 255, (byte) 255};

    assertThat(Grayscale.of().apply(Image.ofRgb(colors, 3, 1)).pixels().rgb())
        .containsExactly(18, 18, 18, 76, 76, 76, -1, -1, -1);
    assertThat(colors).startsWith(10, 20, 30);
    for (ImageMode mode : List.of(ImageMode.GRAY, ImageMode.RGB, ImageMode.RGBA)) {
      Image image = TestImage.noise(mode, 3, 3);
      assertThat(Grayscale.of().apply(image).mode()).isEqualTo(ImageMode.RGB);
      assertThat(RandomGrayscale.of(1).apply(image, random()).mode()).isEqualTo(mode);
    }
    byte[] gray = TestImage.noise(ImageMode.GRAY, 33, 17).jpeg(50).pixels().rgb();
    for (int i = 0; i < gray.length; i++) {
      assertThat(gray[i]).isEqualTo(gray[i / 3 * 3]);
    }
  }
}
