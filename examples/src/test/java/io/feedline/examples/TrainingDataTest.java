package io.feedline.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.ImageBackend;
import io.feedline.sampler.Order;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingDataTest {
  @TempDir Path temp;

  private void images(String directory, int count) throws IOException {
    Path into = Files.createDirectories(temp.resolve(directory));
    for (int i = 0; i < count; i++) {
      Files.writeString(into.resolve("%03d.jpg".formatted(i)), "listed, never read");
    }
  }

  private TrainingData open() throws IOException {
    return TrainingData.open(temp, 32, ImageBackend.AUTO, 1);
  }

  @Test
  void shouldHoldOutEveryTenthImageOfAClass() throws Exception {
    images("cat", 25);
    images("dog", 1);
    images("emu", 2);

    TrainingData data = open();

    assertThat(data.classes()).containsExactly("cat", "dog", "emu");
    Order val = data.valOrder().order(0);
    assertThat(LongStream.range(0, val.size()).map(val::indexAt))
        .containsExactly(0L, 10L, 20L, 26L);
    TreeSet<Long> all = new TreeSet<>();
    Order train = data.trainOrder().order(0);
    LongStream.range(0, train.size()).map(train::indexAt).forEach(all::add);
    assertThat(all).hasSize(24).doesNotContain(0L, 10L, 20L, 26L);
    assertThat(data.trainSize()).isEqualTo(24);
    assertThat(data.valSize()).isEqualTo(4);
    assertThat(data)
        .hasToString(
            "24 images to train, 4 to validate, 3 classes ("
                + temp
                + ", every 10th image of a class for validation)");
  }

  @Test
  void shouldTakeTrainAndValAsTheyAre() throws Exception {
    images("train/cat", 3);
    images("train/dog", 2);
    images("val/cat", 1);
    images("val/dog", 1);

    TrainingData data = open();

    assertThat(data.trainSize()).isEqualTo(5);
    assertThat(data.valSize()).isEqualTo(2);
    assertThat(data.classes()).containsExactly("cat", "dog");
  }

  @Test
  void shouldRefuseOtherClassesToValidate() throws Exception {
    images("train/cat", 1);
    images("val/dog", 1);

    assertThatThrownBy(this::open)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("must have the same classes; found [cat] and [dog]");
  }

  @Test
  void shouldNameADirectoryThatIsNotThere() {
    Path absent = temp.resolve("absent");
    assertThatThrownBy(() -> TrainingData.open(absent, 32, ImageBackend.AUTO, 1))
        .hasMessage(absent + " is not a directory");
  }
}
