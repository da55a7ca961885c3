package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.Batch;
import io.feedline.batch.Probes;
import io.feedline.data.Dataset;
import io.feedline.sampler.TorchSampler;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The loader itself goes through epochs that PyTorch's went through, whole ones and broken ones;
 * the golden files are those of the samplers, made by {@code sampler/torch/make_golden.py}.
 */
class TorchOrderTest {

  /** The index of the first epoch in a line of the golden file. */
  private static final int FIRST_EPOCH = 8;

  @ParameterizedTest
  @CsvSource({"0,true", "2,true", "2,false"})
  void shouldVisitInPyTorchsOrderThroughWholeAndBrokenEpochs(int workers, boolean nextEpoch)
      throws IOException {
    int compared = 0;
    for (String[] line : lines()) {
      TorchSampler sampler =
          TorchSampler.random(Long.parseLong(line[0]))
              .seed(Long.parseLong(line[1]))
              .numSamples(Long.parseLong(line[2]))
              .replacement(line[3].equals("1"))
              .baseSeed(line[4].equals("1"))
              .build();
      Dataset<Long> dataset = Dataset.of(Long.parseLong(line[0]), index -> index);
      int epoch = 0;
      while (epoch < line.length - FIRST_EPOCH) {
        // One loader as far as epochs are whole; behind a break the sampler starts anew.
        try (DataLoader<Long> loader =
            Samples.loader(dataset, Integer.parseInt(line[5]), workers)
                .sampler(sampler)
                .dropLast(line[6].equals("1"))
                .prefetchNextEpoch(nextEpoch)
                .build()) {
          BatchIterator iterator = loader.epoch(epoch).iterator();
          boolean whole = true;
          while (whole && epoch < line.length - FIRST_EPOCH) {
            String[] golden = line[FIRST_EPOCH + epoch].split(":", 2);
            assertThat(crcOfEpoch(iterator, golden[0]))
                .as("epoch %d of %s", epoch, String.join(" ", line))
                .isEqualTo(golden[1]);
            compared++;
            whole = golden[0].equals("-");
            if (whole) {
              iterator = loader.iterator();
            } else {
              long asked = Long.parseLong(golden[0]) * Integer.parseInt(line[5]);
              sampler = sampler.startingAt(epoch + 1, sampler.drawAfter(epoch, asked));
            }
            epoch++;
          }
        }
      }
    }
    assertThat(compared).isGreaterThan(500);
  }

  private static String crcOfEpoch(BatchIterator iterator, String taken) {
    boolean toTheEnd = taken.equals("-");
    long left = toTheEnd ? Long.MAX_VALUE : Long.parseLong(taken);
    CRC32 crc = new CRC32();
    while (left-- > 0 && iterator.hasNext()) {
      try (Batch batch = iterator.next()) {
        for (long index : batch.indices()) {
          crc.update(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(index).flip());
        }
      }
    }
    return Long.toHexString(crc.getValue());
  }

  @Test
  void shouldOfferPyTorchsOrderAsAnOption() {
    List<long[]> orders = new ArrayList<>();
    Dataset<Probes.Probe> dataset = Probes.dataset(50);
    try (DataLoader<?> loader = DataLoader.builder(dataset).torchOrder(7).build()) {
      orders.add(Probes.flat(Probes.indices(loader)));
    }
    try (DataLoader<?> loader =
        DataLoader.builder(dataset).sampler(TorchSampler.of(50, 7)).build()) {
      orders.add(Probes.flat(Probes.indices(loader)));
    }
    assertThat(orders.get(0)).isEqualTo(orders.get(1)).isNotEqualTo(new long[50]);
  }

  private static List<String[]> lines() throws IOException {
    try (InputStream stream =
            TorchOrderTest.class.getResourceAsStream("sampler/torch/loader_own.txt.gz");
        BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(new GZIPInputStream(stream), StandardCharsets.US_ASCII))) {
      List<String[]> lines = new ArrayList<>();
      int number = 0;
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        String[] fields = line.split(" ", -1);
        if (!line.startsWith("#") && fields[7].equals("0") && number++ % 8 == 0) {
          lines.add(fields);
        }
      }
      return lines;
    }
  }
}
