package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.DType;
import io.feedline.formats.image.kernel.internal.GrayKernels;
import io.feedline.formats.image.kernel.internal.Kernels;
import io.feedline.formats.image.kernel.internal.PixelTable;
import io.feedline.formats.image.kernel.internal.PlainKernels;
import io.feedline.formats.image.kernel.internal.RgbaKernels;
import io.feedline.formats.image.kernel.internal.RowWriter;
import io.feedline.formats.image.kernel.internal.Taps;
import io.feedline.formats.image.kernel.internal.Workspace;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.BufferSource;
import io.feedline.formats.image.pixel.internal.Conversion;
import io.feedline.formats.image.pixel.internal.ConvertedSource;
import io.feedline.formats.image.pixel.internal.PixelBuffer;
import io.feedline.formats.image.pixel.internal.RgbSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Holds the vector kernels to the plain ones, which the golden files hold to Pillow, and those for
 * one channel to those for three.
 */
class KernelsTest {
  private static final int RECIPES = 700;
  private static final Kernels PLAIN = new PlainKernels();
  private static final Kernels VECTOR = vectorKernels();

  private static final PixelTable IMAGENET =
      PixelTable.UNIT.with(
          new float[] {0.485f, 0.456f, 0.406f}, new float[] {0.229f, 0.224f, 0.225f});

  /** Not by VectorApi, which would fall back on the plain ones; the tests' JVM has the module. */
  private static Kernels vectorKernels() {
    try {
      return Class.forName("io.feedline.formats.image.kernel.internal.VectorKernels")
          .asSubclass(Kernels.class)
          .getDeclaredConstructor()
          .newInstance();
    } catch (ReflectiveOperationException missing) {
      throw new LinkageError(missing.getMessage(), missing);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RGB", "GRAY", "RGBA"})
  void shouldWriteTheSameBytesWithAndWithoutVectors(ImageMode mode) throws IOException {
    for (int seed = 0; seed < (mode == ImageMode.RGB ? 2 * RECIPES : RECIPES); seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Geometry geometry = anyGeometry(mode, random);
      DType dtype = random.nextBoolean() ? DType.FLOAT32 : DType.UINT8;
      ImageLayout layout = random.nextBoolean() ? ImageLayout.CHW : ImageLayout.HWC;
      PixelTable table = random.nextBoolean() ? anyTable(mode, random) : PixelTable.UNIT;
      table = random.nextBoolean() ? table.scaledTo1() : table;

      assertThat(written(geometry, dtype, layout, table, VECTOR))
          .as("seed %d: %s, %s %s %s", seed, geometry, dtype, layout, table)
          .isEqualTo(written(geometry, dtype, layout, table, PLAIN));
      assertThat(packed(geometry, VECTOR))
          .as("seed %d: %s", seed, geometry)
          .isEqualTo(packed(geometry, PLAIN));
    }
  }

  @Test
  void shouldGiveOneChannelWhatEachOfThreeEqualOnesGets() throws IOException {
    for (int seed = 0; seed < RECIPES; seed++) {
      Geometry gray = anyGeometry(ImageMode.GRAY, new SplittableRandom(seed));
      Geometry rgb =
          new Geometry(
              new ConvertedSource(gray.source(), Conversion.REPEAT),
              gray.region(),
              gray.scaledWidth(),
              gray.scaledHeight(),
              gray.interpolation(),
              gray.antialias(),
              gray.window(),
              gray.flipped());

      ByteBuffer one = written(gray, DType.UINT8, ImageLayout.CHW, PixelTable.UNIT, VECTOR);
      ByteBuffer three = written(rgb, DType.UINT8, ImageLayout.CHW, PixelTable.UNIT, VECTOR);
      for (int channel = 0; channel < 3; channel++) {
        int plane = one.capacity();
        assertThat(three.slice(channel * plane, plane)).as("seed %d", seed).isEqualTo(one);
      }
    }
  }

  /** Plain kernels resize hundreds of rows at once, and these images have more. */
  @Test
  void shouldWriteTheSameBytesOfTallImages() throws IOException {
    for (int seed = 0; seed < 60; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int width = random.nextInt(1, 30);
      int height = random.nextInt(500, 1800);
      byte[] rgb = new byte[3 * width * height];
      random.nextBytes(rgb);
      Interpolation[] filters = Interpolation.values();
      Interpolation filter = filters[random.nextInt(filters.length)];
      boolean antialias = filter != Interpolation.BILINEAR || random.nextBoolean();
      Geometry geometry =
          Geometry.of(new RgbSource(rgb, width, height))
              .resize(random.nextInt(1, 40), random.nextInt(1, 2000), filter, antialias);

      assertThat(packed(geometry, PLAIN))
          .as("seed %d: %s", seed, geometry)
          .isEqualTo(packed(geometry, VECTOR));
    }
  }

  /** Small and large, up and down by factors of up to 20, cropped, padded and flipped. */
  private static Geometry anyGeometry(ImageMode mode, SplittableRandom random) {
    int width = random.nextInt(1, random.nextBoolean() ? 40 : 400);
    int height = random.nextInt(1, 40);
    byte[] samples = new byte[mode.pixelBytes() * width * height];
    random.nextBytes(samples);
    Interpolation[] filters = Interpolation.values();
    Interpolation filter = filters[random.nextInt(filters.length)];
    boolean antialias = filter != Interpolation.BILINEAR || random.nextBoolean();
    int scaledWidth = random.nextInt(1, random.nextBoolean() ? 40 : 200);
    Geometry geometry =
        Geometry.of(new BufferSource(ByteBuffer.wrap(samples), width, height, mode))
            .resize(scaledWidth, random.nextInt(1, 40), filter, antialias);
    if (random.nextBoolean()) {
      geometry =
          geometry.crop(
              new Region(
                  random.nextInt(-9, scaledWidth),
                  random.nextInt(-9, 30),
                  random.nextInt(1, 150),
                  random.nextInt(1, 40)));
    }
    return random.nextBoolean() ? geometry.flip() : geometry;
  }

  private static PixelTable anyTable(ImageMode mode, SplittableRandom random) {
    float[] mean = new float[mode.channels()];
    float[] std = new float[mode.channels()];
    for (int c = 0; c < mean.length; c++) {
      mean[c] = (float) random.nextDouble();
      std[c] = (float) random.nextDouble(0.01, 1);
    }
    return PixelTable.UNIT.with(mean, std);
  }

  private static Kernels kernels(Geometry geometry, Kernels loops) {
    return switch (geometry.source().mode()) {
      case GRAY -> new GrayKernels(loops);
      case RGBA -> new RgbaKernels(loops, geometry.isScaled());
      default -> loops;
    };
  }

  private static ByteBuffer written(
      Geometry geometry, DType dtype, ImageLayout layout, PixelTable table, Kernels loops)
      throws IOException {
    int width = geometry.width();
    int height = geometry.height();
    Kernels kernels = kernels(geometry, loops);
    ByteBuffer target =
        ByteBuffer.allocate(kernels.channels() * width * height * dtype.bytes())
            .order(ByteOrder.nativeOrder());
    try (Workspace workspace = Workspace.take()) {
      RowWriter rows =
          RowWriter.to(target, dtype, layout, width, height, table, workspace, kernels);
      FusedWriter.write(geometry, rows, workspace);
    }
    return target.rewind();
  }

  private static int[] packed(Geometry geometry, Kernels loops) throws IOException {
    PixelBuffer target = new PixelBuffer();
    try (Workspace workspace = Workspace.take()) {
      RowWriter rows =
          RowWriter.to(target, geometry.width(), geometry.height(), kernels(geometry, loops));
      FusedWriter.write(geometry, rows, workspace);
    }
    return target.pixels();
  }

  @Test
  void shouldComputeEveryValueOfTheUsualNormalizations() {
    assertThat(IMAGENET.computable()).isTrue();
    assertThat(PixelTable.UNIT.computable()).isTrue();
    assertThat(IMAGENET.scaledTo1().computable()).isTrue();
    assertThat(PixelTable.UNIT.scaledTo1().computable()).isTrue();
  }

  /** Each at every place of a vector, and clipped; whether computed or looked up. */
  @Test
  void shouldGiveEachSampleTheValueOfTheTable() {
    SplittableRandom random = new SplittableRandom(7);
    int looked = 0;
    for (int i = 0; i < 500; i++) {
      PixelTable table = PixelTable.UNIT.with(anyFloats(random), anyFloats(random));
      table = random.nextBoolean() ? table.scaledTo1() : table;
      looked += table.computable() ? 0 : 1;
      int n = random.nextInt(1, 300);
      int[] sums = random.ints(3L * n, -300 << Taps.WEIGHT_BITS, 500 << Taps.WEIGHT_BITS).toArray();
      float[] plain = new float[3 * n];
      float[] vector = new float[3 * n];

      PLAIN.planar(sums.clone(), n, table, plain);
      VECTOR.planar(sums.clone(), n, table, vector);
      assertThat(vector).as("planar, %s", table).isEqualTo(plain);

      PLAIN.interleaved(sums.clone(), n, table, plain);
      VECTOR.interleaved(sums.clone(), n, table, vector);
      assertThat(vector).as("interleaved, %s", table).isEqualTo(plain);
    }
    assertThat(looked).as("tables that are looked up").isBetween(1, 499);
  }

  /**
   * Returns floats of any size; the smallest make quotients that underflow, which cannot be
   * computed.
   */
  private static float[] anyFloats(SplittableRandom random) {
    float[] values = new float[3];
    for (int i = 0; i < 3; i++) {
      float value = Float.intBitsToFloat(random.nextInt());
      values[i] = Float.isFinite(value) && value != 0 ? value : 0.5f;
    }
    return values;
  }
}
