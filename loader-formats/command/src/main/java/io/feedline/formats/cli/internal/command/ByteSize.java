package io.feedline.formats.cli.internal.command;

import io.feedline.formats.store.internal.values.ByteCount;
import io.feedline.internal.Counts;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A converter of sizes such as 800, 64K, 64KB or 1.5G to bytes, in powers of 1024. */
public final class ByteSize implements ITypeConverter<Long> {

  @Override
  public Long convert(String text) {
    try {
      return ByteCount.parse(text);
    } catch (IllegalArgumentException invalid) {
      throw new TypeConversionException(invalid.getMessage());
    }
  }

  /** Returns a size in words, with about three digits: {@code 27.5 MiB}. */
  public static String words(long bytes) {
    if (bytes < 1024) {
      return Counts.of(bytes, "byte");
    }
    double value = bytes;
    int unit = -1;
    while (value >= 1024 && unit < ByteCount.UNITS.length() - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(
        Locale.ROOT, value < 100 ? "%.1f %ciB" : "%.0f %ciB", value, ByteCount.UNITS.charAt(unit));
  }
}
