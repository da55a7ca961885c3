package io.feedline.bench;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Writes one flat JSON object (RFC 8259) on one line, its keys in the order they are put.
 *
 * <p>Any text is allowed, since it is escaped. Numbers are written without an exponent and with at
 * most 9 significant digits, the same in every locale. NaN, infinities and unknown values become
 * null.
 */
final class JsonLine {
  private static final MathContext DIGITS = new MathContext(9);

  private final StringBuilder text = new StringBuilder("{");

  JsonLine put(String key, long value) {
    return raw(key, Long.toString(value));
  }

  JsonLine put(String key, double value) {
    return raw(key, Double.isFinite(value) ? plain(value) : "null");
  }

  JsonLine put(String key, OptionalDouble value) {
    return put(key, value.orElse(Double.NaN));
  }

  /** Puts the median of some rounds, and their extremes as {@code KEY_min} and {@code KEY_max}. */
  JsonLine put(String key, Spread rounds) {
    return put(key, rounds.median())
        .put(key + "_min", rounds.least())
        .put(key + "_max", rounds.greatest());
  }

  JsonLine put(String key, String value) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append("\\u%04x".formatted((int) c));
      } else {
        quoted.append(c);
      }
    }
    return raw(key, quoted.append('"').toString());
  }

  JsonLine put(String key, Optional<String> value) {
    return value.isPresent() ? put(key, value.get()) : raw(key, "null");
  }

  JsonLine put(String key, boolean value) {
    return raw(key, Boolean.toString(value));
  }

  private static String plain(double value) {
    BigDecimal rounded = BigDecimal.valueOf(value).round(DIGITS).stripTrailingZeros();
    return rounded.toPlainString();
  }

  /** Appends a value as it is; keys are names of this package, which need no escapes. */
  private JsonLine raw(String key, String value) {
    text.append(text.length() == 1 ? "" : ",").append('"').append(key).append("\":").append(value);
    return this;
  }

  @Override
  public String toString() {
    return text + "}";
  }
}
