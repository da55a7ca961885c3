package io.feedline.sampler;

import static io.feedline.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

class TorchRandomTest {

  /** The C++ standard's known answer for mt19937: the 10000th word from the seed 5489. */
  @Test
  void shouldBeTheMersenneTwister() {
    TorchRandom random = TorchRandom.ofSeed(5489);
    random.skip(9999);

    assertThat(Integer.toUnsignedLong(random.nextInt())).isEqualTo(4123659995L);
  }

  @Test
  void shouldMapWordsToNumbersAsARandomGeneratorToo() {
    RandomGenerator random = TorchRandom.ofSeed(3);
    TorchRandom words = TorchRandom.ofSeed(3);
    int first = words.nextInt();
    long second = words.nextInt();
    long third = words.nextInt();
    long fourth = words.nextInt();
    long fifth = words.nextInt();

    assertThat(random.nextFloat()).isEqualTo((first & 0xFFFFFF) * 0x1p-24f);
    assertThat(random.nextLong()).isEqualTo(second << 32 | (third & 0xFFFFFFFFL));
    assertThat(random.nextDouble())
        .isEqualTo(((fourth << 32 | (fifth & 0xFFFFFFFFL)) & 0x1FFFFFFFFFFFFFL) * 0x1p-53);
  }

  @Test
  void shouldUseTheLow32BitsOfASeed() {
    assertThat(TorchRandom.ofSeed(7 + (1L << 40)).nextLong())
        .isEqualTo(TorchRandom.ofSeed(7).nextLong());
  }

  @Test
  void shouldSkipAsIfDrawn() {
    for (int before : new int[] {0, 1, 623, 624, 625}) {
      for (int skip : new int[] {0, 1, 622, 623, 624, 625, 1247, 1248, 1249, 5000}) {
        TorchRandom drawn = TorchRandom.ofSeed(11);
        for (int i = 0; i < before + skip; i++) {
          drawn.nextInt();
        }
        TorchRandom skipped = TorchRandom.ofSeed(11);
        skipped.skip(before);
        skipped.skip(skip);

        assertThat(skipped.words()).isEqualTo(drawn.words()).isEqualTo(before + skip);
        assertThat(skipped.nextInt()).as("%d then %d", before, skip).isEqualTo(drawn.nextInt());
      }
    }
  }

  @Test
  void shouldLeaveACopyAlone() {
    TorchRandom random = TorchRandom.ofSeed(5);
    random.skip(600);
    TorchRandom copy = random.copy();
    long[] permutation = random.randperm(100);

    assertThat(copy.words()).isEqualTo(600);
    assertThat(copy.randperm(100)).isEqualTo(permutation);
  }

  @Test
  void shouldRefuseWhatCannotBeDrawn() {
    TorchRandom random = TorchRandom.ofSeed(0);

    assertRefused(() -> random.randint(5, 5), "randint needs low < high, was low 5, high 5");
    assertRefused(() -> random.uniformFloat(1, 0), "from 1.0, to 0.0");
    assertRefused(() -> random.uniformFloat(-3e38, 3e38));
    assertRefused(() -> random.uniformDouble(Double.NaN, 1));
    assertRefused(() -> random.randperm(-1), "n must be 0 or more, was -1");
    assertRefused(() -> random.skip(-1), "words to skip must be 0 or more, was -1");
    assertThat(random.words()).isZero();
  }

  /**
   * The two sizes at which PyTorch changes its algorithm. The answers are PyTorch 2.13's: {@code
   * zlib.crc32(torch.randperm(n, generator=g, dtype=torch.int32).numpy())} after {@code
   * g.manual_seed(1)}, then 24 bits of the next word.
   */
  @Test
  @EnabledIfSystemProperty(
      named = "feedline.test.large",
      matches = "true",
      disabledReason = "needs 1 GB of heap and a minute: -Dfeedline.test.large=true")
  void shouldPermuteHundredsOfMillions() {
    assertLarge(214_748_363, 0x6e66ff81L, 7468456);
    assertLarge(214_748_364, 0xc16a3751L, 12132683);
  }

  private static void assertLarge(int n, long expectedCrc, int next24Bits) {
    TorchRandom random = TorchRandom.ofSeed(1);
    int[] permutation = random.randpermInt32(n);
    CRC32 crc = new CRC32();
    ByteBuffer buffer = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
    for (int start = 0; start < n; start += 1 << 14) {
      buffer.clear();
      buffer.asIntBuffer().put(permutation, start, Math.min(1 << 14, n - start));
      crc.update(buffer.limit(4 * Math.min(1 << 14, n - start)));
    }

    assertThat(crc.getValue()).isEqualTo(expectedCrc);
    assertThat(random.words()).isEqualTo(TorchRandom.wordsOfRandperm(n));
    assertThat(random.nextInt() & 0xFFFFFF).isEqualTo(next24Bits);
  }
}
