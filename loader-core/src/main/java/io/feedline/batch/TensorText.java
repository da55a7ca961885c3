package io.feedline.batch;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A tensor's elements in nested brackets, as NumPy and PyTorch print them. */
final class TensorText {

  /** The largest size of a tensor that is shown whole, NumPy's {@code threshold}. */
  static final int MOST_ELEMENTS = 1000;

  /** The number of elements shown at each end of a long axis, NumPy's {@code edgeitems}. */
  private static final int EDGE = 3;

  /** The bounds of the fractions that are written without an exponent. */
  private static final double LEAST_FIXED = 1e-4;

  private static final double MOST_FIXED = 1e6;

  private final Tensor tensor;
  private final ByteBuffer bytes;
  private final long[] lengths;
  private final boolean isCut;

  /** The elements to print, and the brackets and separators between them, in order. */
  private final List<Object> tokens = new ArrayList<>();

  private TensorText(Tensor tensor) {
    this.tensor = tensor;
    this.bytes = tensor.bytes();
    this.lengths = tensor.shape().lengths();
    this.isCut = tensor.shape().elements() > MOST_ELEMENTS;
  }

  static String of(Tensor tensor) {
    TensorText text = new TensorText(tensor);
    text.add(0, 0);
    return tensor + "\n" + text.joined();
  }

  private void add(int axis, long first) {
    if (axis == lengths.length) {
      tokens.add(tensor.element(bytes, (int) first));
      return;
    }
    tokens.add("[");
    long length = lengths[axis];
    boolean hasGap = isCut && length > 2 * EDGE;
    for (long i = 0; i < length; i++) {
      if (i > 0) {
        tokens.add(separator(axis));
      }
      if (hasGap && i == EDGE) {
        tokens.add("..." + separator(axis));
        i = length - EDGE;
      }
      add(axis + 1, first * length + i);
    }
    tokens.add("]");
  }

  private String separator(int axis) {
    int below = lengths.length - axis - 1;
    return below == 0 ? ", " : "," + "\n".repeat(below) + " ".repeat(axis + 1);
  }

  private String joined() {
    boolean fixed =
        tokens.stream()
            .filter(Number.class::isInstance)
            .mapToDouble(each -> Math.abs(((Number) each).doubleValue()))
            .allMatch(
                each ->
                    each == 0
                        || !Double.isFinite(each)
                        || (each >= LEAST_FIXED && each < MOST_FIXED));
    List<String> texts = new ArrayList<>();
    int width = 0;
    for (Object token : tokens) {
      String text = token instanceof Number number ? format(number, fixed) : token.toString();
      width = token instanceof Number ? Math.max(width, text.length()) : width;
      texts.add(text);
    }
    StringBuilder joined = new StringBuilder();
    for (int i = 0; i < texts.size(); i++) {
      int missing = tokens.get(i) instanceof Number ? width - texts.get(i).length() : 0;
      joined.append(" ".repeat(missing)).append(texts.get(i));
    }
    return joined.toString();
  }

  private static String format(Number element, boolean fixed) {
    if (element instanceof Long || !Double.isFinite(element.doubleValue())) {
      return element.toString();
    }
    return String.format(Locale.ROOT, fixed ? "%.4f" : "%.4e", element.doubleValue());
  }
}
