package io.feedline.formats.jpeg.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.jpeg.internal.CoefficientImage.Kind;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Both implementations of {@link PixelKernels} give the bytes of a textbook decoder. */
@ParameterizedClass
@EnumSource
class PixelKernelsTest {

  /** The implementations, whichever the library would choose. */
  enum Loops {
    PLAIN("Plain"),
    VECTOR("Vector");

    private final String prefix;

    Loops(String prefix) {
      this.prefix = prefix;
    }

    /** Creates kernels by their name, because this class is compiled without the Vector API. */
    PixelKernels create() {
      try {
        return Class.forName("io.feedline.formats.jpeg.internal." + prefix + "PixelKernels")
            .asSubclass(PixelKernels.class)
            .getDeclaredConstructor()
            .newInstance();
      } catch (ReflectiveOperationException missing) {
        throw new LinkageError(missing.getMessage(), missing);
      }
    }
  }

  private final PixelKernels kernels;

  PixelKernelsTest(Loops loops) {
    this.kernels = loops.create();
  }

  @ParameterizedTest
  @CsvSource({
    "8, SMOOTH", "8, HARSH", "8, EXTREME",
    "4, SMOOTH", "4, HARSH", "4, EXTREME",
    "2, SMOOTH", "2, HARSH", "2, EXTREME",
    "1, SMOOTH", "1, HARSH", "1, EXTREME"
  })
  void shouldTransformEachBlockOfABatchAsTheTextbookDoes(int size, Kind kind) {
    SplittableRandom random = new SplittableRandom(size);
    int[][] blocks = new int[Coefficients.BLOCKS][];
    int[] coefficients = new Coefficients().values();
    for (int slot = 0; slot < blocks.length; slot++) {
      blocks[slot] = kind.block(random);
      for (int f = 0; f < 64; f++) {
        coefficients[f * Coefficients.BLOCKS + slot] = blocks[slot][f];
      }
    }
    int[] left = new int[8 * Coefficients.BLOCKS];
    int[] right = new int[8 * Coefficients.BLOCKS];

    int[] before = coefficients.clone();
    boolean done = kernels.transform(size, coefficients, 0, Coefficients.BLOCKS, left, right);
    if (size != 2) {
      assertThat(done).isEqualTo(kind != Kind.EXTREME || size == 1);
    }
    if (!done) {
      assertThat(coefficients).isEqualTo(before);
      SixteenBitTransform.transform(size, coefficients, 0, Coefficients.BLOCKS, left, right);
    }

    for (int slot = 0; slot < blocks.length; slot++) {
      int[] samples = new int[size * size];
      for (int i = 0; i < samples.length; i++) {
        int x = i % size;
        int[] words = x < 4 ? left : right;
        samples[i] = words[i / size * Coefficients.BLOCKS + slot] >>> (8 * (x % 4)) & 255;
      }
      assertThat(samples)
          .as("slot %d", slot)
          .isEqualTo(TextbookTransform.samples(blocks[slot], size));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "8, 0, 4096",
    "8, 0, -4097",
    "8, 5, 4096",
    "8, 63, -2960",
    "4, 0, 4096",
    "4, 0, -4097",
    "4, 7, 4096",
    "2, 0, 4096",
    "2, 8, -4600"
  })
  void shouldLeaveABatchToOthersForASingleLargeValue(int size, int frequency, int value) {
    int slots = Coefficients.BLOCKS;
    for (int slot : new int[] {0, 1, 77, slots - 1}) {
      int[] coefficients = new Coefficients().values();
      int[] samples = new int[8 * slots];
      coefficients[frequency * slots + slot] = value * 9 / 10;
      assertThat(kernels.transform(size, coefficients, 0, slots, samples, samples.clone()))
          .isTrue();
      Arrays.fill(coefficients, 0);
      coefficients[frequency * slots + slot] = value;
      assertThat(kernels.transform(size, coefficients, 0, slots, samples, samples.clone()))
          .isFalse();
      assertThat(coefficients[frequency * slots + slot]).isEqualTo(value);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 4, 2})
  void shouldDoTheSameAsWithSixteenBitsWhereItDoesAnything(int size) {
    SplittableRandom random = new SplittableRandom(size);
    int slots = Coefficients.BLOCKS;
    int done = 0;
    int[][] fast = new int[2][8 * slots];
    int[][] slow = new int[2][8 * slots];
    for (int round = 0; round < 300; round++) {
      int[] coefficients = new Coefficients().values();
      int most = 1 << random.nextInt(8, 16);
      int values = random.nextInt(1, 12);
      for (int i = 0; i < values; i++) {
        coefficients[random.nextInt(64) * slots + 3] = random.nextInt(-most, most);
      }
      SixteenBitTransform.transform(size, coefficients, 3, 4, slow[0], slow[1]);
      if (kernels.transform(size, coefficients, 3, 4, fast[0], fast[1])) {
        done++;
        for (int y = 0; y < size; y++) {
          assertThat(fast[0][y * slots + 3]).isEqualTo(slow[0][y * slots + 3]);
          if (size == 8) {
            assertThat(fast[1][y * slots + 3]).isEqualTo(slow[1][y * slots + 3]);
          }
        }
      }
    }
    assertThat(done).isBetween(50, 250);
  }

  @ParameterizedTest
  @CsvSource({"8, 5, 17", "8, 60, 112", "4, 0, 1", "4, 33, 77", "2, 100, 101", "1, 6, 110"})
  void shouldTransformAPartOfABatchAsTheWholeBatch(int size, int from, int to) {
    SplittableRandom random = new SplittableRandom(size);
    int[] coefficients = new Coefficients().values();
    Arrays.setAll(coefficients, i -> random.nextInt(-200, 201));
    int[][] whole = new int[2][8 * Coefficients.BLOCKS];
    int[][] part = new int[2][8 * Coefficients.BLOCKS];

    kernels.transform(size, coefficients.clone(), 0, Coefficients.BLOCKS, whole[0], whole[1]);
    kernels.transform(size, coefficients, from, to, part[0], part[1]);

    for (int row = 0; row < size; row++) {
      for (int slot = from; slot < to; slot++) {
        int at = row * Coefficients.BLOCKS + slot;
        assertThat(part[0][at]).isEqualTo(whole[0][at]);
        if (size == 8) {
          assertThat(part[1][at]).isEqualTo(whole[1][at]);
        }
      }
    }
  }

  @Test
  void shouldConvertEveryColorAsTheTextbookDoes() {
    int n = 256;
    int[] luma = new int[n + PixelKernels.SLACK];
    int[] cb = new int[n + PixelKernels.SLACK];
    int[] cr = new int[n + PixelKernels.SLACK];
    int[] pixels = new int[n + PixelKernels.SLACK];
    for (int y = 0; y < 256; y += 3) {
      for (int v = 0; v < 256; v++) {
        for (int u = 0; u < n; u++) {
          luma[u] = y << 16 | 0x5A005A5A;
          cb[u] = u << 8 | 0x5A5A005A;
          cr[u] = v << 8 | 0x5A5A005A;
        }
        kernels.color(luma, 16, cb, cr, 8, pixels, n);
        int[] expected = new int[n];
        for (int u = 0; u < n; u++) {
          expected[u] = TextbookDecoder.converted(y, u - 128, v - 128);
        }
        assertThat(pixels).as("luma %d, cr %d", y, v).startsWith(expected);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 15, 16, 17, 100, 768})
  void shouldDoTheSameToRunsOfAnyLength(int n) {
    int[] a = random(n, 1);
    int[] b = random(n, 2);
    int[] c = random(n, 3);
    int[] out = new int[n + PixelKernels.SLACK];
    for (int shift = 0; shift < 32; shift += 8) {
      int s = shift;
      kernels.unpack(a, s, out, n);
      assertThat(out).startsWith(each(n, i -> a[i] >>> s & 255));

      kernels.blendPacked(a, b, s, 2, 2, out, n);
      assertThat(out)
          .startsWith(each(n, i -> (3 * (a[i] >>> s & 255) + (b[i] >>> s & 255) + 2) >> 2));

      kernels.rgb(a, s, b, c, 24 - s, out, n);
      assertThat(out)
          .startsWith(
              each(
                  n,
                  i ->
                      (a[i] >>> s & 255)
                          | (b[i] >>> (24 - s) & 255) << 8
                          | (c[i] >>> (24 - s) & 255) << 16));

      kernels.gray(a, s, out, n);
      assertThat(out).startsWith(each(n, i -> (a[i] >>> s & 255) * 0x010101));
    }
    int[] near = each(n, i -> a[i] & 1023);
    int[] far = each(n, i -> b[i] & 1023);
    int[] u = each(n, i -> (3 * near[i] + far[i] + 7) >> 4);
    int[] v = each(n, i -> (3 * far[i] + near[i] + 7) >> 4);
    kernels.blend(padded(near), padded(far), 7, 4, out, n);
    assertThat(out).startsWith(u);

    kernels.blendedColor(a, 16, padded(near), padded(far), padded(far), padded(near), 7, 4, out, n);
    assertThat(out)
        .startsWith(
            each(n, i -> TextbookDecoder.converted(a[i] >>> 16 & 255, u[i] - 128, v[i] - 128)));
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 8, 16, 32})
  void shouldSpreadFourRunsOverEveryOtherPixel(int step) {
    int[][] phases = new int[6][];
    Arrays.setAll(phases, i -> random(20, i));
    int[] expected = new int[3 + 10 * step];
    for (int i = 0; i < 40; i++) {
      expected[3 + i / 4 * step + i % 4] = phases[1 + i % 4][5 + i / 4];
    }
    int[] target = new int[expected.length];

    kernels.spreadFour(phases, 1, 5, target, 3, step, 10);

    assertThat(target).isEqualTo(expected);
  }

  private interface Element {
    int at(int i);
  }

  private static int[] each(int n, Element element) {
    int[] result = new int[n];
    Arrays.setAll(result, element::at);
    return result;
  }

  private static int[] padded(int[] run) {
    return Arrays.copyOf(run, run.length + PixelKernels.SLACK);
  }

  private static int[] random(int n, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return padded(each(n, i -> random.nextInt()));
  }
}
