package io.feedline.formats.image.transform;

import static io.feedline.formats.image.Golden.filter;
import static io.feedline.formats.image.Golden.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.DType;
import io.feedline.formats.image.Golden;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.PaddingMode;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.transform.internal.ColorOperations;
import io.feedline.formats.image.transform.internal.Sharpness;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares each operation on images of one channel, of 16 bits and with alpha with torchvision's on
 * PIL images of the same modes; modes_operations.py made the file.
 */
class ModesTest {

  static Stream<String> operations() throws IOException {
    return Golden.lines("modes_operations.txt").stream()
        .map(words -> words[0] + " " + words[1])
        .distinct();
  }

  private static List<String[]> cases(String operation) throws IOException {
    return Golden.lines("modes_operations.txt").stream()
        .filter(words -> operation.equals(words[0] + " " + words[1]))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("operations")
  void shouldGiveTheSamplesThatTorchvisionGives(String operation) throws Exception {
    List<String[]> cases = cases(operation);

    assertThat(cases).isNotEmpty();
    for (String[] words : cases) {
      int end = words.length - 3;

      Image result = apply(words);

      String found =
          "%d %d %s".formatted(result.width(), result.height(), Golden.tensorCrc(whole(result)));
      assertThat(found)
          .as(Stream.of(words).limit(end).collect(Collectors.joining(" ")))
          .isEqualTo(String.join(" ", List.of(words).subList(end, words.length)));
    }
  }

  /** A part of the result, turned, must be that part of the whole. */
  @ParameterizedTest
  @MethodSource("operations")
  void shouldGiveTheSameSamplesInAPart(String operation) throws Exception {
    for (String[] words : cases(operation)) {
      Image result = apply(words);
      if (result.width() < 20 || result.height() < 20) {
        continue;
      }
      Image part = result.crop(new Region(7, 4, 11, 9)).flipHorizontal();
      byte[] all = bytes(result);
      byte[] some = bytes(part);

      int pixel = all.length / (result.width() * result.height());
      for (int y = 0; y < 9; y++) {
        for (int x = 0; x < 11; x++) {
          for (int b = 0; b < pixel; b++) {
            assertThat(some[(y * 11 + 10 - x) * pixel + b])
                .as("%s: %d, %d", String.join(" ", words), x, y)
                .isEqualTo(all[((y + 4) * result.width() + x + 7) * pixel + b]);
          }
        }
      }
    }
  }

  private static byte[] bytes(Image image) throws IOException {
    byte[] bytes = new byte[(int) whole(image).shape().elements() * whole(image).dtype().bytes()];
    Golden.written(whole(image)).get(bytes);
    return bytes;
  }

  /** Samples as they are. */
  private static Image whole(Image image) {
    return image.toTensor(
        image.mode() == ImageMode.GRAY16 ? DType.UINT16 : DType.UINT8, ImageLayout.HWC);
  }

  private static Image apply(String[] line) {
    ImageMode mode = ImageMode.named(line[1]);
    Image image = TestImage.noise(mode, number(line[2]), number(line[3]));
    List<String> words = List.of(line).subList(4, line.length - 3);
    return switch (line[0]) {
      case "resize_middle" ->
          TestImage.middle(image.width(), image.height())
              .resize(whole(words, 1), whole(words, 2), filter(words.get(0)));
      case "resize" -> image.resize(whole(words, 1), whole(words, 2), filter(words.get(0)));
      case "crop" ->
          image.crop(
              new Region(whole(words, 0), whole(words, 1), whole(words, 2), whole(words, 3)));
      case "hflip" -> image.flipHorizontal();
      case "vflip" -> image.flipVertical();
      case "rotate" ->
          new Warp(filter(words.get(0)), gray(words, 3))
              .rotate(image, real(words, 1), whole(words, 2) == 1);
      case "pad" ->
          image.pad(
              whole(words, 1),
              whole(words, 2),
              whole(words, 3),
              whole(words, 4),
              PaddingMode.valueOf(words.get(0).toUpperCase(Locale.ROOT)),
              gray(words, 5));
      case "brightness" -> image.map(ColorOperations.brightness(real(words, 0)));
      case "contrast" -> image.map(ColorOperations.contrast(real(words, 0)));
      case "saturation" -> image.map(ColorOperations.saturation(real(words, 0)));
      case "sharpness" -> image.map(new Sharpness((float) real(words, 0)));
      case "hue" -> image.map(ColorOperations.hue(real(words, 0)));
      case "posterize" -> image.map(ColorOperations.posterize(whole(words, 0)));
      case "solarize" -> image.map(ColorOperations.solarize(real(words, 0)));
      case "invert" -> image.map(ColorOperations.invert());
      case "autocontrast" -> image.map(ColorOperations.autocontrast());
      case "equalize" -> image.map(ColorOperations.equalize());
      case "grayscale" -> Grayscale.of(whole(words, 0)).apply(image);
      default -> throw new IllegalArgumentException("no operation " + line[0]);
    };
  }

  private static int gray(List<String> words, int at) {
    int level = whole(words, at);
    return new Fill(level, level, level).rgb();
  }

  private static double real(List<String> words, int at) {
    return Double.parseDouble(words.get(at));
  }

  private static int whole(List<String> words, int at) {
    return number(words.get(at));
  }
}
