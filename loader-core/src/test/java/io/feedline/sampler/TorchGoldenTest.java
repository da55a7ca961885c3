package io.feedline.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.sampler.DistributedSampler.Remainder;
import io.feedline.sampler.Sampler.Order;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/**
 * Compares with what PyTorch wrote down: {@code make_golden.py} beside the golden files says how,
 * and what their columns are.
 */
class TorchGoldenTest {

  @Test
  void shouldGivePyTorchsRandomNumbers() {
    for (String[] line : lines("random")) {
      TorchRandom random = TorchRandom.ofSeed(Long.parseLong(line[1]));
      Crc crc = new Crc();
      int count = Integer.parseInt(line[line.length - 2]);
      for (int i = 0; i < count; i++) {
        addNumber(crc, random, line);
      }
      crc.add(next24Bits(random));
      assertSame(crc, line[line.length - 1], line);
    }
  }

  private static void addNumber(Crc crc, TorchRandom random, String[] line) {
    switch (line[0]) {
      case "random64" -> crc.add(random.nextLong());
      case "random_" -> crc.add(random.randomInt64());
      case "rand32" -> crc.add(random.nextFloat());
      case "rand64" -> crc.add(Double.doubleToLongBits(random.nextDouble()));
      case "randint" -> crc.add(random.randint(Long.parseLong(line[2]), Long.parseLong(line[3])));
      default -> {
        double from = Double.parseDouble(line[2]);
        double to = Double.parseDouble(line[3]);
        if (line[0].equals("uniform32")) {
          crc.add(random.uniformFloat(from, to));
        } else {
          crc.add(Double.doubleToLongBits(random.uniformDouble(from, to)));
        }
      }
    }
  }

  @Test
  void shouldGivePyTorchsPermutations() {
    for (String[] line : lines("randperm")) {
      int n = Integer.parseInt(line[0]);
      long seed = Long.parseLong(line[1]);
      TorchRandom random = TorchRandom.ofSeed(seed);
      Crc crc = new Crc();
      crc.addAll(random.randperm(n));
      assertThat(random.words()).isEqualTo(TorchRandom.wordsOfRandperm(n));
      crc.add(next24Bits(random));
      assertSame(crc, line[2], line);

      TorchRandom skipped = TorchRandom.ofSeed(seed);
      skipped.skip(TorchRandom.wordsOfRandperm(n));
      skipped.nextInt();
      assertThat(skipped.nextInt()).isEqualTo(random.nextInt());
    }
  }

  @Test
  void shouldVisitInTheOrderOfPyTorchsLoader() {
    for (String[] line : lines("loader_own")) {
      compareLoader(line, randomSampler(line).seed(Long.parseLong(line[1])).build());
    }
    for (String[] line : lines("loader_global")) {
      compareLoader(line, randomSampler(line).globalSeed(Long.parseLong(line[1])).build());
    }
  }

  private static TorchSampler.Builder randomSampler(String[] line) {
    return TorchSampler.random(Long.parseLong(line[0]))
        .numSamples(Long.parseLong(line[2]))
        .replacement(line[3].equals("1"))
        .baseSeed(line[4].equals("1"));
  }

  private static void compareLoader(String[] line, TorchSampler sampler) {
    int batchSize = Integer.parseInt(line[5]);
    boolean dropLast = line[6].equals("1");
    int ahead = Integer.parseInt(line[7]);
    compareEpochs(line, 8, sampler, batchSize, dropLast, ahead);
  }

  @Test
  void shouldDrawAsPyTorchsWeightedSamplerDoes() {
    for (String[] line : lines("weighted")) {
      long[] numbers = Arrays.stream(line, 0, 4).mapToLong(Long::parseLong).toArray();
      double divisor = Double.parseDouble(line[4]);
      double[] weights =
          LongStream.range(0, numbers[0])
              .mapToDouble(i -> (i * numbers[1] + numbers[2]) % numbers[3] / divisor)
              .toArray();
      TorchSampler sampler =
          TorchSampler.weighted(weights, Integer.parseInt(line[5]))
              .replacement(line[6].equals("1"))
              .baseSeed(line[7].equals("1"))
              .seed(Long.parseLong(line[8]))
              .build();
      compareEpochs(line, 10, sampler, Integer.parseInt(line[9]), false, 0);
    }
  }

  @Test
  void shouldVisitASubsetInTheOrderOfPyTorchsSampler() {
    for (String[] line : lines("subset")) {
      long[] indices =
          LongStream.range(0, Long.parseLong(line[0])).map(i -> i * 7919 % 100_003).toArray();
      TorchSampler sampler =
          TorchSampler.subset(indices)
              .seed(Long.parseLong(line[1]))
              .baseSeed(line[2].equals("1"))
              .build();
      int batchSize = Integer.parseInt(line[3]);
      compareEpochs(line, 6, sampler, batchSize, line[4].equals("1"), Integer.parseInt(line[5]));
    }
  }

  /** Goes through the epochs as the line says: so many batches of each, or all and to the end. */
  private static void compareEpochs(
      String[] line, int first, TorchSampler sampler, int batchSize, boolean dropLast, int ahead) {
    TorchSampler started = sampler;
    boolean complete = true;
    for (int epoch = 0; epoch < line.length - first; epoch++) {
      String[] golden = line[first + epoch].split(":", 2);
      boolean toTheEnd = golden[0].equals("-");
      Order order = started.order(epoch);
      long taken = toTheEnd ? Long.MAX_VALUE / batchSize - ahead : Long.parseLong(golden[0]);
      long all = dropLast ? order.size() / batchSize * batchSize : order.size();
      assertSame(crcOf(order, Math.min(taken * batchSize, all)), golden[1], line);
      if (complete) {
        assertSame(crcOf(sampler.order(epoch), Math.min(taken * batchSize, all)), golden[1], line);
      }
      complete &= toTheEnd;
      long asked = (taken + ahead) * batchSize;
      started = started.startingAt(epoch + 1, started.drawAfter(epoch, asked));
    }
  }

  private static Crc crcOf(Order order, long count) {
    Crc crc = new Crc();
    for (long i = 0; i < count; i++) {
      crc.add(order.indexAt(i));
    }
    return crc;
  }

  @Test
  void shouldDealAsPyTorchsDistributedSamplerDoes() {
    for (String[] line : lines("distributed")) {
      long[] numbers = Arrays.stream(line, 0, 8).mapToLong(Long::parseLong).toArray();
      long size = numbers[0];
      WorldInfo world = new WorldInfo((int) numbers[2], (int) numbers[1]);
      Sampler base =
          numbers[4] == 1 ? TorchSampler.permutation(size, numbers[5]) : SequentialSampler.of(size);
      Order order =
          DistributedSampler.builder(base, world)
              .remainder(numbers[3] == 1 ? Remainder.DROP : Remainder.PAD)
              .build()
              .order(numbers[6]);
      assertThat(order.size()).isEqualTo(numbers[7]);
      assertSame(crcOf(order, order.size()), line[8], line);
    }
  }

  @Test
  void shouldSplitAsPyTorchDoes() {
    for (String[] line : lines("split")) {
      long size = Long.parseLong(line[0]);
      TorchRandom generator = TorchRandom.ofSeed(Long.parseLong(line[1]));
      Stream<String> parts = Arrays.stream(line[3].split(",", -1));
      long[][] pieces =
          line[2].equals("lengths")
              ? generator.randomSplit(size, parts.mapToLong(Long::parseLong).toArray())
              : generator.randomSplit(size, parts.mapToDouble(Double::parseDouble).toArray());
      Crc crc = new Crc();
      crc.addAll(Arrays.stream(pieces).mapToLong(piece -> piece.length).toArray());
      for (long[] piece : pieces) {
        crc.addAll(piece);
      }
      assertSame(crc, line[4], line);
    }
  }

  private static long next24Bits(TorchRandom random) {
    return (long) (random.nextFloat() * 0x1p24f);
  }

  private static void assertSame(Crc crc, String golden, String[] line) {
    // Only a failure is worth the cost of describing the line.
    if (!crc.hex().equals(golden)) {
      throw new AssertionError("other than PyTorch: " + String.join(" ", line));
    }
  }

  private static List<String[]> lines(String file) {
    String name = "torch/" + file + ".txt.gz";
    try (InputStream stream = TorchGoldenTest.class.getResourceAsStream(name);
        BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(new GZIPInputStream(stream), StandardCharsets.US_ASCII))) {
      return reader
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split(" ", -1))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(name, e);
    }
  }

  private static final class Crc {
    private final CRC32 crc = new CRC32();
    private final ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);

    void add(long value) {
      crc.update(bytes.clear().putLong(value).flip());
    }

    void add(float value) {
      crc.update(bytes.clear().putFloat(value).flip());
    }

    void addAll(long[] values) {
      for (long value : values) {
        add(value);
      }
    }

    String hex() {
      return Long.toHexString(crc.getValue());
    }
  }
}
