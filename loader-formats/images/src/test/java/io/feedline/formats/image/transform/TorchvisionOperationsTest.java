package io.feedline.formats.image.transform;

import static io.feedline.formats.image.Golden.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.AffineMatrix;
import io.feedline.formats.image.Golden;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.PaddingMode;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.transform.internal.Blur;
import io.feedline.formats.image.transform.internal.ColorOperations;
import io.feedline.formats.image.transform.internal.Sharpness;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares each operation, with given parameters, with torchvision's on PIL images;
 * torchvision_operations.py made the files.
 */
class TorchvisionOperationsTest {

  static Stream<String> operations() throws IOException {
    return Golden.lines("torchvision_operations.txt").stream().map(words -> words[0]).distinct();
  }

  @ParameterizedTest
  @MethodSource("operations")
  void shouldGiveThePixelsThatTorchvisionGives(String operation) throws Exception {
    List<String[]> cases =
        Golden.lines("torchvision_operations.txt").stream()
            .filter(words -> words[0].equals(operation))
            .toList();

    assertThat(cases).isNotEmpty();
    for (String[] words : cases) {
      int end = words.length - 3;
      Image image = TestImage.noise(number(words[1]), number(words[2]));
      List<String> arguments = List.of(words).subList(3, end);

      Image result = apply(operation, image, arguments);

      String found =
          "%d %d %s".formatted(result.width(), result.height(), Golden.pixelsCrc(result));
      assertThat(found)
          .as(Stream.of(words).limit(end).collect(Collectors.joining(" ")))
          .isEqualTo(String.join(" ", List.of(words).subList(end, words.length)));
    }
  }

  /** A part of the result must be that part of the whole: operations see it whole nevertheless. */
  @ParameterizedTest
  @MethodSource("operations")
  void shouldGiveTheSamePixelsInAPart(String operation) throws Exception {
    for (String[] words : Golden.lines("torchvision_operations.txt")) {
      if (words[0].equals(operation) && words[1].equals("41")) {
        List<String> arguments = List.of(words).subList(3, words.length - 3);
        Image result = apply(operation, TestImage.noise(41, 29), arguments);
        Region part = new Region(7, 4, 11, 9);

        assertThat(result.crop(part).pixels().rgb())
            .as(String.join(" ", words))
            .isEqualTo(result.pixels().toImage().crop(part).pixels().rgb());
      }
    }
  }

  private static Image apply(String operation, Image image, List<String> words) {
    double first = words.isEmpty() || !isNumber(words.get(0)) ? 0 : real(words, 0);
    return switch (operation) {
      case "brightness" -> image.map(ColorOperations.brightness(first));
      case "contrast" -> image.map(ColorOperations.contrast(first));
      case "saturation" -> image.map(ColorOperations.saturation(first));
      case "hue" -> image.map(ColorOperations.hue(first));
      case "sharpness" -> image.map(new Sharpness((float) first));
      case "posterize" -> image.map(ColorOperations.posterize((int) first));
      case "solarize" -> image.map(ColorOperations.solarize(first));
      case "grayscale" -> Grayscale.of().apply(image);
      case "invert" -> image.map(ColorOperations.invert());
      case "autocontrast" -> image.map(ColorOperations.autocontrast());
      case "equalize" -> image.map(ColorOperations.equalize());
      case "vflip" -> image.flipVertical();
      case "rotate" -> rotate(image, words);
      case "affine" -> affine(image, words);
      case "pad" -> pad(image, words);
      default -> throw new IllegalArgumentException("no operation " + operation);
    };
  }

  private static Image rotate(Image image, List<String> words) {
    Warp warp = warp(words, 5);
    boolean expand = words.get(2).equals("1");
    double x = real(words, 3);
    return x < 0
        ? warp.rotate(image, real(words, 1), expand)
        : warp.rotateAround(image, real(words, 1), x, real(words, 4), expand);
  }

  private static Image affine(Image image, List<String> words) {
    Warp warp = warp(words, 9);
    boolean centered = real(words, 1) < 0;
    double x = centered ? image.width() * 0.5 : real(words, 1);
    double y = centered ? image.height() * 0.5 : real(words, 2);
    double angle = real(words, 3);
    double dx = real(words, 4);
    double dy = real(words, 5);
    double scale = real(words, 6);
    double shearX = real(words, 7);
    double shearY = real(words, 8);
    return warp.affine(image, AffineMatrix.inverse(x, y, angle, dx, dy, scale, shearX, shearY));
  }

  private static Image pad(Image image, List<String> words) {
    PaddingMode mode = PaddingMode.valueOf(words.get(0).toUpperCase(Locale.ROOT));
    return image.pad(
        whole(words, 1), whole(words, 2), whole(words, 3), whole(words, 4), mode, fill(words, 5));
  }

  private static Warp warp(List<String> words, int fillAt) {
    return new Warp(Golden.filter(words.get(0)), fill(words, fillAt));
  }

  private static int fill(List<String> words, int at) {
    return new Fill(whole(words, at), whole(words, at + 1), whole(words, at + 2)).rgb();
  }

  private static boolean isNumber(String word) {
    return !Character.isLetter(word.charAt(0));
  }

  private static double real(List<String> words, int at) {
    return Double.parseDouble(words.get(at));
  }

  private static int whole(List<String> words, int at) {
    return number(words.get(at));
  }

  /** Width, height, width and height of the kernel, sigma: BLURS of the script. */
  private static final double[][] BLURS = {
    {41, 29, 3, 3, 0.1},
    {41, 29, 5, 5, 0.8},
    {41, 29, 23, 23, 1.7},
    {41, 29, 3, 9, 2.0},
    {41, 29, 55, 1, 9.5},
    {41, 29, 1, 1, 1.0},
    {12, 30, 23, 7, 40.0},
  };

  @Test
  void shouldBlurAsTorchvisionDoesButForRoundingLimits() throws Exception {
    int samples = 0;
    int different = 0;
    try (InputStream in =
        new GZIPInputStream(Golden.class.getResourceAsStream("gaussian_blur.bin.gz"))) {
      for (double[] blur : BLURS) {
        Image image = TestImage.noise((int) blur[0], (int) blur[1]);
        byte[] blurred = image.map(new Blur((int) blur[2], (int) blur[3], blur[4])).pixels().rgb();
        byte[] expected = in.readNBytes(blurred.length);
        for (int i = 0; i < blurred.length; i++) {
          int difference = (blurred[i] & 0xFF) - (expected[i] & 0xFF);
          assertThat(difference).as("sample %d", i).isBetween(-1, 1);
          different += Math.abs(difference);
        }
        samples += blurred.length;
      }
      assertThat(in.read()).isEqualTo(-1);
    }
    assertThat(different).as("of %d samples", samples).isLessThan(samples / 1000);
  }
}
