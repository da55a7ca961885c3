package io.feedline.gpu.internal;

import java.util.ArrayDeque;
import java.util.Deque;

final class FakeStream {

  enum Kind {
    /** The default stream of old, which waits for blocking streams, as they do for it. */
    LEGACY,
    BLOCKING,
    NON_BLOCKING;

    private boolean pairsWith(Kind other) {
      return this == LEGACY ? other == BLOCKING : this == BLOCKING && other == LEGACY;
    }
  }

  final long handle;
  final int index;
  final int device;
  final Kind kind;

  /** The place at which it was made; empty if it belongs to other code. */
  final String madeAt;

  final Deque<Operation> queue = new ArrayDeque<>();

  VectorClock clock = VectorClock.ZERO;

  Operation last;

  FakeStream(long handle, int index, int device, Kind kind, String madeAt) {
    this.handle = handle;
    this.index = index;
    this.device = device;
    this.kind = kind;
    this.madeAt = madeAt;
  }

  boolean waitsImplicitlyFor(FakeStream other) {
    return device == other.device && kind.pairsWith(other.kind);
  }

  @Override
  public String toString() {
    return kind == Kind.LEGACY
        ? "the legacy stream of GPU " + device
        : "stream 0x%x".formatted(handle);
  }
}
