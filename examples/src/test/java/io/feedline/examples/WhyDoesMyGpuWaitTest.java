package io.feedline.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.cli.Feedline;
import io.feedline.internal.Json;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of the page run, on few small images and for a moment each. Their gains are those of
 * the machine; the names of the changes, and what {@code plan} computes, are on the page.
 */
@Tag("once")
class WhyDoesMyGpuWaitTest {

  private static final Pattern COMMAND =
      Pattern.compile(
          "^    feedline ((?:.*\\\\\n)*.*)\n\n((?:    (?!feedline ).*\n|\n)*)", Pattern.MULTILINE);

  @TempDir private static Path directory;
  private static List<MatchResult> shown;

  @BeforeAll
  static void makeImages() throws IOException {
    Path images = Files.createDirectories(directory.resolve("images/one"));
    for (int i = 0; i < 12; i++) {
      BufferedImage image = new BufferedImage(24, 24, BufferedImage.TYPE_INT_RGB);
      image.setRGB(i, i, 0xFFFFFF);
      ImageIO.write(image, "jpg", images.resolve(i + ".jpg").toFile());
    }
    String page = Files.readString(Path.of("tutorials", "why-does-my-gpu-wait.md"));
    shown = COMMAND.matcher(page).results().toList();
  }

  private static String printed(List<String> words) {
    StringWriter out = new StringWriter();
    StringWriter errors = new StringWriter();
    int code =
        Feedline.run(
            new PrintWriter(out, true),
            new PrintWriter(errors, true),
            words.toArray(String[]::new));
    assertThat(code).as(words + ": " + errors).isZero();
    return out.toString();
  }

  /** The words of a command, with paths in the directory. */
  private static List<String> words(MatchResult command) {
    List<String> words = new ArrayList<>();
    for (String word : command.group(1).replace("\\\n", " ").trim().split(" +", -1)) {
      words.add(
          word.matches("(path=)?(images|photos|packed)")
              ? word.replace("photos", "images").replaceAll("images|packed", directory + "/$0")
              : word);
    }
    return words;
  }

  @Test
  void shouldShowFiveExperiments() {
    assertThat(shown)
        .extracting(command -> words(command).get(0))
        .containsExactly("doctor", "doctor", "convert", "doctor", "doctor", "plan");
  }

  @Test
  void shouldTryWhatThePageTries() {
    for (MatchResult command : shown) {
      List<String> words = words(command);
      if (words.get(0).equals("convert")) {
        printed(words);
      }
      if (!words.get(0).equals("doctor")) {
        continue;
      }
      words.addAll(List.of("--seconds", "0.1", "--json", "--no-progress"));
      Map<String, Object> found = Json.read(printed(words));
      List<?> tried = (List<?>) found.get("tried");
      for (int i = 0; i < words.size(); i++) {
        if (words.get(i).equals("--try")) {
          String change = words.get(i + 1);
          assertThat(tried).anyMatch(each -> ((Map<?, ?>) each).get("change").equals(change));
          assertThat(command.group(2)).contains(change.replace(directory + "/", ""));
        }
      }
      assertThat(command.group(2)).contains("Bottleneck: ");
    }
  }

  @Test
  void shouldShowWhatPlanPrints() {
    MatchResult plan = shown.get(shown.size() - 1);
    String expected = plan.group(2).stripTrailing().replaceAll("(?m)^    ", "");

    assertThat(printed(words(plan)).stripTrailing()).startsWith(expected);
  }
}
