package io.feedline.formats.folder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.samples.ClassDirectories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileListTest {

  @Test
  void shouldFindPathAndLabelOfEachFile() {
    FileList.Builder builder = new FileList.Builder();
    builder.directory("cat", 0);
    file(builder, "1.jpg");
    file(builder, "2.jpg");
    builder.directory("cat/more", 0);
    file(builder, "\u00E9.jpg");
    builder.directory("dog", 7);
    file(builder, "\uD83D\uDE00.jpg");
    FileList files = builder.build();

    assertThat(files.size()).isEqualTo(4);
    assertThat(paths(files))
        .containsExactly("cat/1.jpg", "cat/2.jpg", "cat/more/\u00E9.jpg", "dog/\uD83D\uDE00.jpg");
    assertThat(labels(files)).containsExactly(0, 0, 0, 7);
  }

  @Test
  void shouldPassOverDirectoriesWithoutFiles() {
    FileList.Builder builder = new FileList.Builder();
    builder.directory("none", 0);
    builder.directory("also none", 1);
    assertThat(builder.build().size()).isZero();
    builder.directory("some", 2);
    file(builder, "x");
    builder.directory("none again", 3);
    FileList files = builder.build();

    assertThat(paths(files)).containsExactly("some/x");
    assertThat(labels(files)).containsExactly(2);
  }

  @Test
  void shouldTakeFilesOfAlternatingDirectoriesAndLabels() {
    FileList.Builder builder = new FileList.Builder();
    String[] paths = {
      "b.jpg", "a/b/c.jpg", "a/b/c.jpg", "a/b/c.jpg", "d.jpg", "/e.jpg", "/f/g.jpg"
    };
    int[] labels = {3, 3, 3, -1, 0, 0, 1};
    for (int i = 0; i < paths.length; i++) {
      builder.file(paths[i], labels[i]);
    }
    FileList files = builder.build();

    assertThat(paths(files)).isEqualTo(paths);
    assertThat(labels(files)).isEqualTo(labels);
  }

  @Test
  void shouldTakeFourBytesAndTheNameForEachOfAMillionFiles() {
    FileList.Builder builder = new FileList.Builder();
    for (int directory = 0; directory < 1000; directory++) {
      // Names as long as ImageNet's.
      String name = "n" + (10_000_000 + directory);
      builder.directory(name, directory);
      for (int i = 0; i < 1000; i++) {
        file(builder, name + "_" + (10_000 + i) + ".JPEG");
      }
    }
    FileList files = builder.build();

    assertThat(files.size()).isEqualTo(1_000_000);
    assertThat(files.retainedBytes()).isLessThan(1_000_000L * (20 + 4) + 100_000);
    assertThat(files.path(987_654)).isEqualTo("n10000987/n10000987_10654.JPEG");
    assertThat(files.label(987_654)).isEqualTo(987);
  }

  private static void file(FileList.Builder builder, String name) {
    builder.file(name.getBytes(UTF_8));
  }

  private static int[] labels(FileList files) {
    return IntStream.range(0, files.size()).map(files::label).toArray();
  }

  private static String[] paths(FileList files) {
    String[] paths = new String[files.size()];
    for (int i = 0; i < paths.length; i++) {
      paths[i] = files.path(i);
    }
    return paths;
  }

  // ---- by a walk ----

  @TempDir private Path root;

  private void make(String name) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.createFile(file);
  }

  private String passedOver() throws IOException {
    FolderWalk walk =
        new FolderWalk(
            path -> ClassDirectories.isImage(path.getFileName().toString()), below -> true);
    walk.addFiles(root, "cat", 0, new FileList.Builder());
    return walk.passedOver();
  }

  @Test
  void shouldCountTheFilesOfOtherTypes() throws IOException {
    make("cat/1.jpg");
    make("cat/.DS_Store");
    assertThat(passedOver()).isEmpty();
    make("cat/2.GIF");
    assertThat(passedOver()).isEqualTo("1 file passed over: .gif");
    make("cat/deep/3.gif");
    make("cat/README");
    assertThat(passedOver()).isEqualTo("3 files passed over: 2 .gif, 1 no extension");
  }

  @Test
  void shouldRefuseDirectoriesOfSplits() throws IOException {
    make("train/cat/1.jpg");
    make("val/cat/1.jpg");
    assertThatThrownBy(() -> ImageFolder.of(root))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("[train, val]", root.resolve("train").toString(), "classToIndex");
  }
}
