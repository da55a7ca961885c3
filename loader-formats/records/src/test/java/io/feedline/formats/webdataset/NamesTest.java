package io.feedline.formats.webdataset;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.Strength;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The names of shards, with braces, and those of the files in them. */
class NamesTest {

  /** The expression of webdataset/tariterators.py, and its two tests for names of its own. */
  private static Names.KeyAndSuffix byExpression(String name) {
    Matcher matcher = Pattern.compile("^((?:.*/|)[^.]+)[.]([^/]*)$").matcher(name);
    boolean meta =
        (name.startsWith("__") && name.endsWith("__") && name.indexOf('/') < 0)
            || Pattern.compile("__[^/]*__($|/)").matcher(name).lookingAt();
    return meta || !matcher.find()
        ? null
        : new Names.KeyAndSuffix(matcher.group(1), matcher.group(2).toLowerCase(Locale.ROOT));
  }

  @Test
  void shouldSplitAnyNameAsWebdatasetDoes() {
    Random random = new Random(1);
    String letters = "aB./__";
    for (int i = 0; i < Strength.of(200_000); i++) {
      StringBuilder name = new StringBuilder();
      for (int length = random.nextInt(9); length > 0; length--) {
        name.append(letters.charAt(random.nextInt(letters.length())));
      }
      assertThat(Names.split(name.toString()))
          .as("%s", name)
          .isEqualTo(byExpression(name.toString()));
    }
  }

  @Test
  void shouldTakeTimeInProportionToAHostileName() {
    assertThat(Names.split("/".repeat(1 << 20) + ".")).isNotNull();
    assertThat(Names.split("./".repeat(1 << 19))).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.tar | a.tar",
        "a-{000..003}.tar | a-000.tar a-001.tar a-002.tar a-003.tar",
        "{8..11} | 8 9 10 11",
        "{08..11} | 08 09 10 11",
        "{3..1} | 3 2 1",
        "{0..10..5} | 0 5 10",
        "{-1..1} | -1 0 1",
        "{train,val}-{0..1} | train-0 train-1 val-0 val-1",
        "a{b,c{1..2},}d | abd ac1d ac2d ad",
        "{one} | {one}",
        "{{0..1}} | {0} {1}",
        "x{}y | x{}y",
      })
  void shouldStandForWhatAShellExpandsItTo(String pattern, String names) {
    assertThat(Braces.expand(pattern)).isEqualTo(List.of(names.split(" ", -1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "}", "a{b", "a}b", "{a,{b}", "a}{b}"})
  void shouldRefuseBracesThatDoNotMatch(String pattern) {
    refused(IllegalArgumentException.class, () -> Braces.expand(pattern), "do not match");
  }

  @Test
  void shouldRefuseMoreNamesThanAnybodyCouldMean() {
    assertThat(Braces.expand("{000000..999999}")).hasSize(1_000_000).contains("000146");
    for (String pattern : new String[] {"{0..1000000}", "{0..9999}{0..9999}"}) {
      assertThatThrownBy(() -> Braces.expand(pattern)).hasMessageContaining("1000000 names");
    }
  }

  @Test
  void shouldCountWithTheDigitsOfFilesWhateverTheDefaultLocaleHas() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      assertThat(Braces.expand("{08..10}")).containsExactly("08", "09", "10");
    } finally {
      Locale.setDefault(before);
    }
  }
}
