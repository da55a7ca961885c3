package io.feedline.formats.webdataset;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.Strength;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

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
}
