package io.feedline.formats.remote.internal.http;

import java.net.http.HttpHeaders;
import java.util.Locale;

/**
 * A server's answer.
 *
 * @param status by HTTP
 * @param headers as they came
 * @param body what was not written into the caller's buffer; empty if nothing
 */
public record Reply(int status, HttpHeaders headers, byte[] body) {

  /** A header, in lower case where it is asked for; empty if absent. */
  public String header(String name) {
    return headers.firstValue(name).orElse("");
  }

  public boolean isSuccess() {
    return status / 100 == 2;
  }

  /** Tests whether the server says that it gets too many requests. */
  boolean isThrottled() {
    return status == 429 || status == 503 || status == 509;
  }

  /** Tests whether the same request may be answered a little later. */
  public boolean isTransient() {
    return isThrottled()
        || status == 408
        || status == 425
        || status == 500
        || status == 502
        || status == 504;
  }

  /** Tests whether the answer is at another address. */
  public boolean isRedirect() {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
  }

  /** Returns the time that the server asks to wait, in nanoseconds; 0 if it asks for none. */
  long retryAfterNanos() {
    String seconds = header("retry-after");
    return seconds.matches("[0-9]{1,4}") ? Long.parseLong(seconds) * 1_000_000_000L : 0;
  }

  /** The status and what is known of the reason, without the server's own words. */
  public String words() {
    String code = ErrorCode.words(body);
    return code.isEmpty()
        ? "status " + status
        : String.format(Locale.ROOT, "status %d (%s)", status, code);
  }
}
