package io.feedline.formats.pixels;

import io.feedline.formats.store.StoreOptions;
import java.nio.file.Path;
import java.util.Locale;

enum Split {
  TRAIN,
  TEST;

  static final String OPTION = "split";

  /** Returns the split that the options name; {@link #TRAIN} by default. */
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

  /** Returns whether an IDX file belongs to this split, by the file's name. */
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
