package io.feedline.formats.folder;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.Shape;
import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.JointTransform;
import io.feedline.formats.image.dataset.ImagePair;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomCrop;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.SampleRandom;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PairFolderTest extends DatasetContract<ImagePair> {

  @TempDir Path folder;

  @Override
  protected Dataset<ImagePair> dataset() throws IOException {
    put("low/0001x2.ppm", 5, 4);
    put("high/0001.ppm", 10, 8);
    put("low/0002x2.ppm", 3, 7);
    put("high/0002.ppm", 6, 14);
    put("high/notes.txt", 1, 1);
    return PairFolder.of(folder.resolve("low"), folder.resolve("high"), 2);
  }

  /** An image whose samples are its width. */
  private void put(String path, int width, int height) throws IOException {
    byte[] header = "P6 %d %d 255\n".formatted(width, height).getBytes(StandardCharsets.US_ASCII);
    byte[] file = new byte[header.length + 3 * width * height];
    Arrays.fill(file, (byte) width);
    System.arraycopy(header, 0, file, 0, header.length);
    Path target = folder.resolve(path);
    Files.createDirectories(target.getParent());
    Files.write(target, file);
  }

  private PairFolder open(int scale) throws IOException {
    return PairFolder.of(folder.resolve("low"), folder.resolve("high"), scale);
  }

  @Test
  void shouldPairByDiv2ksNames() throws IOException {
    PairFolder pairs = open(2);

    assertThat(pairs.size()).isEqualTo(2);
    assertThat(pairs.scale()).isEqualTo(2);
    assertThat(pairs.get(1).low().pixels().rgbAt(0, 0)).isEqualTo(0x030303);
    assertThat(pairs.get(1).high().pixels().rgbAt(5, 13)).isEqualTo(0x060606);
    assertThat(pairs.describe(0)).contains("low/0001x2.ppm").contains("high/0001.ppm");
  }

  @Test
  void shouldPairByEqualNamesAndByASuffix() throws IOException {
    put("a/x.ppm", 2, 2);
    put("b/x.ppm", 8, 8);
    put("c/x_small.ppm", 2, 2);
    Path high = folder.resolve("b");

    PairFolder equal = PairFolder.of(folder.resolve("a"), high, 4);
    PairFolder suffixed =
        PairFolder.builder(folder.resolve("c"), high, 4).lowSuffix("_small").build();

    assertThat(equal.get(0).scale()).isEqualTo(4);
    assertThat(suffixed.get(0).scale()).isEqualTo(4);
  }

  @Test
  void shouldNameImagesWithoutAPartner() throws IOException {
    put("high/0003.ppm", 2, 2);
    refused(FileNotFoundException.class, () -> open(2), "high/0003.ppm", "0003x2");

    Files.delete(folder.resolve("high/0003.ppm"));
    put("low/0009x2.ppm", 2, 2);
    refused(FileNotFoundException.class, () -> open(2), "low/0009x2.ppm has no partner");
  }

  @Test
  void shouldNameBothFilesWhereTheirSizesDoNotFit() throws IOException {
    put("high/0001.ppm", 11, 8);
    PairFolder pairs = open(2);

    assertThatThrownBy(() -> pairs.get(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("low/0001x2.ppm is 5 x 4")
        .hasMessageContaining("high/0001.ppm should be 10 x 8 (scale 2), but is 11 x 8");
    assertThat(pairs.get(1).scale()).isEqualTo(2);
  }

  @Test
  void shouldNameWhatIsWrongWithADirectory() throws IOException {
    put("twice/x.ppm", 1, 1);
    put("twice/x.pgm", 1, 1);
    Files.createDirectories(folder.resolve("none"));
    Path high = folder.resolve("high");

    assertThatThrownBy(() -> PairFolder.of(folder.resolve("nowhere"), high, 2))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("nowhere");
    assertThatThrownBy(() -> PairFolder.of(folder.resolve("none"), high, 2))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("no images in");
    assertThatThrownBy(() -> PairFolder.of(folder.resolve("twice"), high, 2))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("differ only in their extension");
    refused(IllegalArgumentException.class, () -> open(0), "was 0");
  }

  @Test
  void shouldHaveAFingerprintOfNamesAndScale() throws IOException {
    String before = open(2).fingerprint();
    put("low/0003x2.ppm", 1, 1);
    put("high/0003.ppm", 2, 2);

    assertThat(open(2).fingerprint()).isNotEqualTo(before).startsWith("PairFolder:2:3:");
  }

  @Test
  void shouldPairDirectoriesOfTwoFileSystems() throws IOException {
    try (FileSystem files = Jimfs.newFileSystem(Configuration.unix())) {
      Path high = Files.createDirectories(files.getPath("/high"));
      for (String name : new String[] {"0001.ppm", "0002.ppm"}) {
        Files.copy(folder.resolve("high").resolve(name), high.resolve(name));
      }
      PairFolder pairs = PairFolder.of(folder.resolve("low"), high, 2);

      assertThat(pairs.get(1).low().pixels().rgbAt(0, 0)).isEqualTo(0x030303);
      assertThat(pairs.get(1).high().pixels().rgbAt(5, 13)).isEqualTo(0x060606);
    }
  }

  /** The pixel at (x, y) of the low image, and all nine of the high image there, are (x, y, 7). */
  private static Image image(int scale) {
    byte[] rgb = new byte[3 * 20 * 14 * scale * scale];
    for (int i = 0; i < rgb.length; i += 3) {
      rgb[i] = (byte) (i / 3 % (20 * scale) / scale);
      rgb[i + 1] = (byte) (i / 3 / (20 * scale) / scale);
      rgb[i + 2] = 7;
    }
    return Image.ofRgb(rgb, 20 * scale, 14 * scale);
  }

  @Test
  void shouldChangeBothImagesOfAPairAlikeAndCollateThem() throws Exception {
    RandomTransform<ImagePair, ImagePair> augment =
        JointTransform.of(
            RandomCrop.of(13)
                .andThen(RandomHorizontalFlip.of())
                .andThen((image, random) -> image.rotate90(random.nextInt())));
    Set<Integer> corners = new HashSet<>();
    for (int i = 0; i < 300; i++) {
      ImagePair pair =
          augment.apply(new ImagePair(image(1), image(3)), SampleRandom.ofBatch(5, 0, i));
      Image.Pixels low = pair.low().pixels();
      Image.Pixels high = pair.high().pixels();

      assertThat(pair.scale()).isEqualTo(3);
      for (int y = 0; i < 10 && y < 39; y++) {
        for (int x = 0; x < 39; x++) {
          assertThat(high.rgbAt(x, y)).as("(%d, %d)", x, y).isEqualTo(low.rgbAt(x / 3, y / 3));
        }
      }
      int[] reds = {low.rgbAt(0, 0), low.rgbAt(12, 0), low.rgbAt(0, 12), low.rgbAt(12, 12)};
      corners.add(Arrays.stream(reds).min().orElseThrow());
    }
    assertThat(corners).as("all places, the last ones included").hasSize(8 * 2);

    Dataset<ImagePair> pairs =
        Dataset.of(4, index -> new ImagePair(image(1), image(3)))
            .map(augment)
            .map(pair -> pair.map(Normalize.imagenet()));
    try (DataLoader<ImagePair> loader = DataLoader.builder(pairs).batchSize(4).build();
        Batch batch = loader.iterator().next()) {
      assertThat(batch.tensor("low").shape()).isEqualTo(Shape.of(4, 3, 13, 13));
      assertThat(batch.tensor("high").shape()).isEqualTo(Shape.of(4, 3, 39, 39));
    }
  }

  @Test
  void shouldRefuseSizesThatAreNoPair() {
    Image low = Image.ofRgb(new byte[3 * 6], 3, 2);
    for (int[] size : new int[][] {{6, 5}, {7, 4}, {6, 6}, {2, 2}, {1, 1}}) {
      Image high = Image.ofRgb(new byte[3 * size[0] * size[1]], size[0], size[1]);
      assertThatThrownBy(() -> new ImagePair(low, high))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("3 x 2", "%d x %d".formatted(size[0], size[1]));
    }
  }
}
