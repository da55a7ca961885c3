package io.feedline.gpu.internal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/** The primary contexts of a {@link FakeDriver}'s GPUs, and which threads they are current in. */
final class FakeContexts {

  private static final long FIRST_HANDLE = 0xC0DE_0000L;

  private final Map<Integer, Integer> retains = new LinkedHashMap<>();
  private final Map<Thread, Deque<Integer>> current = new LinkedHashMap<>();

  long handle(int device) {
    return FIRST_HANDLE + device;
  }

  void retain(int device) {
    retains.merge(device, 1, Integer::sum);
  }

  int retains(int device) {
    return retains.getOrDefault(device, 0);
  }

  int retains() {
    return retains.values().stream().mapToInt(Integer::intValue).sum();
  }

  void release(int device) {
    retains.merge(device, -1, Integer::sum);
  }

  void releaseAll() {
    retains.clear();
    current.clear();
  }

  boolean push(long handle) {
    int device = (int) (handle - FIRST_HANDLE);
    if (handle < FIRST_HANDLE || retains(device) == 0) {
      return false;
    }
    current.computeIfAbsent(Thread.currentThread(), t -> new ArrayDeque<>()).push(device);
    return true;
  }

  /** The GPU of the context that was current, which it no longer is; -1 if there was none. */
  int pop() {
    Deque<Integer> stack = current.get(Thread.currentThread());
    if (stack == null) {
      return -1;
    }
    int device = stack.pop();
    if (stack.isEmpty()) {
      current.remove(Thread.currentThread());
    }
    return device;
  }

  int device() {
    Deque<Integer> stack = current.get(Thread.currentThread());
    return stack == null ? -1 : stack.element();
  }

  int entered() {
    return current.values().stream().mapToInt(Deque::size).sum();
  }

  @Override
  public String toString() {
    return current.toString();
  }
}
