package io.feedline.gpu.internal;

/**
 * That an operation reads or writes a range of memory.
 *
 * @param address where the range begins, in host or device memory
 * @param bytes its length
 * @param writes whether it is written, rather than read
 */
public record Access(long address, long bytes, boolean writes) {

  /** A range that is read. */
  public static Access read(long address, long bytes) {
    return new Access(address, bytes, false);
  }

  /** A range that is written. */
  public static Access write(long address, long bytes) {
    return new Access(address, bytes, true);
  }

  /** Tests whether the order of the two makes a difference. */
  boolean conflictsWith(Access other) {
    return (writes || other.writes)
        && address < other.address + other.bytes
        && other.address < address + bytes;
  }

  /** For example {@code writes 0x7f00+128}. */
  @Override
  public String toString() {
    return "%s 0x%x+%d".formatted(writes ? "writes" : "reads", address, bytes);
  }
}
