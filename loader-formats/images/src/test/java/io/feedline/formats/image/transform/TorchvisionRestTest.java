package io.feedline.formats.image.transform;

import static io.feedline.formats.image.Golden.crc;
import static io.feedline.formats.image.Golden.floats;
import static io.feedline.formats.image.Golden.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.feedline.batch.DType;
import io.feedline.batch.Tensor;
import io.feedline.formats.image.Golden;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.KeyPoints;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.transform.quality.GaussianNoise;
import io.feedline.formats.image.transform.quality.JPEG;
import io.feedline.formats.jpeg.coefficients.internal.BaselineEncoder;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.SampleRandom;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Compares with what transforms of torchvision's v2 made; torchvision_v2_rest.py made the file. */
class TorchvisionRestTest {

  private static List<String[]> lines(String kind, int count) throws Exception {
    List<String[]> found =
        Golden.lines("torchvision_v2_rest.txt").stream()
            .filter(line -> line[0].equals(kind))
            .toList();
    assertThat(found).hasSize(count);
    return found;
  }

  /** The files are equal, too, so decoders of others see the same. */
  @Test
  void shouldCompressAsPillowDoes() throws Exception {
    for (String[] line : lines("jpeg", 110)) {
      String named = String.join(" ", line);
      int min = number(line[3]);
      int max = number(line[4]);
      int width = number(line[5]);
      int height = number(line[6]);
      Image image =
          line[1].equals("noise") ? TestImage.noise(width, height) : TestImage.image(width, height);
      long seed = number(line[2]);
      int quality =
          min + Integer.remainderUnsigned(TorchRandom.ofSeed(seed).nextInt(), max - min + 1);
      byte[] file = BaselineEncoder.encode(image.pixels().rgb(), width, height, quality);
      assertThat(crc(file)).as(named).isEqualTo(Long.parseLong(line[7]));

      Image result = JPEG.of(min, max).apply(image, TorchRandom.ofSeed(seed));

      assertThat(crc(result.pixels().rgb())).as(named).isEqualTo(Long.parseLong(line[8]));
    }
  }

  @Test
  void shouldResizeToARandomEdge() throws Exception {
    for (String[] line : lines("resize", 6)) {
      Image result =
          Resize.random(number(line[2]), number(line[3]), Interpolation.valueOf(line[4]))
              .apply(
                  TestImage.noise(number(line[5]), number(line[6])),
                  TorchRandom.ofSeed(number(line[1])));

      assertThat(List.of(result.width(), result.height()))
          .containsExactly(number(line[7]), number(line[8]));
      assertThat(crc(result.pixels().rgb())).isEqualTo(Long.parseLong(line[9]));
    }
  }

  @Test
  void shouldApplyTransformsInTorchvisionsOrder() throws Exception {
    for (String[] line : lines("order", 20)) {
      List<RandomTransform<List<Integer>, List<Integer>>> transforms = new ArrayList<>();
      for (int i = 0; i < number(line[2]); i++) {
        int own = i;
        transforms.add(
            (seen, random) -> {
              List<Integer> more = new ArrayList<>(seen);
              more.add(own);
              return more;
            });
      }
      @SuppressWarnings({"unchecked", "rawtypes"}) // an array of generics
      RandomTransform<List<Integer>, List<Integer>>[] array =
          transforms.toArray(RandomTransform[]::new);

      List<Integer> order =
          RandomTransform.inRandomOrder(array)
              .apply(List.of(), TorchRandom.ofSeed(number(line[1])));

      assertThat(order.stream().map(String::valueOf).collect(Collectors.joining(",")))
          .isEqualTo(line[3]);
    }
  }

  @Test
  void shouldRemovePointsOutside() throws Exception {
    for (String[] line : lines("points", 12)) {
      int perObject = number(line[1]);
      float[] numbers = floats(line[4]);
      KeyPoints points =
          perObject == 0
              ? KeyPoints.of(numbers, number(line[2]), number(line[3]))
              : KeyPoints.ofObjects(numbers, perObject, number(line[2]), number(line[3]));

      KeyPoints inside = points.sanitize();

      assertThat(inside.toArray()).isEqualTo(floats(line[5]));
      assertThat(points.inside().cardinality()).isEqualTo(inside.count());
      assertThat(inside.sanitize().count()).isEqualTo(inside.count());
    }
  }

  @Test
  void shouldMultiplyPixelsByAMatrix() throws Exception {
    for (String[] line : lines("linear", 3)) {
      int seed = number(line[1]);
      int width = number(line[2]);
      int height = number(line[3]);
      int size = 3 * width * height;
      float[][] matrix = new float[size][size];
      float[] mean = new float[size];
      for (int i = 0; i < size; i++) {
        mean[i] = i % 5 / 8f;
        for (int j = 0; j < size; j++) {
          matrix[i][j] = ((7 * i + 3 * j + seed) % 23 - 11) / 64f;
        }
      }
      Image image = ConvertDtype.of(DType.FLOAT32).apply(TestImage.noise(width, height));

      Tensor result = ToTensor.linear(matrix, mean).apply(image);

      assertThat(result.shape().lengths()).containsExactly(3, height, width);
      assertThat(result.toFloatArray()).containsExactly(floats(line[4]), within(2e-5f));
    }
  }

  @Test
  void shouldScaleToHalves() throws Exception {
    byte[] rgb = new byte[3 * 256];
    for (int i = 0; i < rgb.length; i++) {
      rgb[i] = (byte) (i / 3);
    }
    for (String[] line : lines("dtype", 2)) {
      Image halves = ConvertDtype.of(DType.valueOf(line[1])).apply(Image.ofRgb(rgb, 16, 16));
      ByteBuffer written = Golden.written(halves);
      ByteBuffer little = ByteBuffer.allocate(written.capacity()).order(ByteOrder.LITTLE_ENDIAN);
      little.asShortBuffer().put(written.order(ByteOrder.nativeOrder()).asShortBuffer());
      assertThat(crc(little.array())).isEqualTo(Long.parseLong(line[2]));
    }
  }

  @Test
  void shouldRefuseAMatrixThatDoesNotFit() {
    float[][] square = new float[3][3];
    assertThatThrownBy(() -> ToTensor.linear(new float[][] {{1, 2}, {3}}, new float[2]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the matrix must be square, row 1 of 2 has 1 numbers");
    assertThatThrownBy(() -> ToTensor.linear(square, new float[2]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("there must be a mean for each of the 3 rows of the matrix, found 2");
    assertThatThrownBy(() -> ToTensor.linear(square, new float[3]).apply(TestImage.noise(2, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a matrix of 3 rows is for as many elements, found 6 in Image[");
    assertThat(ToTensor.linear(new float[][] {{2}}, new float[1]))
        .hasToString("LinearTransformation(matrix=[[2.0]], mean=[0.0])");
  }

  private static Image noisy(GaussianNoise noise, Image image) {
    return noise.apply(image, new SampleRandom(3, 0, 0, 0));
  }

  /** Mean and deviation of what torchvision adds to as many samples; torchvision_v2_rest.py. */
  @Test
  void shouldAddNoiseOfTorchvisionsDistribution() throws Exception {
    byte[] gray = new byte[3 * 300 * 300];
    Arrays.fill(gray, (byte) 128);
    for (String[] line : lines("noise", 4)) {
      double mean = Double.parseDouble(line[1]);
      double sigma = Double.parseDouble(line[2]);
      byte[] noisy =
          noisy(GaussianNoise.of(mean, sigma), Image.ofRgb(gray, 300, 300)).pixels().rgb();
      double sum = 0;
      double squares = 0;
      for (byte sample : noisy) {
        double added = (sample & 0xFF) - 128;
        sum += added;
        squares += added * added;
      }
      double found = sum / gray.length;
      double error = 4 * sigma * 255 / Math.sqrt(gray.length) * 1.5 + 1e-9;
      assertThat(found).isEqualTo(Double.parseDouble(line[3]), within(error));
      assertThat(Math.sqrt(squares / gray.length - found * found))
          .isEqualTo(Double.parseDouble(line[4]), within(error));
    }
  }

  @Test
  void shouldGiveGrayPixelsOneNumberEachAndLeaveAlpha() throws Exception {
    byte[] gray = new byte[3 * 64 * 64];
    Arrays.fill(gray, (byte) 128);
    Image one = Image.ofRgb(gray, 64, 64).convert(ImageMode.GRAY);
    byte[] noisy = noisy(GaussianNoise.of(0, 0.1), one).pixels().rgb();
    double squares = 0;
    for (int i = 0; i < noisy.length; i++) {
      assertThat(noisy[i]).isEqualTo(noisy[i / 3 * 3]);
      squares += Math.pow((noisy[i] & 0xFF) - 128, 2);
    }
    assertThat(Math.sqrt(squares / noisy.length)).isEqualTo(25.15, within(1.5));
    Image alpha = TestImage.noise(ImageMode.RGBA, 16, 16);
    byte[] before = new byte[4 * 256 * 4];
    byte[] after = new byte[4 * 256 * 4];
    Golden.written(alpha).get(0, before);
    Golden.written(noisy(GaussianNoise.of(), alpha)).get(0, after);
    assertThat(Arrays.copyOfRange(after, 3 * 1024, 4096))
        .isEqualTo(Arrays.copyOfRange(before, 3 * 1024, 4096));
    assertThat(after).isNotEqualTo(before);
  }

  @Test
  void shouldClipNoiseOfAnySize() throws Exception {
    Image gray = Image.ofRgb(new byte[3 * 4], 2, 2);

    assertThat(noisy(GaussianNoise.of(1e8, 0), gray).pixels().rgb()).containsOnly(0xFF);
    assertThat(noisy(GaussianNoise.of(-1e8, 0), gray).pixels().rgb()).containsOnly(0);
  }
}
