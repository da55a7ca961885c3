package io.feedline.formats.image.transform;

import static io.feedline.formats.image.Golden.filter;
import static io.feedline.formats.image.Golden.floats;
import static io.feedline.formats.image.Golden.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.feedline.batch.TensorSource;
import io.feedline.formats.image.AffineMatrix;
import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.Golden;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.JointTransform;
import io.feedline.formats.image.Mask;
import io.feedline.formats.image.TestTargets;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.PaddingMode;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.transform.internal.ColorOperations;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Compares images and targets that were changed together with what torchvision's transforms.v2
 * makes of them; torchvision_targets.py made the files.
 */
class TorchvisionTargetsTest {

  private static final String RESULT = "=";

  private static final List<BoundingBoxes.Format> FORMATS =
      List.of(BoundingBoxes.Format.XYXY, BoundingBoxes.Format.XYWH, BoundingBoxes.Format.CXCYWH);

  /** In pixels; positions of float32 are some hundreds here, and pass through five operations. */
  private static final float TOLERANCE = 1e-3f;

  /** For points that a perspective throws far beyond the image. */
  private static final float RELATIVE_TOLERANCE = 1e-6f;

  @Test
  void shouldChangeTargetsAsTorchvisionDoes() throws Exception {
    Map<String, Integer> cases = new HashMap<>();
    for (String[] words : Golden.lines("torchvision_targets.txt")) {
      int result = Arrays.asList(words).indexOf(RESULT);
      String[] head = words[0].split(",");
      Map<String, Object> sample = sample(head);
      for (String operation : List.of(words).subList(1, result)) {
        sample = JointTransform.<Map<String, Object>>of(operation(operation)).apply(sample);
        cases.merge(operation.split(":", -1)[0], 1, Integer::sum);
      }

      require(sample, words, result);
    }
    assertThat(cases)
        .containsOnlyKeys(
            "hflip",
            "vflip",
            "crop",
            "centercrop",
            "resize",
            "pad",
            "rotate",
            "affine",
            "perspective",
            "elastic",
            "brightness",
            "sanitize")
        .allSatisfy((operation, count) -> assertThat(count).isGreaterThanOrEqualTo(30));
  }

  private static Map<String, Object> sample(String... head) {
    Map<String, Object> sample = TestTargets.sample(number(head[0]), number(head[1]));
    if (head[2].equals("none")) {
      sample.keySet().removeAll(List.of("boxes", "points", "labels"));
    } else {
      BoundingBoxes boxes = (BoundingBoxes) sample.get("boxes");
      sample.put(
          "boxes",
          boxes
              .withClamping(Boolean.parseBoolean(head[3]))
              .convert(BoundingBoxes.Format.valueOf(head[2])));
    }
    sample.put("mask", ((Mask) sample.get("mask")).withFill(number(head[4])));
    return sample;
  }

  private static void require(Map<String, Object> sample, String[] words, int at) throws Exception {
    String line = String.join(" ", words);
    Image image = (Image) sample.get("image");
    assertThat(image.width() + "," + image.height()).as(line).isEqualTo(words[at + 1]);
    assertThat(Golden.pixelsCrc(image)).as("pixels of " + line).isEqualTo(words[at + 2]);
    assertThat(crc(sample, "mask")).as("mask of " + line).isEqualTo(words[at + 3]);
    assertThat(crc(sample, "instances")).as("instances of " + line).isEqualTo(words[at + 4]);
    if (sample.containsKey("boxes")) {
      requireNear(sample.get("boxes"), words[at + 5], line);
      requireNear(sample.get("points"), words[at + 6], line);
      long[] labels = TestTargets.longs((TensorSource) sample.get("labels"));
      assertThat(labels).as("labels of " + line).containsExactly(longs(words[at + 7]));
    }
  }

  private static void requireNear(Object found, String expected, String line) throws Exception {
    float[] numbers = TestTargets.floats((TensorSource) found);
    float[] each = floats(expected);
    assertThat(numbers).as("%s of %s", found, line).hasSameSizeAs(each);
    for (int i = 0; i < each.length; i++) {
      float tolerance = Math.max(TOLERANCE, RELATIVE_TOLERANCE * Math.abs(each[i]));
      assertThat(numbers[i])
          .as("number %d of %s of %s", i, found, line)
          .isCloseTo(each[i], within(tolerance));
    }
  }

  private static String crc(Map<String, Object> sample, String name) throws Exception {
    return FixtureFiles.crc(TestTargets.written((TensorSource) sample.get(name)).array());
  }

  private static long[] longs(String word) {
    return word.equals("-")
        ? new long[0]
        : Arrays.stream(word.split(",")).mapToLong(Long::parseLong).toArray();
  }

  private static Transform<Image, Image> operation(String text) {
    String[] words = text.split(":");
    return switch (words[0]) {
      case "hflip" -> Image::flipHorizontal;
      case "vflip" -> Image::flipVertical;
      case "crop" ->
          image ->
              image.crop(
                  new Region(
                      number(words[1]), number(words[2]), number(words[3]), number(words[4])));
      case "centercrop" -> CenterCrop.of(number(words[2]), number(words[1]));
      case "resize" -> image -> image.resize(number(words[1]), number(words[2]), filter(words[3]));
      case "pad" ->
          image ->
              image.pad(
                  number(words[1]),
                  number(words[2]),
                  number(words[3]),
                  number(words[4]),
                  PaddingMode.valueOf(words[5].toUpperCase(Locale.ROOT)),
                  color(words[6]));
      case "rotate" -> image -> rotate(image, words);
      case "affine" -> image -> affine(image, words);
      case "perspective" -> image -> perspective(image, words);
      case "elastic" ->
          image -> elastic(image, Double.parseDouble(words[1]), filter(words[2]), color(words[3]));
      case "brightness" ->
          image -> image.map(ColorOperations.brightness(Double.parseDouble(words[1])));
      case "sanitize" ->
          SanitizeBoundingBoxes.of()
              .withMinSize(Double.parseDouble(words[1]))
              .withMinArea(Double.parseDouble(words[2]));
      default -> throw new IllegalArgumentException("no operation " + text);
    };
  }

  private static int color(String word) {
    return Integer.parseInt(word, 16);
  }

  private static Image rotate(Image image, String... words) {
    double degrees = Double.parseDouble(words[1]);
    boolean expand = Boolean.parseBoolean(words[3]);
    Warp warp = new Warp(filter(words[2]), color(words[4]));
    return words.length == 5
        ? warp.rotate(image, degrees, expand)
        : warp.rotateAround(
            image, degrees, Double.parseDouble(words[5]), Double.parseDouble(words[6]), expand);
  }

  private static Image affine(Image image, String... words) {
    double[] n = new double[words.length];
    for (int i = 1; i < words.length; i++) {
      n[i] = i == 7 || i == 8 ? 0 : Double.parseDouble(words[i]);
    }
    boolean centered = words.length > 9;
    double x = centered ? n[9] : image.width() * 0.5;
    double y = centered ? n[10] : image.height() * 0.5;
    AffineMatrix matrix = AffineMatrix.inverse(x, y, n[1], n[2], n[3], n[4], n[5], n[6]);
    return image.affine(matrix, image.width(), image.height(), filter(words[7]), color(words[8]));
  }

  private static Image perspective(Image image, String... words) {
    return image.perspective(
        TorchvisionV2OperationsTest.matrix(words, 1), filter(words[9]), color(words[10]));
  }

  private static Image elastic(Image image, double strength, Interpolation filter, int fill) {
    int width = image.width();
    float[] alongX = new float[width * image.height()];
    float[] alongY = new float[alongX.length];
    for (int i = 0; i < alongX.length; i++) {
      int x = i % width;
      int y = i / width;
      alongX[i] = (float) (strength * ((x * 7 + y * 13) % 17 - 8) / 100);
      alongY[i] = (float) (strength * ((x * 5 + y * 3) % 13 - 6) / 100);
    }
    return image.elastic(alongX, alongY, filter, fill);
  }

  @Test
  void shouldDrawAsTorchvisionDoesForWholeSamples() throws Exception {
    Map<String, Integer> cases = new HashMap<>();
    for (String[] words : Golden.lines("torchvision_target_draws.txt")) {
      int seed = number(words[1]);
      Map<String, Object> sample = TestTargets.sample(number(words[2]), number(words[3]));
      BoundingBoxes boxes = (BoundingBoxes) sample.get("boxes");
      sample.put("boxes", boxes.convert(FORMATS.get(seed % 3)));

      Map<String, Object> result =
          JointTransform.<Map<String, Object>>of(transform(words[0]))
              .apply(sample, TorchRandom.ofSeed(seed));

      require(result, words, 4);
      cases.merge(words[0], 1, Integer::sum);
    }
    assertThat(cases)
        .hasSize(9)
        .allSatisfy((name, count) -> assertThat(count).isGreaterThanOrEqualTo(25));
  }

  private static RandomTransform<Image, Image> transform(String name) {
    return switch (name) {
      case "resizedCrop" -> RandomResizedCrop.of(32);
      case "flips" -> RandomHorizontalFlip.of().andThen(RandomVerticalFlip.of());
      case "rotation" -> RandomRotation.of(30);
      case "affine" ->
          RandomAffine.of(25).withTranslate(0.1, 0.3).withScale(0.5, 1.5).withShear(20);
      case "crop" -> RandomCrop.of(20, 24);
      case "cropPadded" -> RandomCrop.of(32).withPadding(4);
      case "iouCrop" -> RandomIoUCrop.of();
      case "iouCropStrict" ->
          RandomIoUCrop.of()
              .withScale(0.1, 0.9)
              .withAspectRatio(0.7, 1.4)
              .withOverlaps(0.2, 0.6, 1)
              .withTrials(5);
      case "detection" ->
          RandomIoUCrop.of()
              .andThen(RandomHorizontalFlip.of())
              .andThen(Resize.of(40, 56))
              .andThen(SanitizeBoundingBoxes.of().withMinSize(3).withMinArea(20));
      default -> throw new IllegalArgumentException("no transform " + name);
    };
  }
}
