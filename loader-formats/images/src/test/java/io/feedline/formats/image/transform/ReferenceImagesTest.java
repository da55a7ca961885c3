package io.feedline.formats.image.transform;

import static io.feedline.formats.image.Golden.filter;
import static io.feedline.formats.image.Golden.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.DType;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.Golden;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Compares with what Pillow and torchvision made of the same images; scripts made the files. */
class ReferenceImagesTest {

  private static final RandomTransform<Image, Image> NORMALIZE =
      RandomTransform.from(Normalize.imagenet());

  private static Image part(String... words) {
    return TestImage.image(number(words[0]), number(words[1])).crop(region(2, words));
  }

  private static Region region(int at, String... words) {
    return new Region(
        number(words[at]), number(words[at + 1]), number(words[at + 2]), number(words[at + 3]));
  }

  @Test
  void shouldResizeAsPillowDoes() throws Exception {
    for (String[] words : Golden.lines("pillow_resize.txt")) {
      Image image = part(words).resize(number(words[6]), number(words[7]), filter(words[8]));

      assertThat(Golden.pixelsCrc(image)).as(String.join(" ", words)).isEqualTo(words[9]);
    }
  }

  @Test
  void shouldDecodeAFractionAsPillowDoes() throws Exception {
    DecodeOptions fast =
        DecodeOptions.DEFAULT.withBackend(DecodeOptions.Backend.FEEDLINE).withFast(true);
    for (String[] words : Golden.lines("pillow_draft.txt")) {
      Image image =
          Image.ofEncoded(Fixtures.bytes(words[0]), words[0], fast)
              .resize(number(words[1]), number(words[2]), Interpolation.BILINEAR);

      assertThat(Golden.pixelsCrc(image)).as(String.join(" ", words)).isEqualTo(words[3]);
    }
  }

  /** torchvision computes in floats and rounds once; Feedline rounds after each pass. */
  @Test
  void shouldResizeWithoutAntialiasingAsTorchvisionDoesToOneLevel() throws Exception {
    for (String[] words : Golden.lines("torchvision_plain.txt")) {
      byte[] expected = HexFormat.of().parseHex(words[8]);

      Image image =
          part(words).resize(number(words[6]), number(words[7]), Interpolation.BILINEAR, false);

      byte[] rgb = image.pixels().rgb();
      assertThat(rgb).hasSameSizeAs(expected);
      for (int i = 0; i < rgb.length; i++) {
        assertThat((rgb[i] & 0xFF) - (expected[i] & 0xFF))
            .as("%s, sample %d", image, i)
            .isBetween(-1, 1);
      }
    }
  }

  @Test
  void shouldTakeThePartThatTorchvisionTakes() throws Exception {
    for (String[] words : Golden.lines("torchvision_crops.txt")) {
      double[] ranges =
          Arrays.stream(words).skip(3).limit(4).mapToDouble(Double::parseDouble).toArray();
      TorchRandom random = TorchRandom.ofSeed(Long.parseLong(words[0]));

      Region part =
          RandomResizedCrop.of(224)
              .withScale(ranges[0], ranges[1])
              .withRatio(ranges[2], ranges[3])
              .draw(number(words[1]), number(words[2]), random);

      assertThat(part).as(String.join(" ", words)).isEqualTo(region(7, words));
      assertThat(random.nextInt() & Integer.MAX_VALUE).isEqualTo(number(words[11]));
    }
  }

  @Test
  void shouldWriteTheTensorThatTorchvisionMakes() throws Exception {
    for (String[] words : Golden.lines("torchvision_tensors.txt")) {
      int end = words.length - 1;
      TorchRandom random = TorchRandom.ofSeed(number(words[1]));
      Image image = TestImage.image(number(words[2]), number(words[3]));
      int[] sizes = Arrays.stream(words, 4, end).mapToInt(Integer::parseInt).toArray();

      Image result = pipeline(words[0], sizes).apply(image, random);

      assertThat(Golden.tensorCrc(result)).as(String.join(" ", words)).isEqualTo(words[end]);
    }
  }

  private static RandomTransform<Image, Image> pipeline(String name, int... arguments) {
    int first = arguments[0];
    return switch (name) {
      case "train" -> train(first).andThen(NORMALIZE);
      case "bicubic" ->
          RandomHorizontalFlip.of()
              .andThen(RandomResizedCrop.of(first).withInterpolation(Interpolation.BICUBIC));
      case "validate" ->
          RandomTransform.from(Resize.of(first))
              .andThen(CenterCrop.of(arguments[1]))
              .andThen(NORMALIZE);
      case "limited" ->
          RandomTransform.from(Resize.of(first).withMaxSize(arguments[1])).andThen(NORMALIZE);
      case "center" -> RandomTransform.from(CenterCrop.of(first, arguments[1])).andThen(NORMALIZE);
      case "channelsLast" ->
          train(first).andThen(ToTensor.of().withLayout(ImageLayout.HWC)).andThen(NORMALIZE);
      case "bytes" -> train(first).andThen(ToTensor.of(DType.UINT8));
      case "bytesChannelsLast" ->
          train(first).andThen(ToTensor.of(DType.UINT8).withLayout(ImageLayout.HWC));
      case "twice" ->
          RandomTransform.from(Resize.of(first))
              .andThen(RandomHorizontalFlip.of(1))
              .andThen(CenterCrop.of(first + 9))
              .andThen(RandomResizedCrop.of(arguments[1]))
              .andThen(CenterCrop.of(arguments[1] - 20))
              .andThen(CenterCrop.of(arguments[1] + 11))
              .andThen(NORMALIZE);
      default -> throw new IllegalArgumentException("no pipeline " + name);
    };
  }

  private static RandomTransform<Image, Image> train(int size) {
    return RandomResizedCrop.of(size).andThen(RandomHorizontalFlip.of());
  }
}
