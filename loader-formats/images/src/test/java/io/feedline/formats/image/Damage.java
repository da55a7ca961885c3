package io.feedline.formats.image;

import io.feedline.Strength;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;

/**
 * Cases of fuzz tests, and changes of a file's bytes in place. {@code -Dfuzz.cases=200000} runs
 * more cases than the default, {@code -Dfuzz.seed} other ones.
 */
public final class Damage {

  public static final int CASES = Integer.getInteger("fuzz.cases", Strength.of(4000));
  private static final long SEED = Long.getLong("fuzz.seed", 1);

  /** A case, which the generator decides. */
  public interface Case {
    void run(Random random) throws IOException;
  }

  private Damage() {}

  public static void forEachCase(Case each) throws IOException {
    for (int i = 0; i < CASES; i++) {
      try {
        each.run(new Random(SEED * 1_000_003L + i));
      } catch (RuntimeException | Error escaped) {
        throw new AssertionError("case %d of seed %d".formatted(i, SEED), escaped);
      }
    }
  }

  /** Flips one to four bits between two offsets. */
  public static void flipBits(byte[] data, int from, int to, Random random) {
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      data[from + random.nextInt(to - from)] ^= (byte) (1 << random.nextInt(8));
    }
  }

  /** Overwrites up to 100 bytes somewhere behind an offset. */
  public static void overwrite(byte[] data, int from, Random random) {
    int at = from + random.nextInt(data.length - from);
    for (int i = at; i < Math.min(data.length, at + 1 + random.nextInt(100)); i++) {
      data[i] = (byte) random.nextInt();
    }
  }

  /** Sets other dimensions, often huge, in the first frame header of a JPEG behind an offset. */
  public static void setJpegSize(byte[] data, int from, Random random) {
    for (int i = from; i + 9 < data.length; i++) {
      if (data[i] == (byte) 0xFF && (data[i + 1] & 0xFE) == 0xC0) {
        int large = random.nextBoolean() ? 0xFFFF : 0xFF;
        ByteBuffer frame = ByteBuffer.wrap(data);
        frame.putShort(i + 5, (short) (random.nextInt() & large));
        frame.putShort(i + 7, (short) (random.nextInt() & large));
        return;
      }
    }
  }
}
