package io.feedline.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.examples.shared.GeneratedFolder;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The project that users copy, built as they build it: outside of this one, by a Maven that knows
 * Feedline only from a local repository.
 *
 * <p>That repository lies in {@code target}. Everything else comes from the local repository of the
 * build that runs the test, which is the only remote one that Maven may ask: so nothing is
 * downloaded, and nothing of Feedline gets into the user's own repository.
 */
@EnabledIfSystemProperty(
    named = "feedline.starter.repository",
    matches = ".+",
    disabledReason = "`mvn verify` installs the libraries first, and says where")
@Tag("once")
class StarterTest {

  private static final Pattern EPOCH =
      Pattern.compile(
          "epoch (\\d): loss \\d\\.\\d{3}, accuracy \\d\\.\\d{2}, "
              + "validation accuracy (\\d\\.\\d{2}), \\d+\\.\\d s");

  /** The end of some start scripts' output, whatever the options of Maven. */
  private static final Pattern COLOR = Pattern.compile("\u001b\\[[;\\d]*m");

  @TempDir private static Path temp;

  private static Path project;

  @BeforeAll
  static void compileACopy() throws Exception {
    project = temp.resolve("my project");
    try (Stream<Path> files = Files.walk(Path.of("starter"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = project.resolve(Path.of("starter").relativize(file));
        if (!copy.startsWith(project.resolve("target"))) {
          Files.createDirectories(copy.getParent());
          Files.copy(file, copy);
        }
      }
    }
    Files.writeString(
        temp.resolve("settings.xml"),
        """
        <settings>
          <mirrors>
            <mirror>
              <id>build</id>
              <mirrorOf>*</mirrorOf>
              <url>%s</url>
            </mirror>
          </mirrors>
        </settings>
        """
            .formatted(Path.of(System.getProperty("feedline.build.repository")).toUri()));
    assertThat(maven("compile")).filteredOn(line -> line.startsWith("[")).as("warnings").isEmpty();
  }

  @Test
  void shouldTrainOnImagesOfItsOwn() throws Exception {
    List<String> printed = maven("exec:exec");

    assertThat(printed)
        .containsSubsequence(
            "Making 300 images in " + Path.of("target", "images"),
            "240 images to train with, 60 to validate with, of the classes"
                + " [dots, horizontal, vertical]",
            "Training on cpu()",
            "Saved the model and its pipeline in " + Path.of("target", "model"));
    assertThat(project.resolve("target").resolve("model").resolve("pipeline.json"))
        .content()
        .contains("[\"dots\",\"horizontal\",\"vertical\"]", "\"Normalize\"");
    List<Matcher> epochs = epochs(printed);
    assertThat(epochs).extracting(epoch -> epoch.group(1)).containsExactly("1", "2", "3", "4", "5");
    assertThat(Double.parseDouble(epochs.get(4).group(2)))
        .as("validation accuracy, where guessing gives 0.33")
        .isGreaterThan(0.8);
  }

  @Test
  void shouldTellWhichModuleADatabaseNeedsAndTrainWithIt() throws Exception {
    Path folder = new GeneratedFolder(temp.resolve("packed"), 4, 1, 0).make().resolve("train");
    Path database = temp.resolve("images.lmdb");
    try (ImageDataset images = ImageDataset.open(folder);
        StoreWriter<EncodedImage> writer =
            StoreFormat.named("lmdb")
                .create(database, Packing.of(images.classes(), images.size()))) {
      for (long index = 0; index < images.size(); index++) {
        writer.write(images.encoded(index));
      }
      writer.commit();
    }

    assertThat(String.join("\n", ran(1, "exec:exec", "-Dargs=" + database)))
        .contains(database + ": this is an LMDB database: add io.feedline:loader-lmdb");

    Path pom = project.resolve("pom.xml");
    String before = Files.readString(pom);
    Files.writeString(pom, before.replace("loader-opencv", "loader-lmdb"));
    try {
      assertThat(epochs(maven("exec:exec", "-Dargs=" + database))).hasSize(5);
    } finally {
      Files.writeString(pom, before);
    }
  }

  private static List<Matcher> epochs(List<String> printed) {
    return printed.stream().map(EPOCH::matcher).filter(Matcher::matches).toList();
  }

  /** Runs Maven in the project, and gives the lines that were printed and are not blank. */
  private static List<String> maven(String... arguments) throws IOException, InterruptedException {
    return ran(0, arguments);
  }

  /** The same where Maven exits so. */
  private static List<String> ran(int exit, String... arguments)
      throws IOException, InterruptedException {
    boolean windows = System.getProperty("os.name").startsWith("Windows");
    List<String> command = new ArrayList<>();
    command.add(
        Path.of(System.getProperty("maven.home"), "bin", windows ? "mvn.cmd" : "mvn").toString());
    command.addAll(List.of("-q", "-B", "-Dstyle.color=never"));
    command.addAll(List.of("-s", temp.resolve("settings.xml").toString()));
    command.add("-Dmaven.repo.local=" + System.getProperty("feedline.starter.repository"));
    command.addAll(List.of(arguments));

    Path output = Files.createTempFile(temp, "maven", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(project.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().remove("MAVEN_ARGS");
    builder.environment().put("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    Process process = builder.start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("ended by itself").isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as(Files.readString(output)).isEqualTo(exit);
    return Files.readAllLines(output).stream()
        .map(line -> COLOR.matcher(line).replaceAll(""))
        .filter(line -> !line.isBlank())
        .toList();
  }
}
