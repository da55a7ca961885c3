package io.feedline.gpu;

import io.feedline.DataLoader;
import io.feedline.batch.DType;
import io.feedline.batch.ListCollator;
import io.feedline.batch.Shape;
import io.feedline.data.Dataset;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.Optional;

/**
 * Large batches of which each page tells whose it is, and which so cost little to write and to look
 * at: one column of bytes, four samples in a batch.
 */
record Pages(int perSample) {

  static final String COLUMN = "pages";

  private static final int PAGE = 4096;
  private static final int SAMPLES = 4;

  int batchBytes() {
    return SAMPLES * perSample * PAGE;
  }

  /**
   * Batches in an allocator's memory. Who takes them writes them, and where one is lent at a time
   * all of them to the same place, at once when it is given back.
   */
  DataLoader<Long> loader(int batches, PinnedAllocator memory, int openBatches) {
    return DataLoader.builder(Dataset.of((long) batches * SAMPLES, index -> index))
        .batchSize(SAMPLES)
        .numWorkers(0)
        .maxOpenBatches(openBatches)
        .collator(collator())
        .allocator(memory)
        .build();
  }

  /** From the last page to the first, so that a copy under way is met wherever it has come to. */
  private ListCollator<Long> collator() {
    return (samples, batch) -> {
      ByteBuffer bytes =
          batch
              .tensor(COLUMN, DType.UINT8, Shape.of(samples.size(), (long) perSample * PAGE))
              .slice()
              .order(ByteOrder.nativeOrder());
      for (int page = samples.size() * perSample - 1; page >= 0; page--) {
        bytes.putLong(page * PAGE, content(samples.get(page / perSample), page % perSample));
      }
    };
  }

  private static long content(long index, int page) {
    return (index + 1) << 32 | page;
  }

  Optional<String> wrong(DeviceBatch batch, ByteBuffer bytes) {
    ByteBuffer found = bytes.duplicate().order(ByteOrder.nativeOrder());
    long[] indices = batch.indices();
    int wrong = 0;
    String first = "";
    for (int page = 0; page < SAMPLES * perSample; page++) {
      long expected = content(indices[page / perSample], page % perSample);
      long there = found.getLong(page * PAGE);
      if (there != expected && wrong++ == 0) {
        first = String.format(Locale.ROOT, "page %d has %x, not %x", page, there, expected);
      }
    }
    return wrong == 0
        ? Optional.empty()
        : Optional.of(
            "batch %d: %d of %d pages are wrong, %s"
                .formatted(batch.number(), wrong, SAMPLES * perSample, first));
  }
}
