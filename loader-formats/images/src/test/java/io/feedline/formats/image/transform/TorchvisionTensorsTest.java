package io.feedline.formats.image.transform;

import static io.feedline.formats.image.Golden.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.DType;
import io.feedline.formats.image.Golden;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares whole pipelines with torchvision's; torchvision_tensors.py made the file. */
class TorchvisionTensorsTest {

  private static final RandomTransform<Image, Image> NORMALIZE =
      RandomTransform.from(Normalize.imagenet());

  static Stream<List<String>> cases() throws IOException {
    return Golden.lines("torchvision_tensors.txt").stream().map(List::of);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void shouldWriteTheTensorThatTorchvisionMakes(List<String> line) throws Exception {
    String crc = line.get(line.size() - 1);
    TorchRandom random = TorchRandom.ofSeed(number(line.get(1)));
    Image image = TestImage.image(number(line.get(2)), number(line.get(3)));
    int[] arguments =
        line.subList(4, line.size() - 1).stream().mapToInt(Integer::parseInt).toArray();

    Image result = pipeline(line.get(0), arguments).apply(image, random);

    assertThat(Golden.tensorCrc(result)).isEqualTo(crc);
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
