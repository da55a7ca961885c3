package io.feedline.formats.image.transform;

import static io.feedline.formats.image.Golden.filter;
import static io.feedline.formats.image.Golden.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.feedline.formats.image.Golden;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.PerspectiveMatrix;
import io.feedline.formats.image.PerspectiveMatrix.Corner;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.transform.internal.Blur;
import io.feedline.sampler.TorchRandom;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/**
 * Compares operations, with given parameters, with those of torchvision's v2, and blurs with v1's,
 * on PIL images; torchvision_v2_augmentations.py made the files.
 */
class TorchvisionV2OperationsTest {

  private static List<String[]> lines(String kind) throws IOException {
    List<String[]> lines =
        Golden.lines("torchvision_v2_augmentations.txt").stream()
            .filter(words -> words[0].equals(kind))
            .toList();
    assertThat(lines).isNotEmpty();
    return lines;
  }

  @Test
  void shouldHaveTheCoefficientsOfTorchvision() throws Exception {
    for (String[] words : lines("corners")) {
      Corner[] to = new Corner[4];
      for (int i = 0; i < 4; i++) {
        to[i] = new Corner(number(words[3 + 2 * i]), number(words[4 + 2 * i]));
      }
      Corner[] from = RandomPerspective.corners(number(words[1]), number(words[2]));

      double[] found = coefficients(PerspectiveMatrix.between(from, to).orElseThrow());

      for (int i = 0; i < found.length; i++) {
        double expected = Double.parseDouble(words[11 + i]);
        // Coefficients that are 0 except for rounding depend on the solver.
        assertThat(found[i])
            .as("coefficient %d of %s", i, String.join(" ", words))
            .isCloseTo(expected, within(Math.max(1e-12, Math.ulp((float) expected))));
      }
    }
  }

  private static double[] coefficients(PerspectiveMatrix m) {
    return new double[] {m.a(), m.b(), m.c(), m.d(), m.e(), m.f(), m.g(), m.h()};
  }

  @Test
  void shouldShowInPerspectiveAsTorchvisionDoes() throws Exception {
    for (String[] words : lines("map")) {
      Image image = perspective(words);

      assertThat(Golden.pixelsCrc(image)).as(String.join(" ", words)).isEqualTo(words[15]);
      if (words[1].equals("41")) {
        Region part = new Region(7, 4, 11, 9);
        assertThat(image.crop(part).pixels().rgb())
            .as(String.join(" ", words))
            .isEqualTo(image.pixels().toImage().crop(part).pixels().rgb());
      }
    }
  }

  private static Image perspective(String... words) {
    int fill = new Fill(number(words[4]), number(words[5]), number(words[6])).rgb();
    return TestImage.noise(number(words[1]), number(words[2]))
        .perspective(matrix(words, 7), filter(words[3]), fill);
  }

  static PerspectiveMatrix matrix(String[] words, int at) {
    double[] c = new double[8];
    for (int i = 0; i < c.length; i++) {
      c[i] = Double.parseDouble(words[at + i]);
    }
    return new PerspectiveMatrix(c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]);
  }

  @Test
  void shouldCutTenPartsAsTorchvisionDoes() throws Exception {
    for (String[] words : lines("tenCrop")) {
      TenCrop crop =
          TenCrop.of(number(words[4]), number(words[5])).withVerticalFlip(words[1].equals("1"));

      List<String> found = new ArrayList<>();
      for (Image part : crop.apply(TestImage.noise(number(words[2]), number(words[3])))) {
        found.add(Golden.pixelsCrc(part));
      }

      assertThat(found).containsExactlyElementsOf(List.of(words).subList(6, 16));
    }
  }

  /** Width, height, filter and fill; ELASTIC of the script. */
  private record Elastic(int width, int height, Interpolation filter, int fill) {}

  private static final List<Elastic> ELASTIC =
      List.of(
          new Elastic(41, 29, Interpolation.BILINEAR, 0),
          new Elastic(41, 29, Interpolation.BILINEAR, 0x09C84D),
          new Elastic(30, 52, Interpolation.NEAREST, 0x09C84D),
          new Elastic(1, 7, Interpolation.BILINEAR, 0xFFFFFF));

  /** Width, height, alpha, sigma, seed: DRAWN of the script. */
  private static final double[][] DRAWN = {
    {61, 49, 50.0, 5.0, 1}, {64, 80, 300.0, 4.0, 2}, {30, 20, 8.0, 0.0, 3}, {60, 40, 90.0, 2.3, 4}
  };

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
    List<Image> blurred = new ArrayList<>();
    for (double[] blur : BLURS) {
      blurred.add(
          TestImage.noise((int) blur[0], (int) blur[1])
              .map(new Blur((int) blur[2], (int) blur[3], blur[4])));
    }
    try (InputStream in = golden("gaussian_blur.bin.gz")) {
      assertNearlyEqual(blurred, in);
    }
  }

  /** The smoothing of a drawn displacement sums up in another order; all else is equal. */
  @Test
  void shouldDistortElasticallyAsTorchvisionDoesButForRoundingLimits() throws Exception {
    List<Image> distorted = new ArrayList<>();
    for (double[] drawn : DRAWN) {
      distorted.add(
          ElasticTransform.of(drawn[2], drawn[3])
              .apply(
                  TestImage.noise((int) drawn[0], (int) drawn[1]),
                  TorchRandom.ofSeed((int) drawn[4])));
    }
    try (InputStream in = golden("torchvision_v2_elastic.bin.gz")) {
      for (Elastic e : ELASTIC) {
        Image image = elastic(e);
        byte[] rgb = image.pixels().rgb();

        assertThat(rgb).as("%s", image).isEqualTo(in.readNBytes(rgb.length));
      }
      assertNearlyEqual(distorted, in);
    }
  }

  private static InputStream golden(String file) throws IOException {
    return new GZIPInputStream(Golden.class.getResourceAsStream(file));
  }

  /** Compares images with the rest of a file: fewer than 1 in 1000 samples differ by 1. */
  private static void assertNearlyEqual(List<Image> images, InputStream in) throws IOException {
    int samples = 0;
    int different = 0;
    for (Image image : images) {
      byte[] rgb = image.pixels().rgb();
      byte[] expected = in.readNBytes(rgb.length);
      for (int i = 0; i < rgb.length; i++) {
        int difference = (rgb[i] & 0xFF) - (expected[i] & 0xFF);
        assertThat(difference).as("%s, sample %d", image, i).isBetween(-1, 1);
        different += Math.abs(difference);
      }
      samples += rgb.length;
    }
    assertThat(in.read()).isEqualTo(-1);
    assertThat(different).as("of %d samples", samples).isLessThan(samples / 1000);
  }

  /** The script's, by arithmetic. */
  private static Image elastic(Elastic e) {
    int width = e.width;
    int height = e.height;
    float[] alongX = new float[width * height];
    float[] alongY = new float[width * height];
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        alongX[y * width + x] = ((5 * x + 3 * y) % 23 - 11) / 61f;
        alongY[y * width + x] = ((2 * x + 7 * y) % 19 - 9) / 37f;
      }
    }
    return TestImage.noise(width, height).elastic(alongX, alongY, e.filter, e.fill);
  }
}
