package io.feedline.formats.cli.internal.command;

import io.feedline.formats.store.StoreOptions;
import picocli.CommandLine.Option;

/** The options of {@code convert} for the form of stored images; they exclude each other. */
public final class EncodingOptions {

  @Option(
      names = "--coefficients",
      description = {
        "Stores each baseline JPEG as a coefficient record: larger, faster to decode, the same"
            + " pixels. Other images stay as they are."
      })
  private boolean coefficients;

  @Option(
      names = "--raw",
      description = {
        "Stores the pixels of each image as a raw record: much larger, nothing left to decode."
            + " With --resize the scaled pixels, which no JPEG has touched."
            + " For training in gray keep JPEGs: gray of a record is computed from its colors."
      })
  private boolean raw;

  @Option(
      names = "--jpeg",
      description = {
        "Stores each coefficient record as a JPEG again: the same header, tables and coefficients,"
            + " and so the same pixels, but not the same bytes."
      })
  private boolean jpeg;

  @Option(
      names = "--png",
      description = "Stores each raw record as a PNG, with the same pixels and orientation.")
  private boolean png;

  public boolean isRaw() {
    return raw;
  }

  public StoreOptions in(StoreOptions recoding) {
    boolean chosen = coefficients || raw || jpeg || png;
    return chosen ? recoding.with(toString(), "true") : recoding;
  }

  @Override
  public String toString() {
    if (coefficients) {
      return "coefficients";
    }
    if (jpeg) {
      return "jpeg";
    }
    return raw ? "raw" : png ? "png" : "as it is";
  }
}
