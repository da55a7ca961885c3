package io.feedline.formats.store.internal.staging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JournalLinesTest {

  @Test
  void shouldCountTheBytesOfWholeLinesAlone() {
    String whole = "{\"key\":\"kräftig/語.jpg\"}\n{\"samples\":1}\n";
    for (String torn : new String[] {"", "{", "{\"key\":\"語", "{torn}\n"}) {
      JournalLines lines = JournalLines.of((whole + torn).getBytes(UTF_8));

      assertThat(lines.bytes()).as("before '%s'", torn).isEqualTo(whole.getBytes(UTF_8).length);
      assertThat(lines.isEmpty()).isFalse();
    }
    assertThat(JournalLines.of("{torn".getBytes(UTF_8)).isEmpty()).isTrue();
  }
}
