package io.feedline.gpu.internal;

final class FakeEvent {

  final long handle;
  final int device;
  final boolean timed;
  final String madeAt;

  Operation record;

  FakeEvent(long handle, int device, boolean timed, String madeAt) {
    this.handle = handle;
    this.device = device;
    this.timed = timed;
    this.madeAt = madeAt;
  }

  @Override
  public String toString() {
    return "event 0x%x".formatted(handle);
  }
}
