package io.feedline.gpu;

import io.feedline.batch.HostAllocator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Direct memory that remembers what it gave, so that a test can look into slots from outside. */
final class CountingAllocator implements HostAllocator {

  private final List<ByteBuffer> blocks = new CopyOnWriteArrayList<>();

  @Override
  public HostMemory allocate(int bytes) {
    HostMemory memory = HostAllocator.direct().allocate(bytes);
    blocks.add(memory.buffer());
    return memory;
  }

  List<ByteBuffer> blocks() {
    return blocks.stream().map(block -> block.duplicate().order(ByteOrder.nativeOrder())).toList();
  }
}
