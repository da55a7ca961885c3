package io.feedline.formats.folder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

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
}
