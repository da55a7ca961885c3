package io.feedline.formats.tfrecord;

import java.util.Arrays;
import java.util.List;

/**
 * A {@code tf.train.Feature}: a list of byte strings, of floats or of integers. Immutable; the
 * arrays of numbers that it gives are the caller's, those of bytes its own.
 */
public sealed interface Feature permits Feature.Bytes, Feature.Floats, Feature.Int64s {

  /** Returns how many values it has, 0 or more. */
  int size();

  /** A list of byte strings: encoded images, texts in UTF-8, serialised tensors. */
  final class Bytes implements Feature {
    private final List<byte[]> values;

    /** Takes the arrays, which must not be changed afterwards. */
    Bytes(List<byte[]> values) {
      this.values = List.copyOf(values);
    }

    @Override
    public int size() {
      return values.size();
    }

    /**
     * Returns a value; its array belongs to the feature and must not be changed.
     *
     * @param i from 0 to {@code size() - 1}
     * @throws IndexOutOfBoundsException if it is outside that range
     */
    public byte[] get(int i) {
      return values.get(i);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Bytes bytes
          && Arrays.deepEquals(values.toArray(), bytes.values.toArray());
    }

    @Override
    public int hashCode() {
      return Arrays.deepHashCode(values.toArray());
    }

    /** Returns, for example {@code bytes[3, 814]}: the lengths of the values. */
    @Override
    public String toString() {
      return "bytes" + values.stream().map(value -> value.length).toList();
    }
  }

  /** A list of single-precision numbers. */
  final class Floats implements Feature {
    private final float[] values;

    /** Takes the array. */
    Floats(float[] values) {
      this.values = values;
    }

    @Override
    public int size() {
      return values.length;
    }

    /**
     * Returns a value.
     *
     * @param i from 0 to {@code size() - 1}
     * @throws IndexOutOfBoundsException if it is outside that range
     */
    public float get(int i) {
      return values[i];
    }

    /** Returns all values, in a new array. */
    public float[] toArray() {
      return values.clone();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Floats floats && Arrays.equals(values, floats.values);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
      return "floats" + Arrays.toString(values);
    }
  }

  /** A list of integers of 64 bits. */
  final class Int64s implements Feature {
    private final long[] values;

    /** Takes the array. */
    Int64s(long[] values) {
      this.values = values;
    }

    @Override
    public int size() {
      return values.length;
    }

    /**
     * Returns a value.
     *
     * @param i from 0 to {@code size() - 1}
     * @throws IndexOutOfBoundsException if it is outside that range
     */
    public long get(int i) {
      return values[i];
    }

    /** Returns all values, in a new array. */
    public long[] toArray() {
      return values.clone();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Int64s int64s && Arrays.equals(values, int64s.values);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
      return "int64s" + Arrays.toString(values);
    }
  }
}
