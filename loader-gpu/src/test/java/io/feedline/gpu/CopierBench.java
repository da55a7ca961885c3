package io.feedline.gpu;

import ai.djl.Device;
import io.feedline.DataLoader;
import io.feedline.batch.DType;
import io.feedline.batch.ListCollator;
import io.feedline.batch.Shape;
import io.feedline.data.Dataset;
import io.feedline.gpu.internal.Access;
import io.feedline.gpu.internal.Cuda;
import io.feedline.gpu.internal.CudaContext;
import io.feedline.gpu.internal.FakeDriver;
import io.feedline.internal.Closing;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A {@link Copier} between a loader that says when it writes to its page-locked memory, and the
 * rings of some GPUs of a {@link FakeDriver}; the consumer is the test. A sample's bytes follow
 * from its index, and batches grow.
 */
final class CopierBench implements AutoCloseable {

  private static final int SLOTS = 2;
  private static final int BATCH = 4;

  final FakeDriver driver;
  final DataLoader<Long> loader;
  final Copier copier;
  final List<FakeGpuMemory> memories = new ArrayList<>();

  private final PinnedAllocator pinned;
  private final List<Long> computing = new ArrayList<>();
  private final List<CopyRing> rings = new ArrayList<>();
  private final List<CudaContext> contexts = new ArrayList<>();
  private int rows;

  CopierBench(FakeDriver driver, Cuda cuda, int gpus, int openBatches, int workers) {
    this.driver = driver;
    this.pinned = PinnedAllocator.builder(Device.gpu(0)).driver(driver::cuda).build();
    this.loader =
        DataLoader.builder(Dataset.of(60, index -> index))
            .batchSize(BATCH)
            .numWorkers(workers)
            .maxOpenBatches(openBatches)
            .collator(declaring(driver))
            .allocator(pinned)
            .build();
    for (int gpu = 0; gpu < gpus; gpu++) {
      long stream = driver.foreignStream(gpu);
      computing.add(stream);
      memories.add(new FakeGpuMemory(driver, stream));
      contexts.add(cuda.context(gpu));
      rings.add(new CopyRing(contexts.get(gpu), memories.get(gpu), SLOTS));
    }
    this.copier = new Copier(loader, rings, List.of(), SLOTS, new CopyMeter());
  }

  private static ListCollator<Long> declaring(FakeDriver driver) {
    return (samples, batch) -> {
      int width = width(samples.get(0));
      ByteBuffer bytes = batch.tensor("bytes", DType.UINT8, Shape.of(samples.size(), width));
      driver.hostWrite(bytes);
      for (long index : samples) {
        for (int i = 0; i < width; i++) {
          bytes.put(content(index, i));
        }
      }
    };
  }

  private static int width(long firstOfBatch) {
    return 50 + 10 * (int) (firstOfBatch / BATCH);
  }

  private static byte content(long index, int i) {
    return (byte) ((31 * index + 7L * i) % 251);
  }

  void begin() {
    copier.begin(loader.iterator());
  }

  Arrival next() throws InterruptedException {
    Arrival arrival = copier.arrivals().take();
    if (arrival instanceof Arrival.Loaded loaded) {
      for (int gpu = 0; gpu < loaded.parts().size(); gpu++) {
        read(loaded, gpu);
      }
    }
    return arrival;
  }

  private void read(Arrival.Loaded loaded, int gpu) {
    Arrival.Part part = loaded.parts().get(gpu);
    long[] indices = part.rows().of(loaded.host().indices());
    int width = width(loaded.host().indices()[0]);
    long stream = computing.get(gpu);
    int bytes = indices.length * width;
    long tensor = memories.get(gpu).tensor(bytes, stream);
    rings.get(gpu).read(part.slot(), stream, new long[] {tensor});
    rows += indices.length;
    driver.launch(
        stream,
        "the training step",
        () -> check(driver.peek(tensor, bytes), indices, width),
        Access.read(tensor, bytes));
  }

  private static void check(byte[] got, long[] indices, int width) {
    for (int i = 0; i < got.length; i++) {
      byte expected = content(indices[i / width], i % width);
      if (got[i] != expected) {
        throw new AssertionError(
            "byte %d of sample %d is %d and not %d"
                .formatted(i % width, indices[i / width], got[i], expected));
      }
    }
  }

  int rows() {
    return rows;
  }

  @Override
  public void close() {
    List<AutoCloseable> parts = new ArrayList<>();
    parts.add(copier);
    parts.addAll(rings);
    for (int gpu = 0; gpu < contexts.size(); gpu++) {
      CudaContext context = contexts.get(gpu);
      long stream = computing.get(gpu);
      parts.add(() -> synchronize(context, stream));
      parts.add(context);
    }
    parts.add(loader);
    parts.add(pinned);
    Closing.all(parts.toArray(AutoCloseable[]::new));
  }

  private static void synchronize(CudaContext context, long stream) {
    context.enter();
    try {
      context.stream(stream).synchronize();
    } finally {
      context.leave();
    }
  }
}
