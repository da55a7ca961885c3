package io.feedline.formats.cli.internal.command;

import picocli.CommandLine.ITypeConverter;

/** Bytes per second as people write them: sizes like {@link ByteSize}'s, with or without /s. */
public final class ByteRate implements ITypeConverter<Long> {

  @Override
  public Long convert(String text) {
    return new ByteSize()
        .convert(text.endsWith("/s") ? text.substring(0, text.length() - 2) : text);
  }

  /** A rate in words, with three digits or so: {@code 27.5 MiB/s}. */
  public static String words(double bytesPerSecond) {
    return ByteSize.words(Math.round(bytesPerSecond)) + "/s";
  }
}
