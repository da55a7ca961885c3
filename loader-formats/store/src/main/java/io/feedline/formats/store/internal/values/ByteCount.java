package io.feedline.formats.store.internal.values;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A parser of sizes in bytes as people write them: 800, 64K, 64KB, 1.5G, in powers of 1024. */
public final class ByteCount {

  public static final String UNITS = "KMGT";

  private static final Pattern SIZE =
      Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,9})?)([KMGT]?)(?:I?B)?");

  private ByteCount() {}

  public static long parse(String text) {
    Matcher size = SIZE.matcher(text.toUpperCase(Locale.ROOT));
    if (!size.matches()) {
      throw new IllegalArgumentException(
          "'%s' is not a size: expected a number of bytes, such as 800, 64K or 1.5G"
              .formatted(text));
    }
    int unit = size.group(2).isEmpty() ? 0 : UNITS.indexOf(size.group(2)) + 1;
    BigDecimal bytes =
        new BigDecimal(size.group(1))
            .multiply(BigDecimal.valueOf(1L << (10 * unit)))
            .setScale(0, RoundingMode.HALF_UP);
    if (bytes.signum() == 0 || bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException(
          "a size must be at least 1 byte, and less than 8 EiB, was '%s'".formatted(text));
    }
    return bytes.longValueExact();
  }
}
