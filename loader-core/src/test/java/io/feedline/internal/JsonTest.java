package io.feedline.internal;

import static io.feedline.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JsonTest {

  @Test
  void shouldReadWhatItWrites() {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("", "");
    object.put("quotes \" \\ /", "\" \\ / \b \f \n \r \t \u0000 \u001f \u007f");
    object.put("far", "\u00e9 \u4e2d \ud83d\ude00 lone \ud83d high, \ude00 low");
    object.put("numbers", List.of(0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE));
    object.put("none", List.of());

    String text = Json.write(object);

    assertThat(Json.read(text)).isEqualTo(object);
    assertThat(Json.read(text).keySet()).containsExactlyElementsOf(object.keySet());
    assertThat(text).doesNotContain("\n", "\ud83d");
    assertThat(Json.read(Json.write(Map.of()))).isEmpty();
  }

  @Test
  void shouldReadWhatOthersWrite() {
    assertThat(Json.read(" {\r\n\t\"a\" : -12 , \"b\":[ 1 , 2 ] ,\"c\":\"\\u0041\\/\\uD83D\" } \n"))
        .isEqualTo(Map.of("a", -12L, "b", List.of(1L, 2L), "c", "A/\ud83d"));
  }

  private static Stream<String> refused() {
    String texts =
        """
        { } [] 1 null {}{} {"a"} {"a":} {"a":1,} {a:1} {"a":+1} {"a":-} {"a":.5} {"a":1.} {"a":1e}
        {"a":1e99999999999} {"a":NaN} {"a":tru} {"a":nulL} {"a":{"b":1} {"a":[[1]} {"a":1-2}
        {"a":01} {"a":-01} {"a":[1,]} {"a":[1} {"a":"b} {"a":"\\x"} {"a":"\\u12"} {"a":"\\u+123"}
        {"a":"\\u-001"} {"a":"\\ {"a":1,"a":2}""";
    return Stream.concat(
        Stream.of("", " ", "{\"a\":1 \"b\":2}", "{\"a\":[1 2]}", "{\"a\":\"\n\"}"),
        Stream.of(texts.split("\\s+")));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void shouldRefuseWhatIsNoObjectOfItsKindAndSayWhere(String text) {
    assertRefused(() -> Json.read(text), "at position");
  }

  @Test
  void shouldReadAndWriteWhatIsNested() {
    String text =
        "{\"a\":{\"b\":[1,[],{}],\"c\":null},\"d\":true,\"e\":false,\"f\":[\"g\",1.50,-2E+3]}";

    Map<String, Object> object = Json.read(text);

    assertThat(object.get("a")).isInstanceOf(Map.class);
    assertThat(object.get("f"))
        .isEqualTo(List.of("g", new BigDecimal("1.50"), new BigDecimal("-2E+3")));
    assertThat(Json.write(object)).isEqualTo(text);
    assertThat(Json.readValue("[null]")).isEqualTo(Collections.singletonList(null));
    assertThat(Json.readValue(" 7 ")).isEqualTo(7L);
  }

  @Test
  void shouldKeepAnIntegerExactWhateverItsSize() {
    assertThat(Json.readValue("9223372036854775808"))
        .isEqualTo(new BigDecimal("9223372036854775808"));
    assertThat(Json.readValue("-9223372036854775808")).isEqualTo(Long.MIN_VALUE);
    assertThatThrownBy(() -> Json.readValue("9".repeat(1001)))
        .hasMessageContaining("1000 characters at position 0");
  }

  @Test
  void shouldRefuseNestingThatCouldExhaustTheStack() {
    assertThat(Json.readValue("[".repeat(101) + "]".repeat(101))).isInstanceOf(List.class);
    assertRefused(() -> Json.readValue("[".repeat(1_000_000)), "100 levels", "at position");
  }

  @Test
  void shouldQuoteAnExcerptOfALongText() {
    assertThatThrownBy(() -> Json.read("{\"a\":" + "x".repeat(100_000)))
        .hasMessageContaining("at position 5, found 'xxx")
        .extracting(failure -> failure.getMessage().length())
        .satisfies(length -> assertThat(length).isLessThan(200));
  }

  @Test
  void shouldRefuseToWriteWhatJsonHasNoFormFor() {
    assertThatThrownBy(() -> Json.write(List.of(Double.NaN))).hasMessageContaining("NaN");
    assertThatThrownBy(() -> Json.write(Map.of(1, 2))).hasMessageContaining("key must be a string");
    assertThatThrownBy(() -> Json.write(this)).hasMessageContaining("JsonTest");
  }

  /** Some damage makes another valid text; what matters is that nothing else is thrown. */
  @Test
  void shouldRefuseATextThatIsDamagedAtAnyPosition() {
    String text = "{\"ab\":\"c\\n\\u00e9\",\"d\":[-1,20],\"e\":-345}";
    assertThat(Json.read(text)).hasSize(3);
    for (int at = 0; at < text.length(); at++) {
      for (char wrong : "{}[]:,\"\\- x0\n\u0000".toCharArray()) {
        try {
          assertThat(Json.read(text.substring(0, at) + wrong + text.substring(at + 1))).isNotNull();
        } catch (IllegalArgumentException e) {
          assertThat(e).hasMessageContaining("at position");
        }
      }
    }
  }

  @Test
  void shouldTellATextThatEndsEarlyFromOneThatIsWrong() {
    String text = "{\"a\":[true,null,-1.5e3,\"\\u00e9\\n\"],\"b\":{}}";
    for (int length = 0; length < text.length(); length++) {
      String cut = text.substring(0, length);
      assertThatThrownBy(() -> Json.read(cut))
          .as(cut)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("the text ends early at position %d: expected ", length);
    }
    for (String wrong : new String[] {"[tru]", "[-]", "[nul", "nope", "[1.x", "[\"a\" 1"}) {
      String found = wrong.equals("[nul") ? "ends early at position 4" : "found '";
      assertThatThrownBy(() -> Json.readValue(wrong)).as(wrong).hasMessageContaining(found);
    }
  }
}
