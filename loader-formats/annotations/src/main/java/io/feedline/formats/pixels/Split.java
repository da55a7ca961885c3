package io.feedline.formats.pixels;

import io.feedline.formats.store.StoreOptions;
import java.nio.file.Path;
import java.util.Locale;

/** The part of a data set that is for training or testing. */
enum Split {
  TRAIN,
  TEST;

  static final String OPTION = "split";

  /**
   * Returns the part that the options name; {@link #TRAIN} by default.
   *
   * @throws IllegalArgumentException if they say anything else
   */
  static Split of(StoreOptions options) {
    String text = options.text(OPTION).orElse("train");
    return switch (text) {
      case "train" -> TRAIN;
      case "test" -> TEST;
      default ->
          throw new IllegalArgumentException(
              "option %s must be train or test, was '%s'".formatted(OPTION, text));
    };
  }

  /** Tests by its name whether an IDX file is of this part. */
  boolean hasIdx(Path file) {
    String name = file.getFileName().toString();
    return this == TRAIN
        ? name.contains("train")
        : name.contains("test") || name.startsWith("t10k");
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
