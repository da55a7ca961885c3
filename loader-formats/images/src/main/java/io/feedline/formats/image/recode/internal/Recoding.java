package io.feedline.formats.image.recode.internal;

import io.feedline.formats.image.Image;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.FormatException;
import io.feedline.formats.store.StoreOptions;
import io.feedline.transform.Transform;
import java.io.IOException;
import java.io.Serializable;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The scaling and re-encoding of images when they are packed, as {@code feedline convert} does it
 * with {@code --resize}, {@code --raw}, {@code --coefficients} and the like. Keys and labels stay
 * as they are; an image that is changed has another extension than its file had, so it is given
 * none.
 *
 * <pre>{@code
 * Recoding smaller = Recoding.builder().resize(256).build();
 * Recoding pixels = Recoding.of(StoreOptions.of(Map.of("resize", "256", "raw", "true")));
 * EncodedImage stored = smaller.apply(image);
 * }</pre>
 *
 * <p>Immutable and thread-safe; serializable, for tasks on other machines.
 */
public final class Recoding implements Transform<EncodedImage, EncodedImage>, Serializable {

  /** Images stay as they are, byte for byte. */
  public static final Recoding NONE = builder().build();

  /** The names of the options that {@link #of} knows. */
  public static final Set<String> OPTIONS =
      Set.of("resize", "quality", "coefficients", "jpeg", "raw", "compress", "png");

  private static final long serialVersionUID = 1;

  private static final int DEFAULT_QUALITY = 90;

  /** In pixels; 0 if images are not scaled. */
  private final int shorterSide;

  private final int quality;
  private final Kind kind;

  /** Form of the result, for an image that has its final size. */
  private enum Kind {
    AS_IT_IS,
    COEFFICIENTS,
    JPEG,
    RAW,
    RAW_COMPRESSED,
    PNG;

    /** Returns the option that chooses it; of compressed records that is one more. */
    String option() {
      return this == RAW_COMPRESSED ? "raw" : name().toLowerCase(Locale.ROOT);
    }
  }

  private Recoding(Builder builder) {
    this.shorterSide = builder.shorterSide;
    this.quality = builder.quality;
    this.kind = builder.kind;
  }

  /** Returns a builder, which changes nothing unless it is told to. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Returns the recoding that the options describe. They have the names of the command line: {@code
   * resize}, {@code quality}, {@code compress=lz4}, and {@code coefficients}, {@code jpeg}, {@code
   * raw} and {@code png}, which are {@code true} or {@code false}.
   *
   * @throws IllegalArgumentException if an option is unknown, has an invalid value, or contradicts
   *     another one
   */
  public static Recoding of(StoreOptions options) {
    options.requireKnown("a recoding", OPTIONS);
    Builder builder = builder();
    options.integer("resize").ifPresent(builder::resize);
    options.integer("quality").ifPresent(builder::quality);
    boolean raw = flag(options, "raw");
    if (compressed(options)) {
      if (!raw) {
        throw new IllegalArgumentException(
            "option compress is for the rows of raw records: give raw=true as well");
      }
      builder.rawCompressed();
    } else if (raw) {
      builder.raw();
    }
    if (flag(options, "coefficients")) {
      builder.coefficients();
    }
    if (flag(options, "jpeg")) {
      builder.jpeg();
    }
    if (flag(options, "png")) {
      builder.png();
    }
    return builder.build();
  }

  private static boolean compressed(StoreOptions options) {
    String method = options.text("compress").orElse("none");
    if (!method.equals("lz4") && !method.equals("none")) {
      throw new IllegalArgumentException(
          "option compress must be lz4 or none, was '%s'".formatted(method));
    }
    return method.equals("lz4");
  }

  private static boolean flag(StoreOptions options, String name) {
    String value = options.text(name).orElse("false");
    if (!value.equals("true") && !value.equals("false")) {
      throw new IllegalArgumentException(
          "option %s must be true or false, was '%s'".formatted(name, value));
    }
    return value.equals("true");
  }

  /** Returns the length that the shorter side has at most, in pixels; empty without a limit. */
  public OptionalInt resize() {
    return shorterSide == 0 ? OptionalInt.empty() : OptionalInt.of(shorterSide);
  }

  /** Returns the quality of the JPEGs that scaled images become, from 1 to 100. */
  public int quality() {
    return quality;
  }

  /**
   * {@inheritDoc}
   *
   * @param image the image; its bytes are not changed
   * @return the same image if it needs no change
   * @throws FormatException if the image is broken: its header cannot be read, even if it needs no
   *     change, or it must be decoded and cannot be; the message has its key
   * @throws IllegalStateException if compressed rows are asked for and {@code at.yawk.lz4:lz4-java}
   *     is absent
   */
  @Override
  public EncodedImage apply(EncodedImage image) throws FormatException {
    Objects.requireNonNull(image, "image");
    // Reads the header; the error of an image without one has its key.
    Image unused = Image.ofEncoded(image.bytes(), image.key());
    try {
      return recoded(image);
    } catch (IOException broken) {
      // Reading bytes in memory has no other way to fail.
      String problem = broken.getMessage();
      throw new FormatException(
          problem.startsWith(image.key()) ? problem : image.key() + ": " + problem, broken);
    }
  }

  private EncodedImage recoded(EncodedImage image) throws IOException {
    if (kind == Kind.RAW || kind == Kind.RAW_COMPRESSED) {
      return RawPacking.pack(image, shorterSide, kind == Kind.RAW_COMPRESSED);
    }
    EncodedImage scaled =
        shorterSide == 0 ? image : new Reencoder(shorterSide, quality).apply(image);
    return switch (kind) {
      case COEFFICIENTS -> EntropyCoding.UNDONE.apply(scaled);
      case JPEG -> EntropyCoding.DONE.apply(scaled);
      case PNG -> RawPacking.toPng(scaled);
      default -> scaled;
    };
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Recoding recoding
        && shorterSide == recoding.shorterSide
        && quality == recoding.quality
        && kind == recoding.kind;
  }

  @Override
  public int hashCode() {
    return Objects.hash(shorterSide, quality, kind);
  }

  /** Returns all options: two recodings with the same text do the same. */
  @Override
  public String toString() {
    String scaled = shorterSide == 0 ? "" : "resize=%d, quality=%d".formatted(shorterSide, quality);
    String made =
        switch (kind) {
          case AS_IT_IS -> "";
          case RAW_COMPRESSED -> "raw, compress=lz4";
          default -> kind.option();
        };
    return "Recoding(%s%s%s)"
        .formatted(scaled, scaled.isEmpty() || made.isEmpty() ? "" : ", ", made);
  }

  /** The options of a recoding. Not thread-safe. */
  public static final class Builder {
    private int shorterSide;
    private int quality = DEFAULT_QUALITY;
    private Kind kind = Kind.AS_IT_IS;

    private Builder() {}

    /**
     * Scales images whose shorter side is longer than this down to it, bilinear, and writes them as
     * JPEG, unless they become raw records. Their EXIF orientation is kept. The others stay as they
     * are.
     *
     * @param shorterSide in pixels, 1 or more
     * @throws IllegalArgumentException if it is less
     */
    public Builder resize(int shorterSide) {
      if (shorterSide < 1) {
        throw new IllegalArgumentException("resize must be 1 or more pixels, was " + shorterSide);
      }
      this.shorterSide = shorterSide;
      return this;
    }

    /**
     * Sets the quality of the JPEGs that scaled images become. Default 90.
     *
     * @throws IllegalArgumentException if it is not from 1 to 100
     */
    public Builder quality(int quality) {
      if (quality < 1 || quality > 100) {
        throw new IllegalArgumentException("quality must be from 1 to 100, was " + quality);
      }
      this.quality = quality;
      return this;
    }

    /**
     * Stores each baseline JPEG as a coefficient record: larger, faster to decode, the same pixels.
     * Other images stay as they are.
     *
     * @throws IllegalArgumentException if another form is chosen already; the next four methods
     *     throw it too
     */
    public Builder coefficients() {
      return choose(Kind.COEFFICIENTS);
    }

    /** Stores each coefficient record as a JPEG again, of the same pixels. */
    public Builder jpeg() {
      return choose(Kind.JPEG);
    }

    /**
     * Stores the pixels of each image as a raw record, scaled if {@link #resize} says so. Its EXIF
     * orientation is kept; alpha, the lower half of 16 bits, metadata and the luminance of a JPEG
     * are not: in gray mode the record gives what {@code convert("L")} makes of its colors.
     */
    public Builder raw() {
      return choose(Kind.RAW);
    }

    /** Stores raw records whose rows are compressed with LZ4. */
    public Builder rawCompressed() {
      return choose(Kind.RAW_COMPRESSED);
    }

    /** Stores each raw record as a PNG, with the same pixels and orientation. */
    public Builder png() {
      return choose(Kind.PNG);
    }

    private Builder choose(Kind chosen) {
      if (kind != Kind.AS_IT_IS && kind != chosen) {
        throw new IllegalArgumentException(
            "images are stored in one way: choose %s or %s, not both"
                .formatted(kind.option(), chosen.option()));
      }
      this.kind = chosen;
      return this;
    }

    /** Returns the recoding. */
    public Recoding build() {
      return new Recoding(this);
    }
  }
}
