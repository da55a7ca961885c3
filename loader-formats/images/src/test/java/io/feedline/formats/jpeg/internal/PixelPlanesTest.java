package io.feedline.formats.jpeg.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.management.ThreadMXBean;
import io.feedline.formats.jpeg.internal.CoefficientImage.Kind;
import io.feedline.formats.jpeg.internal.PixelKernelsTest.Loops;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The decoder's pixel half, with any kernels and layouts. */
@ParameterizedClass
@EnumSource
class PixelPlanesTest {

  private final Loops loops;
  private final PixelPlanes planes;

  PixelPlanesTest(Loops loops) {
    this.loops = loops;
    this.planes = new PixelPlanes(loops.create());
  }

  @ParameterizedTest
  @EnumSource(Sampling.class)
  void shouldDecodeImagesOfEverySmallSize(Sampling sampling) {
    for (int width = 1; width <= 40; width++) {
      for (int height = 1; height <= 24; height++) {
        McuGrid grid = new McuGrid(width, height, sampling);
        Kind kind = width % 3 == 0 ? Kind.SMOOTH : width % 3 == 1 ? Kind.HARSH : Kind.EXTREME;
        int seed = 100 * width + height;
        CoefficientImage image = CoefficientImage.random(grid, kind, seed);

        assertThat(decode(image, 1, false, 0, 0, width, height, 1))
            .as("%dx%d", width, height)
            .isEqualTo(new TextbookDecoder(image, 1, false).pixels());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Sampling.class)
  void shouldDecodeScaledImagesOfEverySmallSize(Sampling sampling) {
    for (int scale = 2; scale <= 8; scale *= 2) {
      for (int width = 1; width <= 70; width += 1 + width / 35) {
        for (int height = 1; height <= 40; height += 3) {
          McuGrid grid = new McuGrid(width, height, sampling);
          int seed = 100 * width + height;
          CoefficientImage image = CoefficientImage.random(grid, Kind.HARSH, seed);
          TextbookDecoder textbook = new TextbookDecoder(image, scale, false);

          assertThat(decode(image, scale, false, 0, 0, textbook.width(), textbook.height(), 1))
              .as("%dx%d at 1/%d", width, height, scale)
              .isEqualTo(textbook.pixels());
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Sampling.class)
  void shouldDecodeARegionAsThatPartOfTheImage(Sampling sampling) {
    SplittableRandom random = new SplittableRandom(sampling.blocksPerMcu());
    for (int round = 0; round < 150; round++) {
      McuGrid grid = new McuGrid(random.nextInt(1, 260), random.nextInt(1, 120), sampling);
      int scale = 1 << Math.max(0, random.nextInt(-3, 4));
      boolean rgb = random.nextInt(4) == 0;
      CoefficientImage image = CoefficientImage.random(grid, Kind.SMOOTH, round);
      TextbookDecoder textbook = new TextbookDecoder(image, scale, rgb);
      int x = random.nextInt(textbook.width());
      int y = random.nextInt(textbook.height());
      int width = random.nextInt(1, textbook.width() - x + 1);
      int height = random.nextInt(1, textbook.height() - y + 1);
      int rowsAtOnce = random.nextInt(1, 3);

      assertThat(decode(image, scale, rgb, x, y, width, height, rowsAtOnce))
          .as("%s 1/%d: %dx%d at %d, %d", grid, scale, width, height, x, y)
          .isEqualTo(TestJpegs.crop(textbook.pixels(), textbook.width(), x, y, width, height));
    }
  }

  @ParameterizedTest
  @EnumSource(Sampling.class)
  void shouldGiveRowsInAnyOrder(Sampling sampling) {
    McuGrid grid = new McuGrid(500, 150, sampling);
    CoefficientImage image = CoefficientImage.random(grid, Kind.SMOOTH, 7);
    int[] whole = decode(image, 1, false, 0, 0, 500, 150, 1);
    SplittableRandom random = new SplittableRandom(1);

    for (int round = 0; round < 200; round++) {
      int y = random.nextInt(150);
      int rows = random.nextInt(1, Math.min(4, 150 - y + 1));
      int[] pixels = new int[rows * 500];
      planes.read(y, rows, pixels, 0, 500);
      assertThat(pixels).isEqualTo(Arrays.copyOfRange(whole, y * 500, (y + rows) * 500));
    }
  }

  @ParameterizedTest
  @EnumSource(Sampling.class)
  void shouldGiveAnyRowsByColumns(Sampling sampling) {
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 60; round++) {
      int scale = 1 << random.nextInt(4);
      McuGrid grid = new McuGrid(random.nextInt(1, 260), random.nextInt(1, 300), sampling);
      CoefficientImage image = CoefficientImage.random(grid, Kind.SMOOTH, round);
      PlaneLayout layout = new PlaneLayout(grid, scale);
      int x = random.nextInt(layout.width());
      int y = random.nextInt(layout.height());
      int width = random.nextInt(1, layout.width() - x + 1);
      int height = random.nextInt(1, layout.height() - y + 1);
      int[] pixels = decode(image, scale, false, x, y, width, height, 1);
      int first = random.nextInt(height);
      int rows = random.nextInt(1, height - first + 1);
      int[][] columns = new int[width][rows];

      planes.readColumns(first, rows, columns);

      int[] turned = new int[rows * width];
      for (int i = 0; i < turned.length; i++) {
        turned[i] = columns[i % width][i / width];
      }
      assertThat(turned)
          .as(
              "%s 1/%d, %d rows from %d, %d columns from %d",
              grid, scale, rows, y + first, width, x)
          .isEqualTo(Arrays.copyOfRange(pixels, first * width, (first + rows) * width));
    }
  }

  @ParameterizedTest
  @CsvSource({
    // sampling, left, top, width, height of the region, and the MCUs it needs: left, right, top,
    // bottom
    "S420, 16, 16, 16, 16, 0, 3, 0, 3",
    "S420, 17, 17, 14, 14, 1, 2, 1, 2",
    "S420,  0,  0, 100, 100, 0, 7, 0, 7",
    "S420, 96, 96, 4, 4, 5, 7, 5, 7",
    "S422, 16, 16, 16, 16, 0, 3, 2, 4",
    "S440, 16, 16, 16, 16, 2, 4, 0, 3",
    "S444, 16, 16, 16, 16, 2, 4, 2, 4",
    "S411, 32, 16, 32, 16, 1, 2, 2, 4",
    "GRAY, 16, 16, 16, 16, 2, 4, 2, 4",
  })
  void shouldAskForTheRegionAndWhatItsFiltersSeeAndNoMore(
      Sampling sampling,
      int x,
      int y,
      int width,
      int height,
      int left,
      int right,
      int top,
      int bottom) {
    planes.begin(new McuGrid(100, 100, sampling), 1, false, x, y, width, height, 1);

    assertThat(new int[] {planes.mcuLeft(), planes.mcuRight(), planes.mcuTop(), planes.mcuBottom()})
        .containsExactly(left, right, top, bottom);
  }

  @ParameterizedTest
  @EnumSource(Sampling.class)
  void shouldMakeBatchesThatFit(Sampling sampling) {
    for (int width : new int[] {1, 8, 100, 500, 1000, 5000, 65535}) {
      for (int rowsAtOnce = 1; rowsAtOnce <= 2; rowsAtOnce++) {
        planes.begin(new McuGrid(width, 1, sampling), 1, false, 0, 0, width, 1, rowsAtOnce);

        assertThat(planes.mcusPerBatch()).isPositive();
        assertThat(planes.mcusPerBatch() % rowsAtOnce).isZero();
        assertThat(planes.coefficients().mcusPerBatch()).isEqualTo(planes.mcusPerBatch());
        assertThat(planes.mcusPerBatch() * sampling.blocksPerMcu())
            .isLessThanOrEqualTo(Coefficients.BLOCKS);
      }
    }
  }

  @Test
  void shouldDecodeTheWidestImage() {
    McuGrid grid = new McuGrid(65535, 2, Sampling.S420);
    CoefficientImage image = CoefficientImage.random(grid, Kind.SMOOTH, 7);

    assertThat(decode(image, 1, false, 0, 0, 65535, 2, 2))
        .isEqualTo(new TextbookDecoder(image, 1, false).pixels());
  }

  @Test
  void shouldKeepItsMemoryForTheNextImage() {
    assumeThat(loops).as("vectors are objects until they are compiled").isEqualTo(Loops.PLAIN);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long allocated = 0;
    for (int side : new int[] {300, 300, 280}) {
      McuGrid grid = new McuGrid(side, side, Sampling.S420);
      CoefficientImage image = CoefficientImage.random(grid, Kind.SMOOTH, 7);
      long before = threads.getCurrentThreadAllocatedBytes();
      planes.begin(grid, 1, false, 0, 0, side, side, 1);
      image.decode(planes, 1);
      allocated = threads.getCurrentThreadAllocatedBytes() - before;
    }
    assertThat(allocated).isLessThan(280 * 280 / 2);
  }

  @Test
  void shouldBeHarmlessWhateverTheCoefficientsAre() {
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 20; round++) {
      planes.begin(new McuGrid(160, 16, Sampling.S420), 1, false, 0, 0, 160, 16, 1);
      Arrays.setAll(planes.coefficients().values(), i -> random.nextInt());
      planes.transform();
      planes.store(0, 0, 10, 0);
      planes.finish();
      int[] pixels = new int[160 * 16];
      planes.read(0, 16, pixels, 0, 160);

      assertThat(Arrays.stream(pixels)).allMatch(pixel -> (pixel & ~0xFFFFFF) == 0);
      assertThat(Arrays.stream(planes.coefficients().values()).limit(Coefficients.USED))
          .containsOnly(0);
    }
  }

  @Test
  void shouldRefuseWhatIsNotARegionOfTheImage() {
    McuGrid grid = new McuGrid(20, 10, Sampling.S420);

    assertThatThrownBy(() -> planes.begin(grid, 1, false, 1, 0, 20, 10, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> planes.begin(grid, 2, false, 0, 0, 10, 6, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> planes.begin(grid, 1, false, 0, 0, 20, 0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("20x0");
    assertThatThrownBy(() -> planes.begin(grid, 3, false, 0, 0, 1, 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("scale must be 1, 2, 4 or 8, was 3");
    assertThatThrownBy(() -> planes.begin(grid, 1, false, 0, 0, 1, 1, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("rowsAtOnce must be 1 or 2, was 3");
  }

  private int[] decode(
      CoefficientImage image,
      int scale,
      boolean rgb,
      int x,
      int y,
      int width,
      int height,
      int rowsAtOnce) {
    planes.begin(image.grid(), scale, rgb, x, y, width, height, rowsAtOnce);
    image.decode(planes, rowsAtOnce);
    int[] pixels = new int[width * height];
    planes.read(0, height, pixels, 0, width);
    return pixels;
  }
}
