package io.feedline.formats.cli.internal.command;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A converter of times such as 87ms, 0.087s, 100us, 3min or 2h; a unit is required. */
public final class TimeSpan implements ITypeConverter<Duration> {

  private static final Pattern TIME =
      Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,15})?) ?(ns|us|µs|ms|s|min|h)");

  private static final Map<String, Long> NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "min", 60_000_000_000L,
          "h", 3_600_000_000_000L);

  private static final Duration LONGEST = Duration.ofHours(1000);

  @Override
  public Duration convert(String text) {
    Matcher time = TIME.matcher(text.toLowerCase(Locale.ROOT));
    if (!time.matches()) {
      throw new TypeConversionException(
          "'%s' is not a time: expected a number with ns, us, ms, s, min or h, such as 87ms or"
                  .formatted(text)
              + " 0.087s");
    }
    BigDecimal nanos =
        new BigDecimal(time.group(1))
            .multiply(BigDecimal.valueOf(NANOS.get(time.group(2))))
            .setScale(0, RoundingMode.HALF_UP);
    if (nanos.signum() == 0 || nanos.compareTo(BigDecimal.valueOf(LONGEST.toNanos())) > 0) {
      throw new TypeConversionException(
          "a time must be at least 1ns, and at most 1000h, was '%s'".formatted(text));
    }
    return Duration.ofNanos(nanos.longValueExact());
  }

  /** Returns seconds in words, with about three digits: {@code 87 ms}, {@code 14.5 min}. */
  public static String words(double seconds) {
    if (seconds < 1e-6) {
      return amount(seconds * 1e9, "ns");
    }
    if (seconds < 1e-3) {
      return amount(seconds * 1e6, "us");
    }
    if (seconds < 1) {
      return amount(seconds * 1e3, "ms");
    }
    if (seconds < 120) {
      return amount(seconds, "s");
    }
    if (seconds < 2 * 3600) {
      return amount(seconds / 60, "min");
    }
    return seconds < 48 * 3600
        ? amount(seconds / 3600, "h")
        : amount(seconds / (24 * 3600), "days");
  }

  private static String amount(double value, String unit) {
    double tenths = Math.rint(value * 10) / 10;
    String format = tenths < 100 && tenths != Math.rint(tenths) ? "%.1f %s" : "%.0f %s";
    return String.format(Locale.ROOT, format, tenths, unit);
  }
}
