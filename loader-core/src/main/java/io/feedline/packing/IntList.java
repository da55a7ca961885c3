package io.feedline.packing;

import java.util.Arrays;

/** A growing list of numbers, 4 bytes for each. Used by one thread at a time. */
final class IntList {

  private int[] numbers = new int[16];
  private int size;

  void add(int number) {
    if (size == numbers.length) {
      numbers = Arrays.copyOf(numbers, Math.addExact(size, Math.max(1, size >> 1)));
    }
    numbers[size++] = number;
  }

  int get(int position) {
    return numbers[position];
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }

  /** Returns the array itself, whose elements after {@link #size} have no meaning. */
  int[] array() {
    return numbers;
  }

  int[] toArray() {
    return Arrays.copyOf(numbers, size);
  }
}
