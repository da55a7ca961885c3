package io.feedline.formats.image;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.data.Dataset;
import io.feedline.formats.image.dataset.ImagePair;
import io.feedline.formats.image.pixel.Region;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContactSheetTest {

  private static final int PAPER = 0x202020;
  private static final int BLUE = 0x0000FF;
  private static final int GAP = 4;

  /** Colors 1, 2 and 3 of Pascal VOC. */
  private static final int[] VOC = {0x800000, 0x008000, 0x808000};

  private record Street(Image image, Mask mask) {}

  private record Scene(Image image, BoundingBoxes boxes, BoxLabels labels) {}

  private static Image plain(int color, int width, int height) {
    byte[] rgb = new byte[3 * width * height];
    for (int i = 0; i < rgb.length; i++) {
      rgb[i] = (byte) (color >> (8 * (2 - i % 3)));
    }
    return Image.ofRgb(rgb, width, height);
  }

  /** A sheet whose first cell is drawn without scaling, and its colors at places of that cell. */
  private static final class Drawn {
    private final BufferedImage sheet;

    Drawn(ContactSheet sheet) throws IOException {
      this.sheet = ImageIO.read(new ByteArrayInputStream(sheet.toPng()));
    }

    int at(int x, int y) {
      return sheet.getRGB(GAP + x, GAP + y) & 0xFFFFFF;
    }
  }

  private static Drawn draw(Object sample) throws IOException {
    return new Drawn(ContactSheet.of(List.of(sample)).withCell(32));
  }

  @Test
  void shouldPutImagesSideBySide() throws IOException {
    ContactSheet sheet =
        ContactSheet.of(List.of(plain(BLUE, 32, 32), plain(0xFF0000, 16, 32), plain(0xFF00, 8, 4)))
            .withCell(32);
    Drawn drawn = new Drawn(sheet);

    assertThat(sheet.columns()).isEqualTo(2);
    assertThat(drawn.sheet.getWidth()).isEqualTo(GAP + 2 * 36);
    assertThat(drawn.sheet.getHeight()).isEqualTo(GAP + 2 * 36);
    assertThat(drawn.at(-1, 0)).isEqualTo(PAPER);
    assertThat(drawn.at(0, 0)).isEqualTo(BLUE);
    assertThat(drawn.at(31, 31)).isEqualTo(BLUE);
    // A narrow one lies in the middle of its cell, a small one fills it.
    assertThat(drawn.at(36 + 7, 16)).isEqualTo(PAPER);
    assertThat(drawn.at(36 + 8, 16)).isEqualTo(0xFF0000);
    assertThat(drawn.at(36 + 24, 16)).isEqualTo(PAPER);
    assertThat(drawn.at(0, 36 + 7)).isEqualTo(PAPER);
    assertThat(drawn.at(0, 36 + 8)).isEqualTo(0xFF00);
    assertThat(drawn.at(36, 36)).isEqualTo(PAPER);
  }

  @Test
  void shouldShowPixelsBeforeNormalizationAndWhatWasErased() throws IOException {
    Image image =
        plain(BLUE, 32, 32)
            .normalize(new float[] {0.5f, 0.5f, 0.5f}, new float[] {0.2f, 0.2f, 0.2f})
            .erase(new Region(8, 8, 4, 4), 0, 0, 0);
    Drawn drawn = draw(image);

    assertThat(drawn.at(7, 8)).isEqualTo(BLUE);
    assertThat(drawn.at(8, 8)).isEqualTo(0x808080);
    assertThat(drawn.at(11, 11)).isEqualTo(0x808080);
    assertThat(drawn.at(12, 12)).isEqualTo(BLUE);
  }

  @Test
  void shouldLayMasksOverTheirImage() throws IOException {
    byte[] ids = new byte[16 * 16];
    ids[16 * 4 + 4] = 1;
    ids[16 * 4 + 5] = 2;
    // A mask of half the cell's size: each id is a square of two.
    Drawn drawn = draw(new Street(plain(0, 16, 16), Mask.ofIds(ids, 16, 16)));

    assertThat(drawn.at(7, 8)).isZero();
    assertThat(drawn.at(8, 8)).isEqualTo(0x400000);
    assertThat(drawn.at(9, 9)).isEqualTo(0x400000);
    assertThat(drawn.at(10, 9)).isEqualTo(0x004000);
    assertThat(drawn.at(12, 9)).isZero();

    byte[] masks = new byte[2 * 32 * 32];
    masks[0] = 1;
    masks[32 * 32 + 1] = 1;
    Drawn objects = draw(Map.of("a", plain(0, 32, 32), "b", InstanceMasks.of(masks, 2, 32, 32)));
    assertThat(objects.at(0, 0)).isEqualTo(0x400000);
    assertThat(objects.at(1, 0)).isEqualTo(0x004000);
    assertThat(objects.at(2, 0)).isZero();
  }

  @Test
  void shouldOutlineBoxesInTheColorsOfTheirLabels() throws IOException {
    BoundingBoxes boxes =
        BoundingBoxes.of(new float[] {4, 4, 8, 8, 20, 20, 8, 8}, BoundingBoxes.Format.XYWH, 32, 32);
    Image image = plain(0xFFFFFF, 32, 32);

    Drawn labeled = draw(new Scene(image, boxes, BoxLabels.of(2, 0)));
    assertThat(labeled.at(4, 8)).isEqualTo(VOC[2]);
    assertThat(labeled.at(8, 11)).isEqualTo(VOC[2]);
    assertThat(labeled.at(8, 8)).as("within").isEqualTo(0xFFFFFF);
    assertThat(labeled.at(20, 24)).isEqualTo(VOC[0]);

    Drawn numbered = draw(List.of(image, boxes));
    assertThat(numbered.at(4, 8)).isEqualTo(VOC[0]);
    assertThat(numbered.at(20, 24)).isEqualTo(VOC[1]);
  }

  @Test
  void shouldDotPointsInTheColorsOfTheirObjects() throws IOException {
    KeyPoints points = KeyPoints.ofObjects(new float[] {4, 4, 8, 20, 24, 4, 24, 20}, 2, 32, 32);
    Drawn drawn = draw(List.of(plain(0xFFFFFF, 32, 32), points));

    assertThat(drawn.at(4, 4)).isEqualTo(VOC[0]);
    assertThat(drawn.at(8, 20)).isEqualTo(VOC[0]);
    assertThat(drawn.at(24, 4)).isEqualTo(VOC[1]);
    assertThat(drawn.at(24, 20)).isEqualTo(VOC[1]);
    assertThat(drawn.at(16, 16)).isEqualTo(0xFFFFFF);
  }

  @Test
  void shouldGiveFurtherImagesCellsOfTheirOwn() throws IOException {
    ImagePair pair = new ImagePair(plain(BLUE, 16, 16), plain(0xFF0000, 32, 32));
    Drawn drawn =
        new Drawn(ContactSheet.of(List.of(pair)).withColumns(Integer.MAX_VALUE).withCell(32));

    assertThat(drawn.sheet.getWidth()).isEqualTo(GAP + 2 * 36);
    assertThat(drawn.sheet.getHeight()).isEqualTo(GAP + 36);
    assertThat(drawn.at(16, 16)).isEqualTo(BLUE);
    assertThat(drawn.at(36 + 16, 16)).isEqualTo(0xFF0000);
  }

  @Test
  void shouldReplaceAFile(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("sheet.png"), "old");
    ContactSheet sheet = ContactSheet.of(List.of(plain(BLUE, 4, 4)));
    sheet.writeTo(file);

    assertThat(Files.readAllBytes(file)).isEqualTo(sheet.toPng());
    assertThat(directory).isDirectoryContaining(file::equals);
    try (var left = Files.list(directory)) {
      assertThat(left).containsExactly(file);
    }
  }

  private static void refuse(ThrowingCallable call, String... words) {
    refused(IllegalArgumentException.class, call, words);
  }

  @Test
  void shouldSayWhatCannotBeDrawn() throws IOException {
    Image image = plain(BLUE, 32, 32);
    ContactSheet sheet = ContactSheet.of(List.of(image));
    ContactSheet tall =
        ContactSheet.of(Collections.nCopies(2000, image)).withColumns(1).withCell(32);
    // Before anything is decoded, which might take all memory.
    byte[] jpeg = Fixtures.bytes("jpeg_444.jpg");
    Image broken = Image.ofEncoded(Arrays.copyOf(jpeg, jpeg.length - 10), "cut.jpg");

    refuse(() -> ContactSheet.of(List.of()), "one sample or more");
    refuse(() -> ContactSheet.of(Arrays.asList(image, BoxLabels.of(1))), "sample 1 ", "no image");
    refuse(() -> draw(new Street(image, Mask.ofIds(new byte[16], 4, 4))), "'mask'", "4 x 4");
    refuse(tall::toPng, "2000 rows", "72004 pixels", "at most 32768");
    refuse(
        () -> ContactSheet.of(Collections.nCopies(100_000, broken)).toPng(), "columns would have");
    refuse(() -> tall.withColumns(0), "1 or more, was 0");
    refuse(() -> tall.withCell(15), "16 to 32768 pixels, was 15");
    refuse(() -> sheet.withCaptions(List.of()), "a caption for each of 1 samples, were 0");
    refuse(() -> ContactSheet.of(Dataset.of(4, index -> image), 0), "count must be 1 or more");
  }

  private record Labeled(Image image, int label) {}

  private static int count(BufferedImage picture, int x, int y, int width, int height, int color) {
    int count = 0;
    for (int i = 0; i < width * height; i++) {
      count += (picture.getRGB(x + i % width, y + i / width) & 0xFFFFFF) == color ? 1 : 0;
    }
    return count;
  }

  @Test
  void shouldWriteIndexAndClassBelowSamplesOfADataset() throws Exception {
    Dataset<Labeled> dataset =
        Dataset.of(100, index -> new Labeled(plain(BLUE, 8, 8), (int) index % 2));
    ContactSheet sheet = ContactSheet.of(dataset, 4).withCell(64);

    BufferedImage numbers = new Drawn(sheet).sheet;
    BufferedImage names = new Drawn(sheet.withClasses(List.of("cat", "a dog"))).sheet;

    assertThat(numbers.getWidth()).isEqualTo(GAP + 2 * (64 + GAP));
    assertThat(numbers.getHeight()).isEqualTo(GAP + 2 * (64 + 16 + GAP));
    // The band below the second image has text, and more with the name of its class.
    int before = count(numbers, GAP + 64 + GAP, GAP + 64, 64, 16, PAPER);
    int after = count(names, GAP + 64 + GAP, GAP + 64, 64, 16, PAPER);
    assertThat(before).isBetween(700, 1010);
    assertThat(after).isLessThan(before);
  }

  private record Measured(Image image, double label) {}

  /** Two bare numbers would not say which is the index. */
  @Test
  void shouldSayThatANumberIsAClass() throws Exception {
    ContactSheet sheet =
        ContactSheet.of(
            Dataset.of(18, index -> new Labeled(plain(BLUE, 8, 8), (int) index - 14)), 18);
    assertThat(sheet.caption(17)).isEqualTo("17: class 3");
    assertThat(sheet.caption(13)).as("-1 is no class").isEqualTo("13");
    ContactSheet named = sheet.withClasses(List.of("cat", "dog"));
    assertThat(named.caption(15)).isEqualTo("15: dog");
    assertThat(named.caption(16)).isEqualTo("16: class 2");
    assertThat(
            ContactSheet.of(Dataset.of(1, index -> new Measured(plain(BLUE, 8, 8), 0.7)), 1)
                .caption(0))
        .isEqualTo("0: label 0.7");
  }

  @Test
  void shouldWriteTheLabelsOfBoxes() throws IOException {
    Scene scene =
        new Scene(
            plain(BLUE, 64, 64),
            BoundingBoxes.of(new float[] {10, 20, 60, 60}, BoundingBoxes.Format.XYXY, 64, 64),
            BoxLabels.of(0));
    ContactSheet sheet = ContactSheet.of(List.of(scene)).withCell(64);

    Drawn plain = new Drawn(sheet);
    Drawn named = new Drawn(sheet.withClasses(List.of("dog")));

    // A bar in the color of the class, with a text.
    assertThat(plain.at(14, 34)).isEqualTo(BLUE);
    assertThat(count(named.sheet, GAP + 10, GAP + 20, 24, 16, VOC[0])).isBetween(150, 370);
  }
}
