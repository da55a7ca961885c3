package io.feedline.formats.image.transform;

import static io.feedline.formats.image.Golden.filter;
import static io.feedline.formats.image.Golden.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.DType;
import io.feedline.formats.image.AffineMatrix;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares each operation, with given parameters, with torchvision's on PIL images of all modes;
 * torchvision_operations.py and modes_operations.py made the files.
 */
class TorchvisionOperationsTest {

  /** A line of a file: operation, mode, width, height, arguments, width, height, checksum. */
  private record Case(List<String> line) {

    Image image() {
      int width = number(line.get(2));
      int height = number(line.get(3));
      return line.get(0).equals("resize_middle")
          ? TestImage.middle(width, height)
          : TestImage.noise(ImageMode.named(line.get(1)), width, height);
    }

    List<String> words() {
      return line.subList(4, line.size() - 3);
    }

    String expected() {
      return String.join(" ", line.subList(line.size() - 3, line.size()));
    }

    String group() {
      return line.get(0) + " " + line.get(1);
    }
  }

  private static List<Case> cases() throws IOException {
    List<Case> cases = new ArrayList<>();
    for (String[] words : Golden.lines("torchvision_operations.txt")) {
      List<String> line = new ArrayList<>(List.of(words));
      line.add(1, "rgb");
      cases.add(new Case(line));
    }
    for (String[] words : Golden.lines("modes_operations.txt")) {
      cases.add(new Case(List.of(words)));
    }
    return cases;
  }

  static Stream<String> groups() throws IOException {
    return cases().stream().map(Case::group).distinct();
  }

  @ParameterizedTest
  @MethodSource("groups")
  void shouldGiveTheSamplesThatTorchvisionGives(String group) throws Exception {
    for (Case each : cases()) {
      if (each.group().equals(group)) {
        Image result = apply(each);

        String found =
            "%d %d %s".formatted(result.width(), result.height(), Golden.tensorCrc(result));
        assertThat(found).as("%s", each).isEqualTo(each.expected());
        assertPartIsEqual(result);
      }
    }
  }

  /** A part of the result, turned, must be that part of the whole. */
  private static void assertPartIsEqual(Image result) throws IOException {
    if (result.width() < 20 || result.height() < 20) {
      return;
    }
    byte[] all = Golden.bytes(result);
    int pixel = all.length / (result.width() * result.height());
    byte[] expected = new byte[11 * 9 * pixel];
    for (int i = 0; i < expected.length / pixel; i++) {
      int from = (i / 11 + 4) * result.width() + 10 - i % 11 + 7;
      System.arraycopy(all, from * pixel, expected, i * pixel, pixel);
    }

    assertThat(Golden.bytes(result.crop(new Region(7, 4, 11, 9)).flipHorizontal()))
        .as("%s", result)
        .isEqualTo(expected);
  }

  /** Returns the result with samples as they are. */
  private static Image apply(Case one) {
    Image changed = apply(one.line.get(0), one.image(), one.words());
    return changed.toTensor(
        changed.mode() == ImageMode.GRAY16 ? DType.UINT16 : DType.UINT8, ImageLayout.HWC);
  }

  private static Image apply(String operation, Image image, List<String> words) {
    return switch (operation) {
      case "resize", "resize_middle" ->
          image.resize(whole(words, 1), whole(words, 2), filter(words.get(0)));
      case "crop" ->
          image.crop(
              new Region(whole(words, 0), whole(words, 1), whole(words, 2), whole(words, 3)));
      case "brightness" -> image.map(ColorOperations.brightness(real(words, 0)));
      case "contrast" -> image.map(ColorOperations.contrast(real(words, 0)));
      case "saturation" -> image.map(ColorOperations.saturation(real(words, 0)));
      case "hue" -> image.map(ColorOperations.hue(real(words, 0)));
      case "sharpness" -> image.map(new Sharpness((float) real(words, 0)));
      case "posterize" -> image.map(ColorOperations.posterize(whole(words, 0)));
      case "solarize" -> image.map(ColorOperations.solarize(real(words, 0)));
      case "grayscale" -> Grayscale.of(words.isEmpty() ? 3 : whole(words, 0)).apply(image);
      case "invert" -> image.map(ColorOperations.invert());
      case "autocontrast" -> image.map(ColorOperations.autocontrast());
      case "equalize" -> image.map(ColorOperations.equalize());
      case "hflip" -> image.flipHorizontal();
      case "vflip" -> image.flipVertical();
      case "rotate" -> rotate(image, words);
      case "affine" -> affine(image, words);
      case "pad" ->
          image.pad(
              whole(words, 1),
              whole(words, 2),
              whole(words, 3),
              whole(words, 4),
              PaddingMode.valueOf(words.get(0).toUpperCase(Locale.ROOT)),
              fill(words, 5));
      default -> throw new IllegalArgumentException("no operation " + operation);
    };
  }

  private static Image rotate(Image image, List<String> words) {
    boolean expand = words.get(2).equals("1");
    double x = words.size() == 4 ? -1 : real(words, 3);
    Warp warp = new Warp(filter(words.get(0)), fill(words, words.size() == 4 ? 3 : 5));
    return x < 0
        ? warp.rotate(image, real(words, 1), expand)
        : warp.rotateAround(image, real(words, 1), x, real(words, 4), expand);
  }

  private static Image affine(Image image, List<String> words) {
    Warp warp = new Warp(filter(words.get(0)), fill(words, 9));
    boolean centered = real(words, 1) < 0;
    double[] n = new double[9];
    for (int i = 1; i < n.length; i++) {
      n[i] = real(words, i);
    }
    double x = centered ? image.width() * 0.5 : n[1];
    double y = centered ? image.height() * 0.5 : n[2];
    return warp.affine(image, AffineMatrix.inverse(x, y, n[3], n[4], n[5], n[6], n[7], n[8]));
  }

  /** Returns the color of the last one or three words. */
  private static int fill(List<String> words, int at) {
    int last = words.size() - 1;
    return new Fill(whole(words, at), whole(words, (at + last) / 2), whole(words, last)).rgb();
  }

  private static double real(List<String> words, int at) {
    return Double.parseDouble(words.get(at));
  }

  private static int whole(List<String> words, int at) {
    return (int) real(words, at);
  }
}
