package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.Probes;
import io.feedline.batch.Probes.Probe;
import io.feedline.sampler.DistributedSampler;
import io.feedline.sampler.DistributedSampler.Remainder;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.Sampler.Order;
import io.feedline.sampler.WorldInfo;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several processes, each with a loader of its own, share the samples of an epoch. */
class DistributedTest {

  private static final int SIZE = 103;
  private static final int BATCH_SIZE = 8;
  private static final int EPOCHS = 2;
  private static final long SEED = 11;

  static final class OneRank {
    private OneRank() {}

    /** Takes rank and world size from the environment, as a launcher sets them. */
    public static void main(String[] args) {
      try (DataLoader<Probe> loader =
          loader(WorldInfo.fromEnvironment(), Remainder.valueOf(args[0])).numWorkers(2).build()) {
        for (int epoch = 0; epoch < EPOCHS; epoch++) {
          System.out.println(
              LongStream.of(Probes.flat(Probes.indices(loader)))
                  .mapToObj(Long::toString)
                  .collect(Collectors.joining(" ")));
        }
      }
    }
  }

  private static DataLoaderBuilder<Probe> loader(WorldInfo world, Remainder remainder) {
    return DataLoader.builder(Probes.dataset(SIZE))
        .batchSize(BATCH_SIZE)
        .shuffle(true)
        .seed(SEED)
        .distributed(world, remainder);
  }

  @Test
  @Timeout(120)
  void shouldDeliverTogetherWhatTheSamplerDeals() throws Exception {
    for (Remainder remainder : new Remainder[] {Remainder.PAD, Remainder.DROP}) {
      int ranks = 3;
      List<Process> processes = new ArrayList<>();
      for (int rank = 0; rank < ranks; rank++) {
        processes.add(start(rank, ranks, remainder));
      }
      for (int rank = 0; rank < ranks; rank++) {
        List<String> lines;
        try (var reader = processes.get(rank).inputReader(StandardCharsets.UTF_8)) {
          lines = reader.lines().toList();
        }
        assertThat(processes.get(rank).waitFor()).isZero();
        assertThat(lines).hasSize(EPOCHS);
        for (int epoch = 0; epoch < EPOCHS; epoch++) {
          long[] delivered =
              Arrays.stream(lines.get(epoch).split(" ")).mapToLong(Long::parseLong).toArray();
          assertThat(delivered).isEqualTo(dealt(rank, ranks, remainder, epoch));
        }
      }
    }
  }

  private static Process start(int rank, int ranks, Remainder remainder) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
            "-cp",
            System.getProperty("java.class.path"),
            OneRank.class.getName(),
            remainder.name());
    builder.environment().put("RANK", Integer.toString(rank));
    builder.environment().put("WORLD_SIZE", Integer.toString(ranks));
    return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static long[] dealt(int rank, int ranks, Remainder remainder, int epoch) {
    Order order =
        DistributedSampler.builder(RandomSampler.of(SIZE, SEED), new WorldInfo(rank, ranks))
            .remainder(remainder)
            .build()
            .order(epoch);
    return LongStream.range(0, order.size()).map(order::indexAt).toArray();
  }
}
