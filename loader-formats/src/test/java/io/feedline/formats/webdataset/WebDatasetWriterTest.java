package io.feedline.formats.webdataset;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.feedline.formats.image.EncodedImage;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebDatasetWriterTest {

  @TempDir Path root;

  private static WebDatasetWriter.Builder builder(Path directory) {
    return WebDatasetWriter.builder(directory, "train-%06d.tar")
        .classes(List.of("cat", "dog"))
        .maxSamples(3);
  }

  private static List<EncodedImage> images() throws IOException {
    byte[] jpeg = Fixtures.image("jpeg_1x1.jpg");
    List<EncodedImage> images = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      images.add(
          new EncodedImage(
              (i == 2 ? "\u732b" : i == 3 ? "d/".repeat(70) : i == 4 ? "x".repeat(200) : "cat/")
                  + i,
              i == 5 ? Fixtures.image("png_grey.png") : jpeg,
              i == 6 ? EncodedImage.NO_LABEL : i % 2));
    }
    return images;
  }

  private static void writeRest(Path directory) throws IOException {
    try (WebDatasetWriter writer = builder(directory).open()) {
      List<EncodedImage> images = images();
      for (EncodedImage image : images.subList((int) writer.written(), images.size())) {
        writer.write(image);
      }
      assertThat(writer.written()).isEqualTo(images.size());
      writer.commit();
    }
  }

  private static Map<String, byte[]> files(Path directory) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (var paths = Files.list(directory)) {
      for (Path path : paths.toList()) {
        files.put(path.getFileName().toString(), Files.readAllBytes(path));
      }
    }
    return files;
  }

  @Test
  void shouldBeReadAsItWasWritten() throws Exception {
    writeRest(root);

    try (WebDatasetImages read = WebDatasetImages.of(root + "/train-{000000..000002}.tar")) {
      assertThat(read.shardSizes()).containsExactly(3, 3, 1);
      assertThat(read.classes()).containsExactly("cat", "dog");
      for (int i = 0; i < read.size(); i++) {
        assertThat(read.encoded(i)).usingRecursiveComparison().isEqualTo(images().get(i));
      }
    }
  }

  @Test
  void shouldBeReadByPythonsTarfile() throws Exception {
    writeRest(root);
    List<String> command = new ArrayList<>(List.of("python3", script("read_shards.py")));
    for (int shard = 0; shard < 3; shard++) {
      command.add(root.resolve("train-00000%d.tar".formatted(shard)).toString());
    }
    String listing = run(command);

    List<String> expected = new ArrayList<>();
    for (EncodedImage image : images()) {
      byte[] label = Integer.toString(image.label()).getBytes(UTF_8);
      boolean png = image.bytes()[0] == (byte) 0x89;
      String cls = line(image.key() + ".cls", label);
      String image = line(image.key() + (png ? ".png" : ".jpg"), image.bytes());
      expected.addAll(List.of(cls, image));
    }
    assertThat(listing.lines()).containsExactlyElementsOf(expected);
  }

  private static String line(String name, byte[] data) {
    return "%s\t0\t%d\t0\t0\t%d\t%s".formatted(name, 0444, data.length, Fixtures.crc(data));
  }

  private String script(String name) throws IOException {
    return Files.write(root.resolve(name), Fixtures.bytes(name)).toString();
  }

  /** Runs a program, or skips the test where there is no python3. */
  static String run(List<String> command) throws Exception {
    assumeThat(
            Arrays.stream(System.getenv("PATH").split(":", -1))
                .anyMatch(path -> Files.isExecutable(Path.of(path, "python3"))))
        .as("there is a python3 on the PATH")
        .isTrue();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  /** At each block of the first shard, between and within; less closely in the others. */
  @Test
  void shouldWriteTheSameFilesWhereverItWasInterrupted() throws Exception {
    Path whole = Files.createDirectory(root.resolve("whole"));
    writeRest(whole);
    Map<String, byte[]> expected = files(whole);
    Path cut = Files.createDirectory(root.resolve("cut"));
    for (int shard = 0; shard < 3; shard++) {
      byte[] last = expected.get("train-00000%d.tar".formatted(shard));
      for (int length = 0;
          length <= last.length;
          length += shard > 0 ? 1500 : length % 512 == 1 ? 511 : 1) {
        for (String left : files(cut).keySet()) {
          Files.delete(cut.resolve(left));
        }
        for (int before = 0; before < shard; before++) {
          String name = "train-00000%d.tar".formatted(before);
          Files.write(cut.resolve(name + ".partial"), expected.get(name));
        }
        Files.write(
            cut.resolve("train-00000%d.tar.partial".formatted(shard)), Arrays.copyOf(last, length));

        writeRest(cut);

        assertThat(files(cut))
            .as("shard %d, length %d", shard, length)
            .usingRecursiveComparison()
            .isEqualTo(expected);
      }
    }
  }

  @Test
  void shouldGoOnFromTheLastImageAfterAClose() throws Exception {
    Path whole = Files.createDirectory(root.resolve("whole"));
    writeRest(whole);
    Path steps = root.resolve("steps");
    for (int i = 0; i < images().size(); i++) {
      try (WebDatasetWriter writer = builder(steps).open()) {
        assertThat(writer.written()).isEqualTo(i);
        writer.write(images().get(i));
      }
      assertThat(steps.resolve("train-000000.tar")).doesNotExist();
    }
    writeRest(steps);

    assertThat(files(steps)).usingRecursiveComparison().isEqualTo(files(whole));
  }

  @Test
  void shouldGoOnWhereACommitWasInterrupted() throws Exception {
    writeRest(root);
    Map<String, byte[]> expected = files(root);
    Files.move(root.resolve("train-000000.tar"), root.resolve("train-000000.tar.partial"));
    Files.move(root.resolve("train-000001.tar"), root.resolve("train-000001.tar.partial"));

    writeRest(root);

    assertThat(files(root)).usingRecursiveComparison().isEqualTo(expected);
  }

  @Test
  void shouldRefuseToOverwriteWhatIsFinished() throws Exception {
    writeRest(root);

    assertThatThrownBy(() -> builder(root).open())
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContainingAll("train-000000.tar", "finished");
    assertThatThrownBy(
            () -> WebDatasetWriter.builder(root, "other-%d.tar").classes(List.of("one")).open())
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("classes.json");
  }

  @Test
  void shouldRefuseToGoOnBehindADamagedShard() throws Exception {
    try (WebDatasetWriter writer = builder(root).open()) {
      for (EncodedImage image : images().subList(0, 5)) {
        writer.write(image);
      }
    }
    Path first = root.resolve("train-000000.tar.partial");
    Files.write(first, Arrays.copyOf(Files.readAllBytes(first), 2000));

    assertThatThrownBy(() -> builder(root).open())
        .isInstanceOf(WebDatasetException.class)
        .hasMessageContainingAll("train-000000.tar.partial", "delete it");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.b", "", "a/../b", "/a", "__a__/b", "a\nb", "a\ud800"})
  void shouldRefuseAKeyThatWouldNotBeReadAgain(String key) throws Exception {
    try (WebDatasetWriter writer = builder(root).open()) {
      writer.write(images().get(0));
      assertThatThrownBy(
              () -> writer.write(new EncodedImage(key, Fixtures.image("jpeg_1x1.jpg"), 0)))
          .isInstanceOf(WebDatasetException.class)
          .hasMessageContainingAll("train-000000.tar", "sample 1");
      writer.write(images().get(1));
      writer.commit();
    }
    try (WebDataset dataset = WebDataset.of(root + "/train-000000.tar")) {
      assertThat(dataset.size()).isEqualTo(2);
    }
  }

  @Test
  void shouldRefuseWhatWouldMeltWithTheSampleBeforeOrIsNoImage() throws Exception {
    try (WebDatasetWriter writer = builder(root).open()) {
      writer.write("a", Map.of("txt", new byte[1]));
      assertThatThrownBy(() -> writer.write("a", Map.of("json", new byte[1])))
          .hasMessageContaining("same key");
      assertThatThrownBy(() -> writer.write("b", Map.of())).hasMessageContaining("at least one");
      assertThatThrownBy(() -> writer.write("b", Map.of("TXT", new byte[1])))
          .hasMessageContaining("'TXT'");
      assertThatThrownBy(() -> writer.write(new EncodedImage("c", new byte[9], 0)))
          .hasMessageContainingAll("'c'", "9 bytes", "no known kind");
    }
  }

  @Test
  void shouldChangeKeysAsItIsTold() throws Exception {
    try (WebDatasetWriter writer = builder(root).keys(key -> key.replace('.', '_')).open()) {
      writer.write(new EncodedImage("v1.0/a.b", Fixtures.image("jpeg_1x1.jpg"), 0));
      writer.commit();
    }
    try (WebDataset dataset = WebDataset.of(root + "/train-000000.tar")) {
      assertThat(dataset.get(0).key()).isEqualTo("v1_0/a_b");
    }
  }

  @Test
  void shouldLimitTheBytesOfAShard() throws Exception {
    try (WebDatasetWriter writer =
        WebDatasetWriter.builder(root, "b-%d.tar").maxBytes(4096).open()) {
      for (int i = 0; i < 7; i++) {
        writer.write("k" + i, Map.of("bin", new byte[i == 3 ? 9000 : 500]));
      }
      writer.commit();
    }
    try (WebDataset dataset = WebDataset.of(root + "/b-{0..2}.tar")) {
      assertThat(dataset.shardSizes()).containsExactly(3, 1, 3);
    }
    assertThat(Files.size(root.resolve("b-0.tar"))).isEqualTo(4096);
  }

  @Test
  void shouldWriteOneEmptyShardForNothing() throws Exception {
    try (WebDatasetWriter writer = WebDatasetWriter.builder(root, "b-%d.tar").open()) {
      writer.commit();
      assertThatThrownBy(writer::commit).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> writer.write("a", Map.of("b", new byte[1])))
          .isInstanceOf(IllegalStateException.class);
    }
    try (WebDataset dataset = WebDataset.of(root + "/b-0.tar")) {
      assertThat(dataset.size()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"train.tar", "a/%d.tar", "%q"})
  void shouldRefuseAPatternThatNamesNoShards(String pattern) {
    assertThatThrownBy(() -> WebDatasetWriter.builder(root, pattern))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(pattern);
  }

  /** /dev/full takes no byte: what a full disk answers, without filling one. */
  @Test
  void shouldSayThatTheDiskIsFullAndStopThere() throws Exception {
    assumeThat(Path.of("/dev/full")).as("the system has /dev/full").exists();
    Files.createSymbolicLink(root.resolve("f-0.tar.partial"), Path.of("/dev/full"));
    WebDatasetWriter writer = null;
    try {
      writer = WebDatasetWriter.builder(root, "f-%d.tar").open();
    } catch (IOException expected) {
      assertThat(expected).hasMessageContaining("f-0.tar");
    }
    assumeThat(writer).as("/dev/full can be truncated").isNotNull();
    try (WebDatasetWriter full = writer) {
      assertThatThrownBy(() -> full.write("a", Map.of("b", new byte[1])))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("f-0.tar.partial", "sample 0 'a'");
      assertThatThrownBy(full::commit).isInstanceOf(IllegalStateException.class);
    }
    assertThat(root.resolve("f-0.tar")).doesNotExist();
  }
}
