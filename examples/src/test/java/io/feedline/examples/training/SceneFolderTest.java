package io.feedline.examples.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.BoundingBoxes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SceneFolderTest {

  private static final int TRAIN = 32;

  @TempDir static Path shared;
  private static Path directory;

  @BeforeAll
  static void make() throws IOException {
    directory = new GeneratedScenes(shared, TRAIN, 2, 0).make();
  }

  private static SceneFolder scenes() throws IOException {
    return SceneFolder.of(directory.resolve("train"), GeneratedScenes.CLASSES);
  }

  @Test
  void shouldHaveBoxesAroundTheObjectsOfTheMask() throws Exception {
    SceneFolder scenes = scenes();
    Set<Long> labels = new HashSet<>();
    int atTheEdge = 0;
    int withoutBoxes = 0;
    int most = 0;
    for (long index = 0; index < scenes.size(); index++) {
      Scene scene = scenes.get(index);
      int[] ids = scene.mask().ids();
      BoundingBoxes boxes = scene.boxes();
      boolean[] covered = new boolean[ids.length];
      int width = scene.image().width();
      assertThat(scene.labels().count()).isEqualTo(boxes.count());
      for (int i = 0; i < boxes.count(); i++) {
        long label = scene.labels().toArray()[i];
        labels.add(label);
        float[] box = boxes.box(i);
        int ofClass = 0;
        for (int pixel = 0; pixel < ids.length; pixel++) {
          int x = pixel % width;
          int y = pixel / width;
          if (x >= box[0] && x < box[2] && y >= box[1] && y < box[3]) {
            covered[pixel] = true;
            ofClass += ids[pixel] == label + 1 ? 1 : 0;
          }
        }
        float area = (box[2] - box[0]) * (box[3] - box[1]);
        assertThat(ofClass / area).as(scene.image() + " " + boxes).isBetween(0.15f, 1f);
        boolean touches =
            box[0] == 0 || box[1] == 0 || box[2] == width || box[3] == scene.image().height();
        atTheEdge += touches ? 1 : 0;
      }
      for (int pixel = 0; pixel < ids.length; pixel++) {
        assertThat(ids[pixel] == 0 || covered[pixel]).isTrue();
      }
      most = Math.max(most, boxes.count());
      withoutBoxes += boxes.count() == 0 ? 1 : 0;
    }
    assertThat(labels).containsExactlyInAnyOrder(0L, 1L, 2L);
    assertThat(atTheEdge).isPositive();
    assertThat(withoutBoxes).isEqualTo(2);
    assertThat(scenes.mostBoxes()).isEqualTo(most).isGreaterThan(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0000.jpg,1,2,3,4", "0000.jpg,1,2,x,4,disk", "0000.jpg,1,2,3,4,cat"})
  void shouldNameALineThatIsNoBox(String line, @TempDir Path temp) throws IOException {
    Files.createDirectories(temp.resolve("images"));
    Files.createFile(temp.resolve("images").resolve("0000.jpg"));
    Path boxes = temp.resolve("boxes.csv");
    Files.writeString(boxes, SceneFolder.COLUMNS + "\n0000.jpg,1,2,3,4,disk\n");
    assertThat(SceneFolder.of(temp, GeneratedScenes.CLASSES).mostBoxes()).isEqualTo(1);
    Files.writeString(boxes, line + "\n", StandardOpenOption.APPEND);

    assertThatThrownBy(() -> SceneFolder.of(temp, GeneratedScenes.CLASSES))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(boxes + ", line 3 must be " + SceneFolder.COLUMNS)
        .hasMessageContaining("was " + line);
  }

  @Test
  void shouldNameAFolderWithoutImagesAndAFileWithoutColumns(@TempDir Path temp) throws IOException {
    Files.createDirectories(temp.resolve("images"));
    assertThatThrownBy(() -> SceneFolder.of(temp, List.of()))
        .hasMessage(temp.resolve("images") + " has no images");

    Files.createFile(temp.resolve("images").resolve("0000.jpg"));
    Files.createFile(temp.resolve("boxes.csv"));
    assertThatThrownBy(() -> SceneFolder.of(temp, List.of()))
        .hasMessage(temp.resolve("boxes.csv") + " must begin with the line " + SceneFolder.COLUMNS);
  }
}
