package io.feedline.formats.image.recode.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Image;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.StoreOptions;
import io.feedline.transform.Transform;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/**
 * The scaling and re-encoding of images when they are packed, as by {@code feedline convert} with
 * {@code --resize}, {@code --raw}, {@code --coefficients} and similar options. Keys and labels stay
 * unchanged. A changed image has no extension, since the extension of its file may no longer fit.
 *
 * <p>Immutable and thread-safe; serializable, for tasks on other machines.
 *
 * @param shorterSide the length in pixels to which an image's shorter side is scaled down, if it is
 *     longer; 0 if images are not scaled
 * @param quality the quality of the JPEGs that scaled images become, from 1 to 100
 * @param kind the form of the result; the image is scaled first
 */
public record Recoding(int shorterSide, int quality, Kind kind)
    implements Transform<EncodedImage, EncodedImage>, Serializable {

  /** The names of the options that {@link #of} accepts. */
  public static final Set<String> OPTIONS =
      Set.of("resize", "quality", "coefficients", "jpeg", "raw", "compress", "png");

  private static final long serialVersionUID = 1;

  private static final int DEFAULT_QUALITY = 90;

  /** The form of the result. */
  enum Kind {
    AS_IT_IS,
    COEFFICIENTS,
    JPEG,
    RAW,
    RAW_COMPRESSED,
    PNG;

    /** Returns the option that chooses this form; compressed records need a second option. */
    String option() {
      return this == RAW_COMPRESSED ? "raw" : name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Returns the recoding that options describe. The options have the names and meanings of the
   * command line's options. Without options, images stay the same, byte for byte.
   *
   * @throws IllegalArgumentException if an option is unknown, has an invalid value, or contradicts
   *     another option
   */
  public static Recoding of(StoreOptions options) {
    options.requireKnown("a recoding", OPTIONS);
    int shorterSide = options.integer("resize").orElse(0);
    if (shorterSide < 1 && options.text("resize").isPresent()) {
      throw new IllegalArgumentException("resize must be 1 or more pixels, was " + shorterSide);
    }
    int quality = options.integer("quality").orElse(DEFAULT_QUALITY);
    if (quality < 1 || quality > 100) {
      throw new IllegalArgumentException("quality must be from 1 to 100, was " + quality);
    }
    return new Recoding(shorterSide, quality, kind(options));
  }

  private static Kind kind(StoreOptions options) {
    Kind kind = Kind.AS_IT_IS;
    for (Kind each : List.of(Kind.RAW, Kind.COEFFICIENTS, Kind.JPEG, Kind.PNG)) {
      if (flag(options, each.option())) {
        if (kind != Kind.AS_IT_IS) {
          throw new IllegalArgumentException(
              "images are stored in one way: choose %s or %s, not both"
                  .formatted(kind.option(), each.option()));
        }
        kind = each;
      }
    }
    if (!compressed(options)) {
      return kind;
    }
    if (kind != Kind.RAW) {
      throw new IllegalArgumentException(
          "option compress is for the rows of raw records: give raw=true as well");
    }
    return Kind.RAW_COMPRESSED;
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

  /**
   * Returns the recoded image, or the argument if it needs no change. The argument's bytes are not
   * changed.
   *
   * @throws FormatException if the image's header cannot be read, even if the image needs no
   *     change, or if the image must be decoded and is damaged; the message has the image's key
   * @throws IllegalStateException if compressed rows are requested and {@code at.yawk.lz4:lz4-java}
   *     is absent
   */
  @Override
  public EncodedImage apply(EncodedImage image) throws FormatException {
    Objects.requireNonNull(image, "image");
    // Reads the header; the error for an image without a header has the image's key.
    Image unused = Image.ofEncoded(image.bytes(), image.key());
    try {
      return recoded(image);
    } catch (IOException broken) {
      // Nothing else can fail when bytes in memory are read.
      String problem = broken.getMessage();
      throw new FormatException(
          problem.startsWith(image.key()) ? problem : image.key() + ": " + problem, broken);
    }
  }

  private EncodedImage recoded(EncodedImage image) throws IOException {
    if (kind == Kind.RAW || kind == Kind.RAW_COMPRESSED) {
      return Reencoder.toRaw(image, shorterSide, kind == Kind.RAW_COMPRESSED);
    }
    EncodedImage scaled =
        shorterSide == 0 ? image : Reencoder.toSmallerJpeg(image, shorterSide, quality);
    return switch (kind) {
      case COEFFICIENTS -> Reencoder.toCoefficients(scaled);
      case JPEG -> Reencoder.toJpeg(scaled);
      case PNG -> Reencoder.toPng(scaled);
      default -> scaled;
    };
  }

  /** Returns all options as text; recodings with equal texts give equal results. */
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
}
