package io.feedline.gpu;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import io.feedline.DataLoader;
import io.feedline.gpu.internal.PinnedMemory;
import java.util.ArrayList;
import java.util.List;

/**
 * The common part of tests that watch {@link Pages} on their whole way, while the stream that
 * computes is idle or busy. The copied data are looked at by a copy in the computing stream, which
 * comes behind the work that was put in there, on a GPU and on a fake.
 *
 * <p>Batches are kept open until they have been looked at, because closing a tensor of the CPU,
 * which may stand for one of a GPU, does not wait for copies to it.
 */
abstract class PagesContract extends TorchHarness {

  static final int BATCHES = 6;

  abstract Pages pages();

  abstract void occupy();

  static PinnedAllocator pinned() {
    return PinnedAllocator.of(Device.gpu(0));
  }

  final DataLoader<Long> host(PinnedAllocator memory, int openBatches) {
    return pages().loader(BATCHES, memory, openBatches);
  }

  /** Has PyTorch take the memory of all batches once, so that later it has it at once. */
  final void warmUp() {
    List<NDArray> tensors = new ArrayList<>();
    for (int i = 0; i <= BATCHES; i++) {
      tensors.add(manager.create(new Shape(pages().batchBytes()), DataType.UINT8));
    }
    tensors.forEach(NDArray::close);
  }

  /** Looks at every page of some batches, and closes them: a line for each wrong batch. */
  final List<String> wrong(List<DeviceBatch> batches) {
    List<String> wrong = new ArrayList<>();
    int bytes = pages().batchBytes();
    try (PinnedMemory memory = context.allocatePinned(bytes)) {
      for (DeviceBatch batch : batches) {
        computing().copyToHost(memory.address(), torch.address(batch.tensor(Pages.COLUMN)), bytes);
        computing().synchronize();
        pages().wrong(batch, memory.buffer()).ifPresent(wrong::add);
      }
    } finally {
      closeAll(batches);
    }
    return wrong;
  }

  final void closeAll(List<DeviceBatch> batches) {
    computing().synchronize();
    batches.forEach(DeviceBatch::close);
  }
}
