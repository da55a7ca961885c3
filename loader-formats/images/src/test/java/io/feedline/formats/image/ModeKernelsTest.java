package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.DType;
import io.feedline.formats.image.kernel.internal.GrayKernels;
import io.feedline.formats.image.kernel.internal.Kernels;
import io.feedline.formats.image.kernel.internal.PixelTable;
import io.feedline.formats.image.kernel.internal.PlainKernels;
import io.feedline.formats.image.kernel.internal.RgbaKernels;
import io.feedline.formats.image.kernel.internal.RowWriter;
import io.feedline.formats.image.kernel.internal.Workspace;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.BufferSource;
import io.feedline.formats.image.pixel.internal.Conversion;
import io.feedline.formats.image.pixel.internal.ConvertedSource;
import io.feedline.formats.image.pixel.internal.PixelBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Holds the vector kernels for one and four channels to the plain ones, which the golden files hold
 * to Pillow, and those for one channel to those for three.
 */
class ModeKernelsTest {
  private static final int RECIPES = 700;
  private static final Kernels PLAIN = new PlainKernels();
  private static final Kernels VECTOR = vectorKernels();

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
  @EnumSource(names = {"GRAY", "RGBA"})
  void shouldWriteTheSameBytesWithAndWithoutVectors(ImageMode mode) throws IOException {
    for (int seed = 0; seed < RECIPES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Geometry geometry = anyGeometry(mode, random);
      DType dtype = random.nextBoolean() ? DType.FLOAT32 : DType.UINT8;
      ImageLayout layout = random.nextBoolean() ? ImageLayout.CHW : ImageLayout.HWC;
      PixelTable table = random.nextBoolean() ? anyTable(mode, random) : PixelTable.UNIT;

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

  /** Small and large, up and down by factors of up to 20, cropped, padded and flipped. */
  private static Geometry anyGeometry(ImageMode mode, SplittableRandom random) {
    int width = random.nextInt(1, random.nextBoolean() ? 40 : 400);
    int height = random.nextInt(1, 30);
    byte[] samples = new byte[mode.pixelBytes() * width * height];
    random.nextBytes(samples);
    Interpolation[] filters = Interpolation.values();
    Interpolation filter = filters[random.nextInt(filters.length)];
    boolean antialias = filter != Interpolation.BILINEAR || random.nextBoolean();
    int scaledWidth = random.nextInt(1, random.nextBoolean() ? 40 : 200);
    Geometry geometry =
        Geometry.of(new BufferSource(ByteBuffer.wrap(samples), width, height, mode))
            .resize(scaledWidth, random.nextInt(1, 30), filter, antialias);
    if (random.nextBoolean()) {
      geometry =
          geometry.crop(
              new Region(
                  random.nextInt(-9, scaledWidth),
                  random.nextInt(-9, 30),
                  random.nextInt(1, 150),
                  random.nextInt(1, 30)));
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
    return PixelTable.normalized(mean, std);
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
}
