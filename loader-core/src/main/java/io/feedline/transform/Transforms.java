package io.feedline.transform;

import io.feedline.batch.BatchTransform;
import java.util.Map;
import java.util.Objects;

/**
 * Transforms as text: a pipeline that a training used is written with its options, and read again
 * where images are served, inspected or trained on.
 *
 * <pre>{@code
 * Transform<Image, Image> validation =
 *     Resize.of(256).andThen(CenterCrop.of(224)).andThen(Normalize.imagenet());
 * String text = Transforms.toJson(validation);
 * Transform<Image, Image> same = Transforms.pureFromJson(text);
 * same.equals(validation); // true
 * }</pre>
 *
 * <p>The text is an object in JSON (RFC 8259):
 *
 * <pre>{@code
 * {"version":1,"transform":[
 *   {"Resize":{"shorterEdge":256,"interpolation":"bilinear","antialias":true}},
 *   {"CenterCrop":{"size":[224,224]}},
 *   {"Normalize":{"mean":[0.485,0.456,0.406],"std":[0.229,0.224,0.225]}}]}
 * }</pre>
 *
 * <p>A transform is an object with one member: its name, and its options by name. Transforms that
 * follow each other are a list. Ranges, sizes and colors are lists of numbers, in torchvision's
 * order. Only options that are an empty {@code Optional} are left out, so a text keeps its meaning
 * when a default changes.
 *
 * <p><b>Names.</b> A text can name the transforms of this library, those of a {@link Library} on
 * the class path, and the classes that the reading program passes. It can name no other class, and
 * no class is loaded because of a text. Write a transform of your own as a record:
 *
 * <pre>{@code
 * public record Gamma(double gamma) implements Transform<Image, Image> { ... }
 *
 * Transforms.fromJson(text, Gamma.class);
 * }</pre>
 *
 * <p>Its name in the text is the class name with the package, and its options are the record's
 * components: numbers, strings, booleans, enums, other transforms, records, and lists, arrays and
 * optionals of them. Kotlin's data classes are like records; a class that hides its constructor
 * extends {@link Value}. A lambda has no options that could be written. Transforms that draw from a
 * dataset, such as {@code JointTransform.mosaic}, cannot be written either.
 *
 * <p>Thread-safe.
 */
public final class Transforms {

  private Transforms() {}

  /**
   * Returns a transform, or a composition, as one line of JSON. Transforms that are equal give the
   * same text.
   *
   * @throws IllegalArgumentException if a part is a lambda, or of another class whose options are
   *     no record; the message names the part
   */
  public static String toJson(RandomTransform<?, ?> transform) {
    return TransformWriter.write(transform);
  }

  /** Returns a transform of batches as {@link #toJson} returns a transform of samples. */
  public static String batchToJson(BatchTransform transform) {
    return TransformWriter.write(transform);
  }

  /**
   * Returns the transform that {@link #toJson} has written, equal to the original and drawing the
   * same numbers.
   *
   * @param own classes of the program's own transforms that the text may name
   * @param <A> the transform's input, which the text does not state: as with a cast, a wrong type
   *     shows when the transform is applied
   * @return a {@link Transform} if no part of it is random
   * @throws IllegalArgumentException if the text is no JSON, of another version, names an unknown
   *     transform or option, or an option is missing or out of its range; the message says where
   */
  @SuppressWarnings("unchecked")
  public static <A, B> RandomTransform<A, B> fromJson(String text, Class<?>... own) {
    return (RandomTransform<A, B>) new TransformReader(own).read(text, RandomTransform.class);
  }

  /**
   * Returns the transform of {@link #fromJson} for a text in which nothing is random: a validation
   * pipeline.
   *
   * @throws IllegalArgumentException as {@link #fromJson} throws it, or if a part is random; the
   *     message names it
   */
  @SuppressWarnings("unchecked")
  public static <A, B> Transform<A, B> pureFromJson(String text, Class<?>... own) {
    return (Transform<A, B>) new TransformReader(own).read(text, Transform.class);
  }

  /**
   * Returns the transform of batches that {@link #batchToJson} has written.
   *
   * @param own classes of the program's own transforms that the text may name
   * @throws IllegalArgumentException as {@link #fromJson} throws it
   */
  public static BatchTransform batchFromJson(String text, Class<?>... own) {
    return (BatchTransform) new TransformReader(own).read(text, BatchTransform.class);
  }

  /**
   * A provider of transforms that a pipeline in JSON may name, found by {@link
   * java.util.ServiceLoader}: for a library of transforms. A program passes classes of its own to
   * {@code fromJson} instead.
   */
  public interface Library {
    /**
     * Returns classes of transforms by their names in JSON. Each is a record or a {@link Value}; a
     * module opens their packages to {@code io.feedline.core}.
     */
    Map<String, Class<?>> transforms();
  }

  /**
   * The base of a transform that is a value: its options are one record, which decides equality,
   * text and JSON. Immutable if the record is.
   *
   * <pre>{@code
   * public final class Gamma extends Transforms.Value implements Transform<Image, Image> {
   *   private record Options(double gamma) {
   *     Options { ... } // throws IllegalArgumentException
   *   }
   *
   *   private Gamma(Options options) {
   *     super(options);
   *   }
   * }
   * }</pre>
   *
   * <p>A subclass has exactly one constructor, of the record alone, which may be private; the
   * record's constructor checks the options and copies arrays and lists.
   */
  public abstract static class Value {
    private final Record options;

    /** Creates a transform with options. */
    protected Value(Record options) {
      this.options = options;
    }

    final Record record() {
      return options;
    }

    /**
     * Returns the options by name, in the order in which they are printed. Unmodifiable. Numbers,
     * strings and transforms stay as they were set, ranges and arrays become lists, and unset
     * options are left out.
     */
    public final Map<String, Object> options() {
      return TransformType.of(getClass()).options(this);
    }

    /**
     * Returns a copy of this transform with another value of one option.
     *
     * @param option the name of a component of the record
     * @param value the new value, of the component's type
     * @param <T> the transform's class
     * @throws IllegalArgumentException as the record's constructor throws it
     */
    @SuppressWarnings({
      "TypeParameterUnusedInFormals",
      "unchecked"
    }) // Only the subclass, which is T, calls this method.
    protected final <T extends Value> T with(String option, Object value) {
      return (T)
          TransformType.of(getClass()).with(this, option, Objects.requireNonNull(value, option));
    }

    /** Returns whether the other is a transform of the same class with equal options. */
    @Override
    @SuppressWarnings("EqualsGetClass") // A subclass with other options is another transform.
    public final boolean equals(Object other) {
      return other != null
          && other.getClass() == getClass()
          && options().equals(((Value) other).options());
    }

    @Override
    public final int hashCode() {
      return 31 * getClass().hashCode() + options().hashCode();
    }

    /** Returns the name and the options: {@code Resize(shorterEdge=256, antialias=true)}. */
    @Override
    public final String toString() {
      return TransformType.of(getClass()).toString(this);
    }
  }
}
