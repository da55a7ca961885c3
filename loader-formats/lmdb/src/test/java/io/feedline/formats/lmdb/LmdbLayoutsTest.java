package io.feedline.formats.lmdb;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.Pixels;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.store.EncodedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Databases of other projects, as their own code lays them out. */
class LmdbLayoutsTest {

  @TempDir Path folder;

  private Path write(Map<String, byte[]> entries) throws IOException {
    return RawDatabase.write(folder.resolve("raw.lmdb"), entries);
  }

  private static void read(Path path, long index) throws IOException {
    try (ImageDataset images = LmdbDataset.images(path)) {
      images.get(index);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void shouldNameTheFirstKeysOfALayoutThatIsNotKnown() throws IOException {
    Path path = write(new TreeMap<>(Map.of("a", ascii("1"), "b\1", ascii("2"))));

    assertThatThrownBy(() -> LmdbLayout.detect(path))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("raw.lmdb", "2 keys, beginning with a, 0x6201", "folder2lmdb");
    assertThatThrownBy(() -> LmdbTensors.of(path)).hasMessageContaining("not known");
  }

  @Test
  void shouldSayOfEveryLayoutWhyItIsNotThatOne() throws IOException {
    byte[] jpeg = Databases.image("jpeg_1x1.jpg");
    Path path = write(new TreeMap<>(Map.of("00000000", jpeg, "00000001", jpeg)));

    assertThatThrownBy(() -> LmdbDataset.images(path))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(
            "raw.lmdb",
            "not known: 2 keys, beginning with 00000000",
            "LmdbDataset",
            "Feedline's: there is no key __feedline__",
            "folder2lmdb's: there is no key __len__",
            "BasicSR's: there is no meta_info.txt",
            "Caffe's: key '00000001': the value is not a Datum of Caffe");
  }

  @Test
  void shouldKnowCaffesLayoutAlthoughAValueIsDamaged() throws IOException {
    byte[] damaged = new byte[10];
    byte[] datum = {8, 1, 16, 2, 24, 2, 34, 4, 1, 2, 3, 4, 40, 5};
    Path path = write(new TreeMap<>(Map.of("00000000_a", damaged, "00000001_b", datum)));

    assertThat(LmdbLayout.detect(path)).isEqualTo(LmdbLayout.CAFFE);
  }

  @Test
  void shouldSayThatAListIsNoText() throws IOException {
    Path path = Databases.unpack("basicsr_low", folder);
    Files.write(path.resolve("meta_info.txt"), new byte[] {'a', (byte) 0xFF});

    refused(IOException.class, () -> LmdbDataset.images(path), "meta_info.txt", "UTF-8");
  }

  @Test
  void shouldNameALayoutWithoutAnyKey() throws IOException {
    refused(IOException.class, () -> LmdbLayout.detect(write(Map.of())), "0 keys, none");
  }

  @Nested
  class Folder2Lmdb extends DatasetContract<LabeledImage> {
    @Override
    protected Dataset<LabeledImage> dataset() throws IOException {
      return LmdbDataset.images(Databases.unpack("folder2lmdb", folder));
    }

    @Test
    void shouldGiveImagesAndLabels() throws IOException {
      // As its author opens it: a file without a directory.
      Path file = Files.write(folder.resolve("train.lmdb"), Content.fixture("folder2lmdb.mdb"));
      try (ImageDataset images = LmdbDataset.images(file)) {
        assertThat(LmdbLayout.detect(images.path())).isEqualTo(LmdbLayout.FOLDER2LMDB);
        assertThat(images.classes()).isEmpty();
        for (int i = 0; i < 3; i++) {
          EncodedImage image = images.encoded(i);
          assertThat(image.bytes()).isEqualTo(Databases.image(Databases.PICTURES.get(i)));
          assertThat(image.label()).isEqualTo(i == 0 ? 0 : 1);
          assertThat(image.key()).isEqualTo(Integer.toString(i));
        }
      }
    }

    @Test
    void shouldFollowTheListOfKeysWhereTheyAreNoNumbers() throws IOException {
      byte[] image = Databases.image("jpeg_1x1.jpg");
      Path path =
          write(
              Map.of(
                  "__len__", new byte[] {'K', 2, '.'},
                  "__keys__", ascii("(S'two'\nS'one'\nl."),
                  "one", pickle(image, 1),
                  "two", pickle(image, 2)));
      try (ImageDataset images = LmdbDataset.images(path)) {
        assertThat(images.encoded(0).label()).isEqualTo(2);
        assertThat(images.encoded(1).key()).isEqualTo("one");
      }
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "I1 | cos~system~(S'echo hello'~tR. | data.mdb, key 0;'c' at byte 0;os.system",
          "I1 | I1~. | should be (encoded image, label), was Long 1",
          "I9 | N. | __len__ says 9, the database has 2 keys"
        })
    void shouldNameAPickleThatIsNoImageAndALengthThatCannotBe(
        String length, String pickle, String words) throws IOException {
      byte[] image = ascii(pickle.replace('~', '\n'));
      Path path = write(Map.of("__len__", ascii(length + "\n."), "0", image));
      refused(IOException.class, () -> read(path, 0), words.split(";", -1));
    }

    private byte[] pickle(byte[] bytes, int label) {
      ByteBuffer out = ByteBuffer.allocate(bytes.length + 9);
      out.put((byte) 'T').put(new byte[] {(byte) bytes.length, (byte) (bytes.length >> 8), 0, 0});
      out.put(bytes).put((byte) 'K').put((byte) label).put((byte) 0x86).put((byte) '.');
      return out.array();
    }
  }

  @Nested
  class Caffe extends DatasetContract<LabeledImage> {
    @Override
    protected Dataset<LabeledImage> dataset() throws IOException {
      return LmdbDataset.images(Databases.unpack("caffe", folder));
    }

    @Test
    void shouldGiveRawPixelsInTheirColors() throws Exception {
      try (ImageDataset images = (ImageDataset) dataset()) {
        Pixels expected = Image.ofEncoded(Databases.image("png_rgb.png"), "png").pixels();
        EncodedImage first = images.encoded(0);

        assertThat(LmdbLayout.detect(images.path())).isEqualTo(LmdbLayout.CAFFE);
        assertThat(first.key()).isEqualTo("00000000_cat/0");
        assertThat(images.get(0).image().pixels().rgb()).isEqualTo(expected.rgb());
        assertThat(images.get(0).image().width()).isEqualTo(expected.width());
      }
    }

    @Test
    void shouldGiveGrayPixelsAndEncodedImages() throws Exception {
      try (ImageDataset images = (ImageDataset) dataset()) {
        Pixels gray = images.get(1).image().pixels();

        assertThat(gray.width()).isEqualTo(5);
        assertThat(gray.height()).isEqualTo(3);
        assertThat(gray.rgbAt(2, 1)).isEqualTo(0x777777);
        assertThat(images.get(1).label()).isEqualTo(1);
        assertThat(images.encoded(2).bytes()).isEqualTo(Databases.image("jpeg_grey.jpg"));
        assertThat(images.encoded(2).label()).isEqualTo(2);
      }
    }

    @Test
    void shouldNameWhatIsWrongWithADatum() throws IOException {
      Path path =
          write(
              new TreeMap<>(
                  Map.of(
                      "00000000", new byte[] {8, 3, 16, 2, 24, 2, 34, 1, 5},
                      "00000001", new byte[] {34, 9, 1},
                      "00000002", new byte[] {8, 2, 16, 1, 24, 1, 34, 2, 5, 5},
                      "00000003", new byte[] {8, 1, 16, 1, 24, 1, 53, 0, 0, 0, 0},
                      "00000004", new byte[] {(byte) 0xFF})));
      String[] expected = {
        "2 x 2 with 3 channels, and has 1 byte of",
        "field at byte 0 has 9 bytes, 1 are left",
        "has 2 channels and 0 floats",
        "has 1 channel and 1 float;",
        "ends within a number"
      };
      try (ImageDataset images = LmdbDataset.images(path)) {
        for (int i = 0; i < expected.length; i++) {
          int index = i;
          refused(IOException.class, () -> images.encoded(index), "key 0000000" + i, expected[i]);
        }
      }
    }
  }

  @Nested
  class BasicSr extends DatasetContract<LabeledImage> {
    @Override
    protected Dataset<LabeledImage> dataset() throws IOException {
      return LmdbDataset.images(Databases.unpack("basicsr_low", folder));
    }

    @Test
    void shouldGiveImagesInTheOrderOfTheirList() throws Exception {
      try (ImageDataset images = (ImageDataset) dataset()) {
        assertThat(LmdbLayout.detect(images.path())).isEqualTo(LmdbLayout.BASICSR);
        assertThat(images.size()).isEqualTo(3);
        assertThat(images.encoded(2).key()).isEqualTo("0002_s001");
        assertThat(images.encoded(2).label()).isEqualTo(EncodedImage.NO_LABEL);
        assertThat(images.get(2).image().width()).isEqualTo(5);
        assertThat(images.get(2).image().height()).isEqualTo(7);
      }
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "a.png (1,2,3) 1~what is this | meta_info.txt, line 2;what is this",
          "a.png (1,2,3) 1~b.png (1,2,3) 1~c.png (1,2,3) 1 | key b: there is no such key",
          "a.png (1,2,3) 1 | names 1 image, the database has 3"
        })
    void shouldRefuseAList(String lines, String words) throws IOException {
      Path path = Databases.unpack("basicsr_low", folder);
      Files.writeString(path.resolve("meta_info.txt"), lines.replace('~', '\n') + "\n");
      refused(IOException.class, () -> read(path, 1), words.split(";", -1));
    }
  }
}
