package io.feedline.gpu.internal;

public record Access(long address, long bytes, boolean writes) {

  public static Access read(long address, long bytes) {
    return new Access(address, bytes, false);
  }

  public static Access write(long address, long bytes) {
    return new Access(address, bytes, true);
  }

  boolean conflictsWith(Access other) {
    return (writes || other.writes)
        && address < other.address + other.bytes
        && other.address < address + bytes;
  }

  @Override
  public String toString() {
    return "%s 0x%x+%d".formatted(writes ? "writes" : "reads", address, bytes);
  }
}
