package io.feedline.formats.remote.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The meaning of an answer's headers. */
class ReplyTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                            | 0",
        "0                             | 0",
        "7                             | 7",
        "10000                         | 60",
        "99999999999999999999          | 60",
        "-5                            | 0",
        "1.5                           | 0",
        "soon                          | 0",
        "Fri, 31 Dec 1999 23:59:59 GMT | 9",
        "Fri, 31 Dec 1999 23:59:40 GMT | 0",
        "Sat, 1 Jan 2000 23:59:59 GMT  | 60",
        "Sat, 01 Jan 2000 23:59:59 GMT | 60",
        "Sun, 01 Jan 2000 23:59:59 GMT | 0",
      })
  void shouldWaitAsLongAsTheServerAsksUpToTheLongestPause(String value, int seconds) {
    assertPause("Retry-After", value, seconds);
  }

  private static void assertPause(String header, String value, int seconds) {
    Map<String, List<String>> headers = Map.of(header, List.of(value));
    Reply reply = new Reply(503, HttpHeaders.of(headers, (name, each) -> true), new byte[0]);
    Instant now = Instant.parse("1999-12-31T23:59:50Z");

    assertThat(reply.retryAfter(Duration.ofSeconds(60), now))
        .isEqualTo(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"api\";r=0;t=55           | 55",
        "\"resolvers\"; r = 0; t = 9 | 9",
        "\"api\";r=3;t=55           | 0",
        "\"api\"                    | 0",
      })
  void shouldWaitUntilARateLimitIsReset(String value, int seconds) {
    assertPause("RateLimit", value, seconds);
  }
}
