package io.feedline.gpu;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.NDScope;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;

/**
 * GPU memory in the form of PyTorch tensors of bytes, so that PyTorch's allocator counts this
 * memory, and clears its caches when memory is short.
 */
record TorchMemory(NDManager manager, TorchAbi torch, int ordinal) implements DeviceMemory {

  @Override
  public Block allocate(long bytes) {
    NDArray tensor = manager.create(new Shape(bytes), DataType.UINT8);
    NDScope.unregister(tensor); // so that the caller's scope, if any, does not close it
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
