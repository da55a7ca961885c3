package io.feedline.gpu;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import io.feedline.DType;
import io.feedline.DataLoader;
import io.feedline.Dataset;
import io.feedline.ListCollator;
import io.feedline.gpu.internal.PinnedMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What tests share that watch large batches on their whole way, while the stream that computes is
 * idle or busy: batches of which each page tells whose it is, and a look at what arrived by a copy
 * in the computing stream, so that it comes behind what was put in there, on a GPU and on a fake.
 *
 * <p>Batches are kept open until they have been looked at, because closing a tensor of the CPU,
 * which may stand for one of a GPU, does not wait for copies to it.
 */
abstract class PagesContract extends TorchHarness {

  static final int BATCHES = 6;

  private static final String COLUMN = "pages";
  private static final int PAGE = 4096;
  private static final int SAMPLES = 4;

  /** How many pages of 4 KiB a sample has; a batch has four samples. */
  abstract int pages();

  /** Keeps the computing stream busy for many times as long as a batch takes to cross. */
  abstract void occupy();

  private int batchBytes() {
    return SAMPLES * pages() * PAGE;
  }

  /**
   * Batches in page-locked memory. The copying thread writes them itself, and where one is lent at
   * a time all of them to the same place, at once when it is given back.
   */
  final DataLoader<Long> host(PinnedAllocator pinned, int openBatches) {
    return DataLoader.builder(Dataset.of((long) BATCHES * SAMPLES, index -> index))
        .batchSize(SAMPLES)
        .numWorkers(0)
        .maxOpenBatches(openBatches)
        .collator(writingPages())
        .allocator(pinned)
        .build();
  }

  /** From the last page to the first, so that a copy under way is met wherever it has come to. */
  private ListCollator<Long> writingPages() {
    return (samples, batch) -> {
      ByteBuffer bytes =
          batch
              .tensor(COLUMN, DType.UINT8, io.feedline.Shape.of(samples.size(), pages() * PAGE))
              .slice()
              .order(ByteOrder.nativeOrder());
      for (int page = samples.size() * pages() - 1; page >= 0; page--) {
        bytes.putLong(page * PAGE, content(samples.get(page / pages()), page % pages()));
      }
    };
  }

  private static long content(long index, int page) {
    return (index + 1) << 32 | page;
  }

  /** Has PyTorch take the memory of all batches once, so that later it has it at once. */
  final void warmUp() {
    List<NDArray> tensors = new ArrayList<>();
    for (int i = 0; i <= BATCHES; i++) {
      tensors.add(manager.create(new Shape(batchBytes()), DataType.UINT8));
    }
    tensors.forEach(NDArray::close);
  }

  /**
   * Looks at every page of some batches, and closes them.
   *
   * @return what is wrong, a line for each batch that is
   */
  final List<String> wrong(List<DeviceBatch> batches) {
    List<String> wrong = new ArrayList<>();
    try (PinnedMemory memory = context.allocatePinned(batchBytes())) {
      for (DeviceBatch batch : batches) {
        computing().copyToHost(memory.address(), torch.address(batch.tensor(COLUMN)), batchBytes());
        computing().synchronize();
        wrong(batch, memory.buffer().duplicate().order(ByteOrder.nativeOrder()), wrong);
      }
    } finally {
      closeAll(batches);
    }
    return wrong;
  }

  private void wrong(DeviceBatch batch, ByteBuffer found, List<String> lines) {
    long[] indices = batch.indices();
    int wrong = 0;
    String first = "";
    for (int page = 0; page < SAMPLES * pages(); page++) {
      long expected = content(indices[page / pages()], page % pages());
      if (found.getLong(page * PAGE) != expected && wrong++ == 0) {
        first =
            String.format(
                Locale.ROOT, "page %d has %x, not %x", page, found.getLong(page * PAGE), expected);
      }
    }
    if (wrong > 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "batch %d: %d of %d pages are wrong; %s",
              batch.number(),
              wrong,
              SAMPLES * pages(),
              first));
    }
  }

  /** Closes batches when what was put into the computing stream is done. */
  final void closeAll(List<DeviceBatch> batches) {
    computing().synchronize();
    batches.forEach(DeviceBatch::close);
  }

  /** Page-locked memory, of the driver of this JVM. */
  static PinnedAllocator pinned() {
    return PinnedAllocator.of(Device.gpu(0));
  }
}
