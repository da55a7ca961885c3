package io.feedline.examples.shared;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeneratedFolderTest {
  @TempDir Path temp;

  @Test
  void shouldLayOutImagesOfPhotographsSizes() throws Exception {
    Path made = new GeneratedFolder(temp, 2, 1, 7).make();

    ImageDataset train = ImageFolder.of(made.resolve("train"));
    assertThat(train.size()).isEqualTo(20);
    assertThat(train.classes()).hasSize(10).startsWith("texture-0", "texture-1");
    assertThat(ImageFolder.of(made.resolve("val")).size()).isEqualTo(10);
    for (long i = 0; i < train.size(); i++) {
      LabeledImage sample = train.get(i);
      assertThat(sample.image().width()).isBetween(300, 600);
      assertThat(sample.image().height()).isBetween(300, 600);
    }
    try (Stream<Path> files = Files.list(temp)) {
      assertThat(files).as("nothing unfinished is left").containsExactly(made);
    }
  }

  @Test
  void shouldDependOnTheSeedAlone() throws Exception {
    Path image = Path.of("train", "texture-3", "0000.jpg");
    byte[] one = Files.readAllBytes(new GeneratedFolder(temp, 1, 1, 7).make().resolve(image));
    byte[] same =
        Files.readAllBytes(
            new GeneratedFolder(temp.resolve("again"), 1, 1, 7).make().resolve(image));
    byte[] other = Files.readAllBytes(new GeneratedFolder(temp, 1, 1, 8).make().resolve(image));

    assertThat(same).isEqualTo(one);
    assertThat(other).isNotEqualTo(one);
  }
}
