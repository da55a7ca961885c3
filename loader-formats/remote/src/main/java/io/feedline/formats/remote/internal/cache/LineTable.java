package io.feedline.formats.remote.internal.cache;

/** A hash table that numbers 64-bit keys from 0, in the order of their addition. Thread-safe. */
final class LineTable {

  private static final int LEAST = 1 << 6;

  /** The key in each slot; a slot whose entry in {@link #numbers} is 0 is empty. */
  private long[] keys = new long[LEAST];

  /** The number of the key in each slot, plus 1. */
  private int[] numbers = new int[LEAST];

  private int size;

  synchronized int size() {
    return size;
  }

  synchronized int put(long key) {
    int slot = slot(key);
    if (numbers[slot] == 0) {
      if (size >= keys.length / 3 * 2) {
        grow();
        slot = slot(key);
      }
      keys[slot] = key;
      numbers[slot] = ++size;
    }
    return numbers[slot] - 1;
  }

  /** Returns the number of a key; -1 if absent. */
  synchronized int find(long key) {
    return numbers[slot(key)] - 1;
  }

  private int slot(long key) {
    int mask = keys.length - 1;
    int slot = (int) key & mask;
    while (numbers[slot] != 0 && keys[slot] != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldNumbers = numbers;
    keys = new long[2 * oldKeys.length];
    numbers = new int[keys.length];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldNumbers[i] != 0) {
        int slot = slot(oldKeys[i]);
        keys[slot] = oldKeys[i];
        numbers[slot] = oldNumbers[i];
      }
    }
  }
}
