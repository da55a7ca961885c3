package io.feedline.batch;

import io.feedline.DataLoader;
import io.feedline.data.Dataset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32C;

/**
 * Samples that carry their own index and a checksum, so that loss, repetition, disorder and foreign
 * bytes in a batch all show.
 */
public final class Probes {

  private static final int WORDS = 12;

  private Probes() {}

  /** A sample: its index, words derived from it, and what a random transform drew. */
  public record Probe(long index, long[] words, long drawn, String name) {
    public Probe withDrawn(RandomGenerator random) {
      return new Probe(index, words, random.nextLong(), name);
    }
  }

  public static Probe probe(long index) {
    long[] words = new long[WORDS];
    long state = index * 0x9E3779B97F4A7C15L + 1;
    for (int i = 0; i < WORDS; i++) {
      state = state * 6364136223846793005L + 1442695040888963407L;
      words[i] = state;
    }
    return new Probe(index, words, 0, "probe-" + index);
  }

  public static Dataset<Probe> dataset(long size) {
    return Dataset.of(size, Probes::probe);
  }

  /** With two random transforms, whose draws become part of the sample. */
  public static Dataset<Probe> augmented(long size) {
    return dataset(size)
        .map((probe, random) -> probe.withDrawn(random))
        .map(
            (probe, random) ->
                new Probe(
                    probe.index(),
                    probe.words(),
                    probe.drawn() ^ Long.rotateLeft(random.nextLong(), 7),
                    probe.name()));
  }

  /** Checks each row of a batch against its index, and gives the indices. */
  public static long[] verify(Batch batch) {
    long[] indices = batch.tensor("index").toLongArray();
    long[] words = batch.tensor("words").toLongArray();
    if (indices.length != batch.size() || !Arrays.equals(indices, batch.indices())) {
      throw new AssertionError(
          "%s says %s, its rows say %s"
              .formatted(batch, Arrays.toString(batch.indices()), Arrays.toString(indices)));
    }
    for (int row = 0; row < indices.length; row++) {
      long[] expected = probe(indices[row]).words();
      long[] found = Arrays.copyOfRange(words, row * WORDS, (row + 1) * WORDS);
      if (!Arrays.equals(expected, found)
          || !batch.values("name").get(row).equals("probe-" + indices[row])) {
        throw new AssertionError(
            "row %d of %s is not sample %d".formatted(row, batch, indices[row]));
      }
    }
    return indices;
  }

  /** A checksum of everything that a batch delivers. */
  public static long checksum(Batch batch) {
    CRC32C crc = new CRC32C();
    batch.tensors().values().forEach(tensor -> crc.update(tensor.bytes()));
    crc.update(batch.values().toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
    return crc.getValue() << 16 | batch.size();
  }

  /** Takes and closes all batches of one epoch, and gives the checksum of each. */
  public static List<Long> checksums(Iterable<Batch> epoch) {
    return each(
        epoch,
        batch -> {
          verify(batch);
          return checksum(batch);
        });
  }

  /** Takes and closes all batches of one epoch, and gives the result of a function of each. */
  public static <R> List<R> each(Iterable<Batch> epoch, Function<Batch, R> use) {
    return each(epoch.iterator(), Integer.MAX_VALUE, use);
  }

  /** The same for the first batches that an iterator still has. */
  public static <R> List<R> each(Iterator<Batch> batches, int most, Function<Batch, R> use) {
    List<R> results = new ArrayList<>();
    while (results.size() < most && batches.hasNext()) {
      try (Batch batch = batches.next()) {
        results.add(use.apply(batch));
      }
    }
    return results;
  }

  /** A batch that was delivered, with the checksum of everything in it. */
  public record Delivered(long epoch, long number, int valid, long checksum) {
    public static Delivered of(Batch batch) {
      return new Delivered(batch.epoch(), batch.number(), batch.valid(), Probes.checksum(batch));
    }
  }

  /** Takes and closes all batches of some epochs. */
  public static List<Delivered> delivered(DataLoader<?> loader, int epochs) {
    List<Delivered> delivered = new ArrayList<>();
    for (int epoch = 0; epoch < epochs; epoch++) {
      delivered.addAll(each(loader, Delivered::of));
    }
    return delivered;
  }

  /** Takes and closes all batches of one epoch, and gives the indices of each. */
  public static List<long[]> indices(Iterable<Batch> epoch) {
    return each(epoch, Probes::verify);
  }

  /** All indices of an epoch, one after the other. */
  public static long[] flat(List<long[]> indices) {
    return indices.stream().flatMapToLong(Arrays::stream).toArray();
  }
}
