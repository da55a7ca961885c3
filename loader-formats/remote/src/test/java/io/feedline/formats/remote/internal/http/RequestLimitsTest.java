package io.feedline.formats.remote.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The limit of requests in flight, and when requests are sent again or twice. */
class RequestLimitsTest {

  @Test
  void shouldLetRequestsWaitInTheirOrder() {
    AdaptiveLimit limit = new AdaptiveLimit(2);
    List<Integer> sent = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      int number = i;
      limit.run(() -> sent.add(number));
    }
    assertThat(sent).containsExactly(0, 1);
    limit.release();
    assertThat(sent).containsExactly(0, 1, 2);
    limit.release();
    limit.release();
    assertThat(sent).containsExactly(0, 1, 2, 3, 4);
    assertThat(limit.inFlight()).isEqualTo(2);
  }

  @Test
  void shouldPassOverWhatIsNotWantedAnymore() {
    AdaptiveLimit limit = new AdaptiveLimit(1);
    List<Integer> sent = new ArrayList<>();
    limit.run(() -> sent.add(0));
    for (int i = 0; i < 100_000; i++) {
      limit.run(() -> false);
    }
    limit.run(() -> sent.add(1));
    limit.release();

    assertThat(sent).containsExactly(0, 1);
    assertThat(limit.inFlight()).isEqualTo(1);
  }

  @Test
  void shouldCountRefusalsOfOneMomentOnce() {
    AdaptiveLimit limit = new AdaptiveLimit(10);
    int time = limit.time();
    for (int i = 0; i < 10; i++) {
      limit.slower(time);
    }
    assertThat(limit.now()).isEqualTo(7);
    limit.slower(limit.time());
    assertThat(limit.now()).isEqualTo(4);
    for (int i = 0; i < 100; i++) {
      limit.slower(limit.time());
    }
    assertThat(limit.now()).isEqualTo(1);
    for (int i = 0; i < 200; i++) {
      limit.faster();
    }
    assertThat(limit.now()).isEqualTo(10);
  }

  @Test
  void shouldWaitLongerThanNinetyNineOfAHundred() {
    Hedging hedging = new Hedging(1, 0.05);
    assertThat(hedging.patienceNanos()).as("at first").isEqualTo(2_000_000_000L);
    for (int i = 1; i <= 64; i++) {
      hedging.answered(1000L * i);
    }
    assertThat(hedging.patienceNanos()).as("of few").isEqualTo(64_000);
    for (int i = 513; i <= 1024; i++) {
      hedging.answered(1000L * i);
    }

    assertThat(hedging.patienceNanos()).as("the 507th of the last 512").isEqualTo(1_019_000);
  }

  @Test
  void shouldNotBeImpatientWhereAnswersAreQuick() {
    Hedging hedging = new Hedging(5_000_000, 0.05);
    for (int i = 0; i < 64; i++) {
      hedging.answered(1000);
    }

    assertThat(hedging.patienceNanos()).isEqualTo(5_000_000);
  }

  @Test
  void shouldAddNoMoreThanItsPart() {
    Hedging hedging = new Hedging(1, 0.05);
    int hedges = 0;
    for (int i = 0; i < 10_000; i++) {
      hedging.sent();
      hedges += hedging.take() ? 1 : 0;
    }

    assertThat(hedges).isBetween(490, 500);
    for (int i = 0; i < 10_000; i++) {
      hedging.sent();
    }
    hedges = 0;
    while (hedging.take()) {
      hedges++;
    }
    assertThat(hedges).as("saved up").isEqualTo(16);
    assertThat(new Hedging(1, 0).take()).isFalse();
  }

  @Test
  void shouldPauseLongerBeforeEachAttempt() {
    RequestPolicy policy = RequestPolicy.DEFAULT;

    assertThat(IntStream.of(2, 3, 8, 9, 1000).mapToLong(policy::pauseNanos).toArray())
        .containsExactly(
            100_000_000L, 200_000_000L, 6_400_000_000L, 10_000_000_000L, 10_000_000_000L);
  }

  @Test
  void shouldAllowLongerForMoreBytes() {
    RequestPolicy policy = RequestPolicy.DEFAULT;

    assertThat(policy.bodyNanos(0)).isEqualTo(10_000_000_000L);
    assertThat(policy.bodyNanos(3 << 20)).isEqualTo(13_000_000_000L);
    assertThat(policy.firstByteNanos(0)).isEqualTo(10_000_000_000L);
    assertThat(policy.firstByteNanos(2 << 20)).isEqualTo(26_000_000_000L);
  }

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
