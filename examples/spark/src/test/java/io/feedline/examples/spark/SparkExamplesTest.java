package io.feedline.examples.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each program does what it says, in a Spark of two cores, on the images that it makes. */
@Tag("once")
class SparkExamplesTest {

  @TempDir private Path directory;

  @Test
  void shouldPredictTheClassOfEachImageOfADataFrame() throws Exception {
    String printed = printed(() -> PredictOnSpark.main(new String[] {directory.toString()}));

    Matcher right = Pattern.compile("(\\d+) of 180 predictions are right").matcher(printed);
    assertThat(right.find()).as(printed).isTrue();
    assertThat(Integer.parseInt(right.group(1))).isGreaterThan(150);
    try (SparkSession spark = LocalSpark.session("predictions")) {
      Dataset<Row> written =
          spark.read().parquet(directory.resolve("predictions").toUri().toString());
      assertThat(written.columns()).containsExactly("key", "class", "probability");
      assertThat(written.select("key").distinct().count()).isEqualTo(180);
      assertThat(written.filter("probability < 1.0 / 3 or probability > 1.001").count()).isZero();
    }
  }

  @Test
  void shouldPackAFolderWithAllExecutors() throws Exception {
    Path images = ColorImages.writeTo(directory.resolve("images"), 8);
    Path store = directory.resolve("store");

    String printed =
        printed(
            () ->
                PackOnSpark.main(
                    new String[] {
                      images.toUri().toString(),
                      store.toUri().toString(),
                      "to=mds",
                      "partitions=3",
                      "resize=30"
                    }));

    assertThat(printed).contains(": 24 images in ", " of processor time, JVMs: 1");
    try (ImageDataset packed = ImageDataset.open(store)) {
      assertThat(packed.size()).isEqualTo(24);
      assertThat(packed.classes()).isEqualTo(ColorImages.CLASSES);
      for (LabeledImage sample : List.of(packed.get(0), packed.get(23))) {
        assertThat(Math.min(sample.image().width(), sample.image().height())).isEqualTo(30);
      }
    }
  }

  @Test
  void shouldCountTheImagesOfEachClassAndFindBrokenOnes() throws Exception {
    Path images = ColorImages.writeTo(directory.resolve("images"), 8);
    String first = ColorImages.CLASSES.get(0);
    Files.write(images.resolve(first).resolve("broken.png"), new byte[] {1, 2, 3});

    String printed = printed(() -> InspectOnSpark.main(new String[] {images.toUri().toString()}));

    assertThat(printed.replace(" ", ""))
        .contains("|" + first + "|9|", "|" + ColorImages.CLASSES.get(1) + "|8|")
        .contains("|" + first + "/broken|");
  }

  @Test
  void shouldTrainOneNetworkInTheTasksOfABarrierStage() throws Exception {
    String printed = printed(() -> TrainOnBarrier.main(new String[] {directory.toString()}));

    assertThat(printed.lines())
        .hasSize(3)
        .anyMatch(line -> line.startsWith("task 0: 24 steps on 53 images, loss "))
        .anyMatch(line -> line.startsWith("task 1: 24 steps on 53 images, loss "))
        .contains("all tasks have the same network");
  }

  private interface Program {
    void run() throws Exception;
  }

  private static String printed(Program program) throws Exception {
    PrintStream out = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream captured = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      System.setOut(captured);
      program.run();
    } finally {
      System.setOut(out);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
