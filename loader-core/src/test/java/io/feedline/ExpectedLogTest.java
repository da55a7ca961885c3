package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Captured warnings are those that a test says it expects. */
class ExpectedLogTest {

  private static final Logger LOG = LoggerFactory.getLogger(ExpectedLogTest.class);

  private static List<String> unexpected(String warning, String... expected) {
    try (CapturedLog log = new CapturedLog()) {
      LOG.warn(warning, new IllegalStateException("with a stack trace"));
      return ExpectedLog.Capture.unexpected(log.text(), List.of(expected));
    }
  }

  @Test
  void shouldNameAWarningThatIsNotExpected() {
    assertThat(unexpected("SKIP: sample 3", "SKIP", "closing")).isEmpty();
    assertThat(unexpected("closing failed", "SKIP", "closing")).isEmpty();
    assertThat(unexpected("the driver has gone", "SKIP", "closing"))
        .singleElement()
        .asString()
        .contains("WARN", "the driver has gone");
  }

  @Test
  @ExpectedLog("SKIP")
  void shouldCaptureWhatIsLogged() {
    LOG.warn("SKIP: nothing of this is printed");
    try (CapturedLog inner = new CapturedLog()) {
      LOG.warn("this a test captures by itself");
      assertThat(inner.lines("by itself")).hasSize(1);
    }
  }
}
