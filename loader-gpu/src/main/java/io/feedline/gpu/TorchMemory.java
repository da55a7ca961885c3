package io.feedline.gpu;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.NDScope;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;

/**
 * GPU memory as PyTorch tensors of bytes, so that PyTorch's allocator counts it, and clears its
 * caches when memory is short.
 *
 * @param manager on which the tensors hang
 */
record TorchMemory(NDManager manager, TorchAbi torch, int ordinal) implements DeviceMemory {

  @Override
  public Block allocate(long bytes) {
    NDArray tensor = manager.create(new Shape(bytes), DataType.UINT8);
    NDScope.unregister(tensor); // it outlives the caller's scope, if there is one
    long address = torch.address(tensor);
    return new Block() {
      @Override
      public long address() {
        return address;
      }

      @Override
      public void close() {
        tensor.close();
      }
    };
  }

  @Override
  public long stream() {
    return torch.currentStream(ordinal);
  }
}
