package io.feedline.formats.webdataset;

import io.feedline.batch.Tensor;
import io.feedline.data.FormatException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A sample of a shard: the entries with one key, by their suffixes. Fields are bytes; methods
 * convert them to text, numbers or tensors.
 *
 * <p>Immutable and thread-safe, but for the arrays, which are not copied.
 *
 * @param key the common part of the entries' names, directories included; it must not be used as a
 *     path
 * @param shard the place where the sample was read, in words
 * @param fields the entries' data by suffix, in lower case and without the dot between key and
 *     suffix, in the order of the shard
 */
public record WebSample(String key, String shard, Map<String, byte[]> fields) {

  /** Suffixes of Python's pickles, PyTorch's files among them. */
  private static final Set<String> PICKLES = Set.of("pyd", "pkl", "pickle", "pth");

  /** Checks that nothing is null. */
  public WebSample {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(shard, "shard");
    Objects.requireNonNull(fields, "fields");
  }

  /** Creates a sample to write. */
  public WebSample(String key, Map<String, byte[]> fields) {
    this(key, "a new sample", fields);
  }

  /** Returns whether the sample has a field of this suffix. */
  public boolean has(String suffix) {
    return fields.containsKey(suffix);
  }

  /**
   * Returns a field as it is, not copied.
   *
   * @throws FormatException if the sample has no such field, or the field is a Python pickle: a
   *     pickle is a program, whose result is known only after running it. {@link #fields} has its
   *     bytes
   */
  public byte[] bytes(String suffix) throws FormatException {
    byte[] data = fields.get(suffix);
    if (data == null) {
      throw failure("no field '%s'; it has %s".formatted(suffix, fields.keySet()), null);
    }
    if (PICKLES.contains(suffix.substring(suffix.lastIndexOf('.') + 1))) {
      throw failure(
          "a Python pickle as field '%s', which is not read: write .npy, .json or .txt instead"
              .formatted(suffix),
          null);
    }
    return data;
  }

  /**
   * Returns a field as text, such as a JSON document.
   *
   * @throws FormatException if the sample has no such field, or it is not UTF-8
   */
  public String text(String suffix) throws FormatException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes(suffix))).toString();
    } catch (CharacterCodingException e) {
      throw failure("a field '%s' that is not UTF-8".formatted(suffix), e);
    }
  }

  /**
   * Returns the class: the integer in the field {@code cls}.
   *
   * @throws FormatException if it has no such field, or it is not an integer of 32 bits
   */
  public int cls() throws FormatException {
    return integer("cls");
  }

  /**
   * Returns a field as a decimal integer; space around it is ignored, as by Python's int().
   *
   * @throws FormatException if the sample has no such field, or it is not an integer of 32 bits
   */
  public int integer(String suffix) throws FormatException {
    String text = text(suffix).strip();
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw failure(
          "a field '%s' that should be an integer, found '%s'".formatted(suffix, Names.shown(text)),
          e);
    }
  }

  /**
   * Returns a field in NumPy's format, as a new tensor in heap memory. Unsigned integers that
   * tensors do not have are widened to the next signed type; elements in Fortran order or another
   * byte order are rearranged.
   *
   * @throws FormatException if the sample has no such field, it is damaged, or its elements are of
   *     another kind: complex numbers, strings, structures, Python objects
   */
  public Tensor npy(String suffix) throws FormatException {
    byte[] data = bytes(suffix);
    try {
      return Npy.read(data);
    } catch (IllegalArgumentException e) {
      throw failure("a field '%s' that cannot be read: %s".formatted(suffix, e.getMessage()), e);
    }
  }

  private FormatException failure(String what, Throwable cause) {
    return new FormatException(
        "%s: sample '%s' has %s".formatted(shard, Names.shown(key), what), cause);
  }
}
