package io.feedline.formats.webdataset;

import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.formats.store.internal.values.NumpyArray;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * NumPy's file format, versions 1 to 3 (numpy/lib/format.py). A file has {@code "\x93NUMPY"}, two
 * bytes of version, the length of the header as u16 (version 1) or u32, little-endian, the header,
 * the elements. The header is a Python dictionary of {@code descr}, {@code fortran_order} and
 * {@code shape}.
 */
final class Npy {

  private static final String MAGIC = "\u0093NUMPY";
  private static final int VERSION_END = 8;
  private static final int MAX_HEADER = 1 << 16;

  private static final Pattern DESCR =
      Pattern.compile("['\"]descr['\"]\\s*:\\s*u?['\"]([<>|=]?)([a-zA-Z]+[0-9]*)['\"]");
  private static final Pattern ORDER =
      Pattern.compile("['\"]fortran_order['\"]\\s*:\\s*(True|False)");
  private static final Pattern SHAPE =
      Pattern.compile("['\"]shape['\"]\\s*:\\s*\\(([0-9L,\\s]*)\\)");

  private Npy() {}

  static Tensor read(byte[] data) {
    if (data.length < VERSION_END
        || !new String(data, 0, MAGIC.length(), StandardCharsets.ISO_8859_1).equals(MAGIC)) {
      throw new IllegalArgumentException(
          "%d bytes that do not begin as NumPy's format does".formatted(data.length));
    }
    int version = data[6];
    if (version < 1 || version > 3) {
      throw new IllegalArgumentException(
          "version %d of NumPy's format; 1 to 3 are known".formatted(version));
    }
    ByteBuffer in = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN).position(VERSION_END);
    int lengthBytes = version == 1 ? 2 : 4;
    if (in.remaining() < lengthBytes) {
      throw new IllegalArgumentException("the header is missing");
    }
    long length = version == 1 ? Short.toUnsignedInt(in.getShort()) : in.getInt() & 0xFFFFFFFFL;
    if (length > in.remaining() || length > MAX_HEADER) {
      throw new IllegalArgumentException(
          "a header of %d bytes, of which %d are there".formatted(length, in.remaining()));
    }
    int headerLength = (int) length;
    String header = new String(data, in.position(), headerLength, StandardCharsets.UTF_8);
    in.position(in.position() + headerLength);
    Matcher descr = find(DESCR, header, "the type of its elements");
    NumpyArray code = NumpyArray.ofCode(descr.group(2));
    NumpyArray type = code == null ? NumpyArray.ofName(descr.group(2)) : code;
    if (type == null) {
      throw new IllegalArgumentException(
          "elements of type '%s', which no tensor has".formatted(descr.group(1) + descr.group(2)));
    }
    in.order(descr.group(1).equals(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    boolean columnMajor = find(ORDER, header, "fortran_order").group(1).equals("True");
    return type.tensor(shape(find(SHAPE, header, "a shape").group(1)), in, columnMajor);
  }

  private static Matcher find(Pattern pattern, String header, String what) {
    Matcher matcher = pattern.matcher(header);
    if (!matcher.find()) {
      throw new IllegalArgumentException(
          "%s is not supported or missing in the header %s".formatted(what, Names.shown(header)));
    }
    return matcher;
  }

  private static Shape shape(String lengths) {
    List<Long> axes = new ArrayList<>();
    for (String length : lengths.split(",", -1)) {
      // Python 2 writes 3L.
      String digits = length.strip().replaceFirst("(?<=[0-9])L$", "");
      if (!digits.isEmpty()) {
        axes.add(Long.valueOf(digits));
      }
    }
    try {
      return Shape.of(axes.stream().mapToLong(Long::longValue).toArray());
    } catch (ArithmeticException tooLarge) {
      throw new IllegalArgumentException(
          "the shape (%s) is too large".formatted(lengths), tooLarge);
    }
  }
}
