package io.feedline.examples.training;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.examples.Printed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs of the tutorials learn, and print what the pages show. */
@Tag("once")
class TutorialsTest {

  private static final Pattern SENTENCES =
      Pattern.compile(
          "epoch (\\d): loss \\d\\.\\d{3}, accuracy \\d\\.\\d{2}, validation accuracy (\\d\\.\\d{2})");
  private static final Pattern WORDS = Pattern.compile("epoch (\\d): loss (\\d\\.\\d{3})");
  private static final Pattern FORECASTS =
      Pattern.compile("epoch (\\d): validation error \\d+\\.\\d{2}");
  private static final Pattern TEST_ERRORS =
      Pattern.compile("test error: network (\\S+), the last value (\\S+), the day before (\\S+)");
  private static final Pattern IMAGES =
      Pattern.compile(
          "epoch (\\d): loss \\d\\.\\d{5}, PSNR (\\d+\\.\\d{2}) dB \\(bicubic (\\d+\\.\\d{2}) dB\\)");

  /** Returns the lines of a program's output that a page shows, without indentation. */
  private static List<String> shown(String tutorial) throws IOException {
    List<String> lines =
        Files.readString(Path.of("tutorials", tutorial)).lines().map(String::strip).toList();
    int run = lines.indexOf("## Run it");
    return lines.subList(run, lines.size());
  }

  private static List<Matcher> epochs(List<String> lines, Pattern pattern) {
    return lines.stream().map(pattern::matcher).filter(Matcher::matches).toList();
  }

  private static double number(List<Matcher> epochs, int epoch, int group) {
    return Double.parseDouble(epochs.get(epoch).group(group));
  }

  private static void requireLearning(
      Printed.Program program, Path temp, String page, Pattern pattern, double most, double least)
      throws Exception {
    List<String> printed = Printed.by(program, temp.toString());
    List<String> shown = shown(page);
    assertThat(shown).containsSubsequence(printed.subList(0, 2));
    List<Matcher> epochs = epochs(printed, pattern);
    assertThat(epochs).hasSameSizeAs(epochs(shown, pattern)).hasSize(printed.size() - 2);
    assertThat(number(epochs, epochs.size() - 1, 2)).isBetween(least, most);
  }

  /** The validation accuracy, where guessing gives 0.33, and for videos 0.25. */
  @Test
  void shouldClassifySentencesSoundsAndVideosAndLearnTheNextWord(@TempDir Path temp)
      throws Exception {
    requireLearning(ClassifySentences::main, temp, "text.md", SENTENCES, 1, 0.86);
    requireLearning(ClassifySounds::main, temp, "sound.md", SENTENCES, 1, 0.66);
    requireLearning(ClassifyVideos::main, temp, "video.md", SENTENCES, 1, 0.61);
    // The loss, where guessing gives 2.64.
    requireLearning(PackText::main, temp, "text.md", WORDS, 0.59, 0);
  }

  @Test
  void shouldForecastBetterThanTheDayBefore(@TempDir Path temp) throws Exception {
    List<String> printed = Printed.by(ForecastLoad::main, temp.toString());
    List<String> shown = shown("time-series.md");

    assertThat(shown).contains(printed.get(0));
    assertThat(epochs(printed, FORECASTS))
        .hasSameSizeAs(epochs(shown, FORECASTS))
        .hasSize(printed.size() - 2);
    Matcher errors = TEST_ERRORS.matcher(printed.get(printed.size() - 1));
    assertThat(errors.matches()).isTrue();
    assertThat(epochs(shown, TEST_ERRORS)).hasSize(1);
    double network = Double.parseDouble(errors.group(1));
    assertThat(network)
        .isLessThan(0.7 * Double.parseDouble(errors.group(3)))
        .isLessThan(Double.parseDouble(errors.group(2)));
  }

  @Test
  void shouldSharpenImagesBetterThanABicubicFilter(@TempDir Path temp) throws Exception {
    List<String> printed = Printed.by(SharpenImages::main, temp.toString());
    List<String> shown = shown("super-resolution.md");

    assertThat(shown).contains(printed.get(0));
    List<Matcher> epochs = epochs(printed, IMAGES);
    assertThat(epochs).hasSameSizeAs(epochs(shown, IMAGES)).hasSize(printed.size() - 1);
    assertThat(epochs)
        .extracting(epoch -> epoch.group(3))
        .containsOnly(epochs(shown, IMAGES).get(0).group(3));
    assertThat(number(epochs, epochs.size() - 1, 2))
        .as("PSNR of whole images, in dB")
        .isGreaterThan(number(epochs, 0, 3));
  }

  @Test
  void shouldShowWhatTheProgramsOfScenesAndTheStarterPrint() throws IOException {
    List<String> shown = shown("segmentation.md");

    assertThat(shown).filteredOn(line -> line.matches(SceneTrainingTest.MEAN_IOU)).hasSize(3);
    assertThat(shown).filteredOn(line -> line.matches(SceneTrainingTest.AP50)).hasSize(3);
    assertThat(shown("image-classification.md"))
        .contains(
            "Making 300 images in " + Path.of("target", "images"),
            "240 images to train with, 60 to validate with, of the classes"
                + " [dots, horizontal, vertical]",
            "Training on cpu()");
  }
}
