package io.feedline.formats.remote.internal.http;

import static java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server's answer; {@code body} is empty if the bytes went into the caller's buffer. */
public record Reply(int status, HttpHeaders headers, byte[] body) {

  /** The pattern of the header RateLimit if no request is left (r=0); t is the seconds to wait. */
  private static final Pattern NO_MORE =
      Pattern.compile(";\\s*r\\s*=\\s*0\\s*;\\s*t\\s*=\\s*([0-9]+)");

  public String header(String name) {
    return headers.firstValue(name).orElse("");
  }

  public boolean isSuccess() {
    return status / 100 == 2;
  }

  boolean isThrottled() {
    return status == 429 || status == 503 || status == 509;
  }

  public boolean isTransient() {
    return isThrottled()
        || status == 408
        || status == 425
        || status == 500
        || status == 502
        || status == 504;
  }

  public boolean isRedirect() {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
  }

  /** Returns the time to wait by the header Retry-After or the hub's RateLimit; zero if absent. */
  Duration retryAfter(Duration most, Instant now) {
    Matcher limit = NO_MORE.matcher(header("ratelimit"));
    String value = header("retry-after");
    if (value.isEmpty() && limit.find()) {
      value = limit.group(1);
    }
    Duration asked = Duration.ZERO;
    if (value.matches("[0-9]+")) {
      asked = value.length() > 9 ? most : Duration.ofSeconds(Long.parseLong(value));
    } else if (!value.isEmpty()) {
      try {
        asked = Duration.between(now, Instant.from(RFC_1123_DATE_TIME.parse(value)));
      } catch (DateTimeException noDate) {
        return Duration.ZERO;
      }
    }
    return asked.isNegative() ? Duration.ZERO : asked.compareTo(most) > 0 ? most : asked;
  }

  /** Returns the code of an error, from the body or else from Azure's header; empty if absent. */
  public String code() {
    String code = ErrorCode.of(body);
    return code.isEmpty() ? header("x-ms-error-code") : code;
  }

  /** Returns a text for errors: the status, and the code if it is a documented code. */
  public String words() {
    String code = ErrorCode.known(code());
    return code.isEmpty()
        ? "status " + status
        : String.format(Locale.ROOT, "status %d (%s)", status, code);
  }
}
