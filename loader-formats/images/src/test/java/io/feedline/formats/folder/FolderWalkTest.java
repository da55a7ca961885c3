package io.feedline.formats.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.samples.ClassDirectories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderWalkTest {

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
