package io.feedline.transform;

import java.util.random.RandomGenerator;

/**
 * The randomness of one random transform on one sample (or batch) in one epoch: a counter-based
 * generator, so a stream follows from arithmetic and not from history.
 *
 * <p>It is Philox2x64-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2,
 * 3", SC 2011), which passes BigCrush. The key is mixed from (seed, epoch), and from the occurrence
 * of an index that an epoch repeats; the 128-bit counter is laid out as
 *
 * <pre>
 *   high word   index of the sample
 *   low word    stage (16 bits) | substream (16 bits) | block (32 bits)
 * </pre>
 *
 * so streams of one key never overlap, up to 2^33 draws each.
 *
 * <p>Not thread-safe: one worker draws from it at a time. No memory is allocated after
 * construction.
 */
public final class SampleRandom implements RandomGenerator {

  private static final long MULTIPLIER = 0xD2B74407B1CE6E93L;
  private static final long WEYL = 0x9E3779B97F4A7C15L;
  private static final int ROUNDS = 10;
  private static final int MAX_STREAMS = 1 << 16;

  /** The constant that separates the keys of batches from the keys of samples. */
  private static final long BATCHES = 0xD1B54A32D192ED03L;

  private final long key;
  private final long index;
  private final int stage;
  private final long counterBase;
  private int block;
  private long pending;
  private boolean hasPending;

  /** Creates the stream of one transform on a sample that occurs once in its epoch. */
  public SampleRandom(long seed, long epoch, long index, int stage) {
    this(seed, epoch, index, 0, stage);
  }

  /**
   * Creates the stream of one transform on one of several occurrences of a sample in its epoch.
   *
   * @param seed the loader's seed
   * @param index the sample's index
   * @param occurrence the number that {@link io.feedline.sampler.Sampler.Order#occurrence} returns;
   *     0 for the stream of a sample that occurs once
   * @param stage the number of the transform among the sample's random transforms, 0 to 65535
   * @throws IllegalArgumentException if {@code stage} is out of range
   */
  public SampleRandom(long seed, long epoch, long index, long occurrence, int stage) {
    this(
        occurrence == 0 ? keyOf(seed, epoch) : keyOf(keyOf(seed, epoch), occurrence),
        index,
        stage,
        0);
  }

  private SampleRandom(long key, long index, int stage, int substream) {
    if (stage < 0 || stage >= MAX_STREAMS || substream < 0 || substream >= MAX_STREAMS) {
      throw new IllegalArgumentException(
          "a sample has at most %d random transforms and as many members in a composition, found "
                  .formatted(MAX_STREAMS)
              + "transform %d, member %d".formatted(stage, substream));
    }
    this.key = key;
    this.index = index;
    this.stage = stage;
    this.counterBase = ((long) stage << 48) | ((long) substream << 32);
  }

  /**
   * Returns the stream of a batch's transform, which shares no number with any sample's stream.
   *
   * @param seed the loader's seed
   * @param number the number of the batch in its epoch
   */
  public static SampleRandom ofBatch(long seed, long epoch, long number) {
    return new SampleRandom(keyOf(keyOf(seed, BATCHES), epoch), number, 0, 0);
  }

  /**
   * Returns a stream of its own for one member of a composed transform. The stream depends on the
   * number alone, not on earlier draws.
   *
   * @param number the member's number, 0 to 65534
   * @throws IllegalArgumentException if the number is out of range
   */
  public SampleRandom substream(int number) {
    return new SampleRandom(key, index, stage, number + 1);
  }

  /** Returns false for a {@link #substream}. */
  boolean isWhole() {
    return (counterBase >>> 32 & (MAX_STREAMS - 1)) == 0;
  }

  /**
   * Returns a generator of the same numbers, which a composition does not split into substreams. A
   * transform that has drawn from the generator passes the result to its parts: a composition among
   * the parts would otherwise repeat the substreams of the outer composition.
   */
  static RandomGenerator unsplit(RandomGenerator random) {
    return random instanceof SampleRandom whole ? new Unsplit(whole) : random;
  }

  private record Unsplit(SampleRandom whole) implements RandomGenerator {
    @Override
    public long nextLong() {
      return whole.nextLong();
    }
  }

  /** Mixes two words into one key, by the finalizer of SplitMix64 over each word in turn. */
  static long keyOf(long seed, long epoch) {
    return mix(mix(seed + WEYL) ^ (epoch * WEYL + MULTIPLIER));
  }

  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  @Override
  public long nextLong() {
    if (hasPending) {
      hasPending = false;
      return pending;
    }
    long low = counterBase | (block++ & 0xFFFFFFFFL);
    long high = index;
    long roundKey = key;
    for (int round = 0; round < ROUNDS; round++) {
      long productHigh = unsignedMultiplyHigh(MULTIPLIER, low);
      long productLow = MULTIPLIER * low;
      low = productHigh ^ roundKey ^ high;
      high = productLow;
      roundKey += WEYL;
    }
    pending = high;
    hasPending = true;
    return low;
  }

  /** Returns {@code Math.unsignedMultiplyHigh}, which exists since Java 18. */
  private static long unsignedMultiplyHigh(long a, long b) {
    return Math.multiplyHigh(a, b) + ((a >> 63) & b) + ((b >> 63) & a);
  }

  /** Returns one block of Philox2x64-10 as its authors publish it, for the known-answer test. */
  static long[] block(long low, long high, long key) {
    SampleRandom random =
        new SampleRandom(key, high, (int) (low >>> 48), (int) (low >>> 32 & 0xFFFF));
    random.block = (int) low;
    return new long[] {random.nextLong(), random.nextLong()};
  }
}
