package io.feedline.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FormatExceptionTest {

  @Test
  void shouldKeepItsPlaceWhenWordsArePutInFront() {
    Path file = Path.of("train.rec");

    FormatException failure = FormatException.at(file, 7, 4096, "the checksum differs");

    for (FormatException place : new FormatException[] {failure, failure.at("index 3")}) {
      assertThat(place.path()).contains("train.rec");
      assertThat(place.record()).hasValue(7);
      assertThat(place.offset()).hasValue(4096);
      assertThat(place)
          .hasMessageEndingWith("train.rec, record 7 at offset 4096: the checksum differs");
    }
  }

  @Test
  void shouldHaveNoPlaceThatIsNotKnown() {
    assertThat(FormatException.in(Path.of("a.png"), "it is cut off").record()).isEmpty();
    FormatException unknown = new FormatException("it is cut off");
    assertThat(unknown.path()).isEmpty();
    assertThat(unknown.offset()).isEmpty();
  }
}
