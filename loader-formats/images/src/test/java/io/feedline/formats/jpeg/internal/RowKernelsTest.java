package io.feedline.formats.jpeg.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds each loop over rows of bytes to one line of plain Java. */
class RowKernelsTest {
  private static final int SLACK = RowKernels.SLACK;

  private final SplittableRandom random = new SplittableRandom(5);
  private final RowKernels kernels = PixelKernelsTest.Loops.VECTOR.create().rows();

  /** MCUs of one block, and of two blocks beside each other. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void shouldPlaceBlocksSideBySide(int across) {
    BlockSamples blocks = anyBlocks();
    for (int count = 1; count <= 50; count++) {
      int[] slots = {
        random.nextInt(Coefficients.BLOCKS - count + 1),
        random.nextInt(Coefficients.BLOCKS - count + 1)
      };
      int stride = 8 * across * count + SLACK;
      byte[] plane = new byte[3 + 8 * stride];

      if (across == 1) {
        kernels.place(blocks, slots[0], plane, 3, stride, count);
      } else {
        kernels.placePairs(blocks, slots[0], slots[1], plane, 3, stride, count);
      }

      for (int y = 0; y < 8; y++) {
        for (int x = 0; x < 8 * across * count; x++) {
          int block = slots[x / 8 % across] + x / 8 / across;
          assertThat(plane[3 + y * stride + x])
              .as("column %d of %d MCUs, row %d", x, count, y)
              .isEqualTo(sample(blocks, block, x % 8, y));
        }
      }
    }
  }

  private BlockSamples anyBlocks() {
    BlockSamples blocks = new BlockSamples();
    Arrays.setAll(blocks.left(), i -> random.nextInt());
    Arrays.setAll(blocks.right(), i -> random.nextInt());
    return blocks;
  }

  private static byte sample(BlockSamples blocks, int slot, int x, int y) {
    int[] words = x < 4 ? blocks.left() : blocks.right();
    return (byte) (words[y * Coefficients.BLOCKS + slot] >> (8 * (x % 4)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 15, 16, 17, 31, 32, 33, 100, 501})
  void shouldStretchRowsOfAnyLength(int n) {
    byte[] samples = anySamples(2 * n + 9 + SLACK);
    short[] wide = new short[n + SLACK];

    kernels.widen(samples, 7, wide, n);
    for (int i = 0; i < n; i++) {
      assertThat(wide[i]).isEqualTo((short) (samples[7 + i] & 255));
    }

    kernels.blend(samples, n + 3, 1, wide, n);
    for (int i = 0; i < n; i++) {
      int expected = 3 * (samples[n + 3 + i] & 255) + (samples[1 + i] & 255);
      assertThat(wide[i]).isEqualTo((short) expected);
    }

    short[] row = new short[n + 2 + SLACK];
    for (int i = 0; i < n + 2; i++) {
      row[i] = (short) (random.nextInt(4) == 0 ? 1020 : random.nextInt(1021));
    }
    byte[] out = new byte[2 * (n + SLACK)];
    kernels.stretch(row, 8, 7, 4, out, n);
    for (int i = 0; i < n; i++) {
      assertThat(out[2 * i]).isEqualTo((byte) ((3 * row[i + 1] + row[i] + 8) >> 4));
      assertThat(out[2 * i + 1]).isEqualTo((byte) ((3 * row[i + 1] + row[i + 2] + 7) >> 4));
    }
  }

  /** Half of them as small or large as can be. */
  private byte[] anySamples(int n) {
    byte[] samples = new byte[n];
    for (int i = 0; i < n; i++) {
      samples[i] = (byte) (random.nextBoolean() ? random.nextInt(256) : -random.nextInt(2));
    }
    return samples;
  }

  @Test
  void shouldConvertEveryColorAsTheTextbookDoes() {
    int n = 256;
    byte[] luma = new byte[n];
    byte[] cb = new byte[n];
    byte[] cr = new byte[n];
    int[] pixels = new int[n];
    int[] expected = new int[n];
    for (int y = 0; y < 256; y += 3) {
      Arrays.fill(luma, (byte) y);
      for (int v = 0; v < 256; v++) {
        Arrays.fill(cr, (byte) v);
        for (int u = 0; u < n; u++) {
          cb[u] = (byte) u;
          expected[u] = TextbookDecoder.converted(y, u - 128, v - 128);
        }

        kernels.color(luma, 0, cb, 0, cr, 0, pixels, 0, n);

        assertThat(pixels).as("luma %d, cr %d", y, v).isEqualTo(expected);
      }
    }
  }

  @Test
  void shouldWriteAsManyPixelsAsAskedFor() {
    for (int n = kernels.fewest(); n < 70; n++) {
      byte[] luma = anySamples(n + 3);
      byte[] cb = anySamples(n + 2);
      byte[] cr = anySamples(n + 1);
      int[] pixels = new int[n + 40];
      Arrays.fill(pixels, -1);
      int[] expected = pixels.clone();
      for (int i = 0; i < n; i++) {
        int u = (cb[2 + i] & 255) - 128;
        int v = (cr[1 + i] & 255) - 128;
        expected[20 + i] = TextbookDecoder.converted(luma[3 + i] & 255, u, v);
      }

      kernels.color(luma, 3, cb, 2, cr, 1, pixels, 20, n);

      assertThat(pixels).isEqualTo(expected);
    }
  }
}
