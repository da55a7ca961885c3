package io.feedline.formats.webdataset;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.Python;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebDatasetImageWriterTest {

  private static final List<String> CLASSES = List.of("cat", "dog");

  @TempDir Path root;

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

  private static StoreWriter<EncodedImage> open(Path directory) throws IOException {
    return new WebDatasetFormat().create(directory, Packing.of(CLASSES, 7).withShards(3));
  }

  private static Path writeRest(Path directory) throws IOException {
    try (StoreWriter<EncodedImage> writer = open(directory)) {
      List<EncodedImage> images = images();
      for (EncodedImage image : images.subList((int) writer.written(), images.size())) {
        writer.write(image);
      }
      assertThat(writer.written()).isEqualTo(images.size());
      writer.commit();
    }
    return directory;
  }

  @Test
  void shouldBeReadAsItWasWritten() throws Exception {
    Path data = writeRest(root.resolve("data"));

    try (ImageDataset read = ImageDataset.open(data)) {
      assertThat(read.store().shardSizes()).containsExactly(3, 3, 1);
      assertThat(read.classes()).containsExactly("cat", "dog");
      for (int i = 0; i < read.size(); i++) {
        assertThat(read.encoded(i)).usingRecursiveComparison().isEqualTo(images().get(i));
      }
    }
  }

  @Test
  void shouldBeReadByPythonsTarfile() throws Exception {
    Path data = writeRest(root.resolve("data"));
    Object[] shards = new Object[3];
    Arrays.setAll(shards, shard -> data.resolve("data-00000%d.tar".formatted(shard)));
    List<String> listing = Python.runPlain(getClass(), "read_shards.py", shards);

    List<String> expected = new ArrayList<>();
    for (EncodedImage image : images()) {
      byte[] label = Integer.toString(image.label()).getBytes(UTF_8);
      boolean png = image.bytes()[0] == (byte) 0x89;
      String cls = line(image.key() + ".cls", label);
      String data0 = line(image.key() + (png ? ".png" : ".jpg"), image.bytes());
      expected.addAll(List.of(cls, data0));
    }
    assertThat(listing).containsExactlyElementsOf(expected);
  }

  private static String line(String name, byte[] data) {
    return "%s\t0\t%d\t0\t0\t%d\t%s".formatted(name, 0444, data.length, FixtureFiles.crc(data));
  }

  @ParameterizedTest
  @CsvSource({
    "P1, pbm",
    "P4, pbm",
    "P2, pgm",
    "P5, pgm",
    "P3, ppm",
    "P6, ppm",
    "BM, bmp",
    "GIF8, gif"
  })
  void shouldNameAnEntryByWhatItsBytesAre(String signature, String suffix) throws Exception {
    byte[] bytes = (signature + " 1 1 255 ...").getBytes(UTF_8);
    Path data = root.resolve("data");
    try (StoreWriter<EncodedImage> writer =
        new WebDatasetFormat().create(data, Packing.of(CLASSES, 1))) {
      writer.write(new EncodedImage("v1.0/a.b", bytes, 0, "JPEG"));
      writer.commit();
    }
    try (WebDataset samples = WebDataset.of(data + "/data-000000.tar")) {
      assertThat(samples.get(0).key()).as("only the last part is cut").isEqualTo("v1.0/a_b");
      assertThat(samples.get(0).fields()).containsOnlyKeys("cls", suffix);
    }
  }

  @Test
  void shouldRefuseWhatIsNoImage() throws Exception {
    try (StoreWriter<EncodedImage> writer = open(root.resolve("data"))) {
      writer.write(images().get(0));
      assertThatThrownBy(() -> writer.write(new EncodedImage("c", new byte[9], 0)))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("data-000000.tar, sample 1", "'c'", "9 bytes", "no known kind");
      assertThat(writer.written()).isEqualTo(1);
    }
  }
}
