package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.dataset.ImageDataset;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class GeneratedFolderTest {

  @Test
  void shouldHoldImagesOfTwoClasses() throws IOException {
    try (GeneratedFolder folder = GeneratedFolder.create(5, 40, 30)) {
      ImageDataset images = ImageFolder.of(folder.root());
      assertThat(images.classes()).containsExactly("even", "odd");
      assertThat(images.labels()).containsExactly(0, 0, 0, 1, 1);
      Image first = images.get(0).image();
      assertThat(first.width()).isEqualTo(40);
      assertThat(first.height()).isEqualTo(30);
      assertThat(first.pixels().rgb()).hasSize(3 * 40 * 30);
    }
  }

  @Test
  void shouldMakeTheSameImagesAgain() {
    assertThat(GeneratedFolder.rgb(3, 16, 9)).isEqualTo(GeneratedFolder.rgb(3, 16, 9));
    assertThat(GeneratedFolder.rgb(3, 16, 9)).isNotEqualTo(GeneratedFolder.rgb(4, 16, 9));
  }

  @Test
  void shouldLeaveNothingBehind() throws IOException {
    GeneratedFolder folder = GeneratedFolder.create(2, 8, 8);
    Path root = folder.root();
    assertThat(root).isDirectory();
    folder.close();
    folder.close();
    assertThat(root).doesNotExist();
  }
}
