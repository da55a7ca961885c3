package io.feedline.data;

import static io.feedline.Refusals.assertRefused;
import static io.feedline.Refusals.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.DataLoader;
import io.feedline.Samples;
import io.feedline.Together;
import io.feedline.batch.DType;
import io.feedline.batch.Decoded;
import io.feedline.batch.SampleCodec;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.internal.MapKeys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CachedDatasetTest extends DatasetContract<CachedDatasetTest.Sample> {

  private static final int SIZE = 200;
  private static final long AMPLE = 1 << 20;

  /** A sample whose bytes, and their number, follow from its index. */
  record Sample(long index, Tensor bytes, String path) {
    static Sample of(long index) {
      byte[] bytes = new byte[(int) (index * 37 % 500)];
      new Random(index).nextBytes(bytes);
      return new Sample(index, Tensor.of(bytes), "/data/" + index);
    }

    boolean isIntact(long expected) {
      return index == expected
          && path.equals("/data/" + index)
          && Arrays.equals(bytes.toByteArray(), of(expected).bytes.toByteArray());
    }
  }

  /** Counts reads, and notices two of one sample at once. */
  private static final class Source implements Dataset<Sample> {
    private final AtomicIntegerArray reads = new AtomicIntegerArray(SIZE);
    private final AtomicIntegerArray readers = new AtomicIntegerArray(SIZE);
    private final AtomicInteger collisions = new AtomicInteger();

    @Override
    public long size() {
      return SIZE;
    }

    @Override
    public Sample get(long index) {
      int i = (int) Objects.checkIndex(index, SIZE);
      reads.incrementAndGet(i);
      if (readers.incrementAndGet(i) > 1) {
        collisions.incrementAndGet();
      }
      Sample sample = Sample.of(index);
      readers.decrementAndGet(i);
      return sample;
    }

    @Override
    public String describe(long index) {
      return "/data/" + index;
    }

    int reads() {
      return IntStream.range(0, SIZE).map(reads::get).sum();
    }
  }

  private final Source source = new Source();

  @Override
  protected Dataset<Sample> dataset() {
    return CachedDataset.builder(new Source()).byteBudget(AMPLE).slabBytes(4096).build();
  }

  private CachedDataset<Sample> cache(long budget) {
    return CachedDataset.builder(source).byteBudget(budget).slabBytes(4096).build();
  }

  @Test
  void shouldReadEachSampleOnceWhateverTheThreadsAndEpochs() throws Exception {
    try (CachedDataset<Sample> cache = cache(AMPLE);
        DataLoader<Long> loader =
            DataLoader.builder(cache.map(sample -> sample.isIntact(sample.index()) ? 1L : 0L))
                .batchSize(16)
                .shuffle(true)
                .numWorkers(2)
                .build()) {
      readByManyThreads(cache);
      assertThat(Samples.rest(loader.iterator())).containsOnly(1L);
      CachedDataset.Stats stats = cache.stats();
      // The epoch after the last may have been begun.
      assertThat(stats.hits()).isGreaterThanOrEqualTo(8 * SIZE);
      assertThat(stats.misses()).isEqualTo(SIZE);
      assertThat(stats.samples()).isEqualTo(SIZE);
      assertThat(stats.full()).isFalse();
    }
    assertThat(source.collisions).hasValue(0);
    assertThat(source.reads()).isEqualTo(SIZE);
  }

  @Test
  void shouldLetASecondReaderWaitForTheFirst() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    AtomicReference<Thread> second = new AtomicReference<>();
    Dataset.Getter<Long> slow =
        index -> {
          // The first reader is not done before the second one waits, or reads as well.
          if (reads.incrementAndGet() == 1) {
            second.get().start();
            while (second.get().getState() != Thread.State.WAITING && reads.get() == 1) {
              Thread.onSpinWait();
            }
          }
          return 42L;
        };
    try (CachedDataset<Long> cache = Dataset.<Long>of(1, slow).cached(AMPLE)) {
      FutureTask<Long> secondRead = new FutureTask<>(() -> cache.get(0));
      second.set(new Thread(secondRead, "second reader"));

      assertThat(cache.get(0)).isEqualTo(42);
      assertThat(secondRead.get()).isEqualTo(42);
      assertThat(reads).hasValue(1);
      assertThat(cache.stats().hits()).isEqualTo(1);
    }
  }

  @Test
  void shouldKeepToItsBudgetAndGiveRightSamplesBeyond() throws Exception {
    for (long budget : new long[] {1, 600, 4096, 10_000, 30_000}) {
      try (CachedDataset<Sample> cache = cache(budget)) {
        readByManyThreads(cache);

        CachedDataset.Stats stats = cache.stats();
        assertThat(stats.bytes()).isLessThanOrEqualTo(budget);
        assertThat(stats.byteBudget()).isEqualTo(budget);
        assertThat(stats.full()).isTrue();
        assertThat(stats.samples()).isLessThan(SIZE);

        int before = source.reads();
        for (long i = 0; i < SIZE; i++) {
          assertThat(cache.get(i).isIntact(i)).isTrue();
        }
        assertThat(source.reads() - before).isEqualTo((int) (SIZE - stats.samples()));
        assertThat(cache.stats().samples()).as("nothing is added").isEqualTo(stats.samples());
      }
    }
  }

  private static void readByManyThreads(CachedDataset<Sample> cache) throws Exception {
    List<Integer> intact =
        Together.inEightThreads(
            thread -> {
              List<Integer> order = new ArrayList<>(IntStream.range(0, SIZE).boxed().toList());
              // Two threads each have one order, so that they keep meeting.
              Collections.shuffle(order, new Random(thread / 2));
              int found = 0;
              for (int index : order) {
                found += cache.get(index).isIntact(index) ? 1 : 0;
              }
              return found;
            });
    assertThat(intact).containsOnly(SIZE);
  }

  @Test
  void shouldTryAgainWhatCouldNotBeRead() throws Exception {
    AtomicInteger failures = new AtomicInteger(2);
    Dataset<Long> flaky =
        Samples.numbers(
            13, index -> Samples.failIf(index == 10 && failures.getAndDecrement() > 0, "later"));
    try (CachedDataset<Long> cache = flaky.cached(AMPLE)) {
      assertThrown(IOException.class, () -> cache.get(10));
      assertThrown(IOException.class, () -> cache.get(10));
      assertThat(cache.get(10)).isEqualTo(10);
      assertThat(cache.get(10)).isEqualTo(10);
      assertThat(cache.stats())
          .isEqualTo(new CachedDataset.Stats(1, 3, 1, cache.stats().bytes(), AMPLE, false));
    }
  }

  @Test
  void shouldRefuseToFreezeRandomTransforms() {
    Dataset<Long> random = Dataset.of(3, i -> i).map((sample, draw) -> draw.nextLong());
    try (CachedDataset<Long> cache = random.cached(AMPLE)) {
      assertThrown(
          IllegalStateException.class,
          () -> cache.get(0),
          "Dataset.of(3)",
          "cache first, then map the random transforms");
      assertThat(cache.stats().samples()).isZero();
    }
  }

  @Test
  void shouldGiveALargeSampleASlabOfItsOwn() throws Exception {
    Dataset<byte[]> large = Dataset.of(2, index -> new byte[10_000]);
    try (CachedDataset<byte[]> cache =
        CachedDataset.builder(large).byteBudget(25_000).slabBytes(4096).build()) {
      assertThat(cache.get(0)).hasSize(10_000);
      assertThat(cache.get(1)).hasSize(10_000);
      assertThat(cache.stats().samples()).isEqualTo(2);
      assertThat(cache.stats().bytes()).isBetween(20_000L, 25_000L);
    }
  }

  @Test
  void shouldUseACodecAndCatchOneThatLies() throws Exception {
    SampleCodec<Long> inEightBytes =
        new SampleCodec<>() {
          @Override
          public long byteSize(Long sample) {
            return sample == 2 ? 9 : 8;
          }

          @Override
          public void encode(Long sample, ByteBuffer target) {
            target.putLong(sample);
          }

          @Override
          public Long decode(ByteBuffer bytes) {
            assertThat(bytes.isReadOnly()).isTrue();
            return bytes.getLong();
          }
        };
    try (CachedDataset<Long> cache =
        CachedDataset.builder(Dataset.of(3, i -> i))
            .byteBudget(AMPLE)
            .codec(inEightBytes)
            .build()) {
      assertThat(cache.get(1)).isEqualTo(1);
      assertThat(cache.get(1)).isEqualTo(1);
      assertThrown(
          IllegalStateException.class, () -> cache.get(2), "announced 9 bytes and wrote 8");
    }
  }

  @Test
  void shouldGiveNothingWhenClosedButLeaveSamplesAlive() throws Exception {
    CachedDataset<Sample> cache = cache(AMPLE);
    Sample sample = cache.get(7);
    cache.close();
    cache.close();

    assertThatThrownBy(() -> cache.get(7))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the cache is closed");
    assertThrown(IllegalStateException.class, () -> cache.get(8));
    assertThat(sample.isIntact(7)).isTrue();
    assertThat(cache.stats().bytes()).isZero();
    assertThat(source.reads()).isEqualTo(1);
  }

  @Test
  void shouldCheckItsOptions() {
    assertRefused(() -> source.cached(0), "byteBudget must be 1 or more, was 0");
    assertRefused(() -> Dataset.of(1L << 31, i -> i).cached(1), "2147483648", "cache a subset");
  }

  // ---- the default codec ---------------------------------------------------------------------

  private record Inside(float x, short y) {}

  private record Outside(long id, Inside inside, List<String> names, Tensor pixels) {}

  private record Nothing() {}

  private final SampleCodec<Object> codec = SampleCodec.defaults();

  private Object roundTrip(Object sample) throws Exception {
    ByteBuffer bytes =
        ByteBuffer.allocateDirect((int) codec.byteSize(sample)).order(ByteOrder.nativeOrder());
    codec.encode(sample, bytes);
    assertThat(bytes.hasRemaining()).as("as many bytes as announced").isFalse();
    return codec.decode(bytes.flip().asReadOnlyBuffer().order(ByteOrder.nativeOrder()));
  }

  private void assertKept(Object sample) throws Exception {
    Object decoded = roundTrip(sample);
    assertThat(content(decoded)).isEqualTo(content(sample));
  }

  @Test
  void shouldKeepEachKindOfValue() throws Exception {
    Object[] values = {
      true,
      false,
      (byte) -1,
      (short) -2,
      -3,
      Long.MIN_VALUE,
      Float.NaN,
      -0.0,
      "",
      "äß\uD83D",
      TimeUnit.DAYS,
      new Nothing(),
      new Inside(1, (short) 2),
      new byte[] {1, -2},
      new short[] {1, -2},
      new int[] {1, -2},
      new long[] {1, -2},
      new float[] {1, -2},
      new double[0],
      new boolean[] {true, false},
      new Object[] {1, "a"},
      new String[0],
      new float[][] {{1, 2}, {3}}
    };
    for (Object value : values) {
      assertThat(roundTrip(value)).isEqualTo(value);
    }
    assertThat(roundTrip(TimeUnit.DAYS)).isSameAs(TimeUnit.DAYS);
  }

  @SuppressWarnings("ArrayRecordComponent") // samples are never compared
  private record Boxes(float[][] corners, String[] names, byte[][][] masks) {}

  @Test
  void shouldKeepTheClassOfArraysInRecords() throws Exception {
    Boxes boxes = new Boxes(new float[][] {{1, 2}}, new String[] {"a"}, new byte[][][] {{{7}}, {}});

    Boxes decoded = (Boxes) roundTrip(boxes);

    assertThat(decoded.corners()).isDeepEqualTo(boxes.corners());
    assertThat(decoded.names()).isEqualTo(boxes.names());
    assertThat(decoded.masks()).isEqualTo(boxes.masks());
  }

  @Test
  void shouldKeepTensorsOfEachDtypeAsViewsThatCannotBeWritten() throws Exception {
    for (DType dtype : DType.values()) {
      Tensor tensor = Tensor.zeros(dtype, Shape.of(2, 0, 3));
      assertKept(tensor);
      Tensor ones = Tensor.zeros(dtype, Shape.of(2, 3));
      ones.bytes().put(1, (byte) 7);
      assertKept(ones);
    }
    Tensor decoded = (Tensor) roundTrip(Tensor.of(new float[] {1, 2}));
    assertThatThrownBy(() -> decoded.bytes().putFloat(0, 9))
        .isInstanceOf(ReadOnlyBufferException.class);
    assertThat(decoded.copy().toFloatArray()).containsExactly(1, 2);
  }

  @Test
  void shouldKeepTheOrderOfMapsAndThatTheyHaveNone() throws Exception {
    Map<String, Object> linked = new LinkedHashMap<>();
    linked.put("z", 1);
    linked.put("a", List.of());
    Map<String, Object> descending = new TreeMap<>(Collections.reverseOrder());
    descending.putAll(linked);

    assertThat(((Map<?, ?>) roundTrip(linked)).keySet().toArray()).containsExactly("z", "a");
    assertThat(((Map<?, ?>) roundTrip(descending)).keySet().toArray()).containsExactly("z", "a");
    assertThat(MapKeys.isOrdered((Map<?, ?>) roundTrip(descending))).isTrue();
    assertThat(MapKeys.isOrdered((Map<?, ?>) roundTrip(new HashMap<>(linked)))).isFalse();
    assertThat(roundTrip(Map.copyOf(linked))).isEqualTo(linked);
  }

  @Test
  void shouldKeepAnyStructure() throws Exception {
    Random random = new Random(41);
    for (int round = 0; round < 300; round++) {
      assertKept(generate(random, 4));
    }
  }

  private static Object generate(Random random, int depth) {
    return switch (random.nextInt(depth == 0 ? 5 : 9)) {
      case 0 -> random.nextLong();
      case 1 -> random.nextFloat();
      case 2 -> Long.toString(random.nextLong());
      case 3 -> random.ints(random.nextInt(5)).toArray();
      case 4 -> Tensor.of(random.longs(6).toArray(), 2, 3);
      case 5 ->
          new Outside(
              random.nextLong(),
              new Inside(random.nextFloat(), (short) random.nextInt()),
              List.of("a", Integer.toString(random.nextInt())),
              Tensor.of(random.longs(3).toArray()));
      case 6 -> generateAll(random, depth - 1);
      case 7 -> generateAll(random, depth - 1).toArray();
      default -> {
        Map<String, Object> map = new LinkedHashMap<>();
        for (Object value : generateAll(random, depth - 1)) {
          map.put("k" + random.nextInt(), value);
        }
        yield map;
      }
    };
  }

  private static List<Object> generateAll(Random random, int depth) {
    List<Object> values = new ArrayList<>();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      values.add(generate(random, depth));
    }
    return values;
  }

  @Test
  void shouldRefuseOtherValuesNamingTheEntry() {
    Decoded recipe = new Decoded(() -> {}, () -> {});
    assertRefused(
        () -> codec.byteSize(Map.of("image", recipe)),
        "entry 'image'",
        "Decoded",
        "an image to its pixels");
    assertRefused(() -> codec.byteSize(Arrays.asList(1, null)), "entry '1' is null");
    assertRefused(() -> codec.byteSize(Map.of("a", Map.of(1, 2))), "entry 'a'", "keys");
  }
}
