package io.feedline.formats.voc;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.Shape;
import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.data.FormatException;
import io.feedline.formats.ExifImages;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.store.FixtureFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

class VocTest {

  private static final String YEAR = "VOCdevkit/VOC2012/";

  @TempDir private Path directory;
  private Path year;

  @BeforeEach
  void copy() throws IOException {
    List<String> files = new ArrayList<>(List.of(YEAR + "ImageSets/Main/dog_train.txt"));
    for (String set : List.of("train", "val", "trainval")) {
      files.add(YEAR + "ImageSets/Main/" + set + ".txt");
      files.add(YEAR + "ImageSets/Segmentation/" + set + ".txt");
    }
    for (String name : List.of("2007_000032", "2007_000033", "2008_000008")) {
      files.add(YEAR + "JPEGImages/" + name + ".jpg");
      files.add(YEAR + "Annotations/" + name + ".xml");
      files.add(YEAR + "SegmentationClass/" + name + ".png");
      files.add(YEAR + "SegmentationObject/" + name + ".png");
    }
    FixtureFiles.copy(VocTest.class, directory, files.toArray(String[]::new));
    year = directory.resolve(YEAR);
  }

  @Nested
  @ParameterizedClass(name = "boxes: {0}")
  @ValueSource(booleans = {true, false})
  class Contract extends DatasetContract<Object> {

    @Parameter private boolean boxes;

    @Override
    @SuppressWarnings("unchecked") // A dataset only returns samples.
    protected Dataset<Object> dataset() throws IOException {
      Dataset<?> dataset =
          boxes
              ? VocDataset.detection(year, "trainval")
              : VocDataset.segmentation(year, "trainval");
      return (Dataset<Object>) dataset;
    }
  }

  private static List<String> expected(String suffix) {
    return FixtureFiles.lines(VocTest.class, "expected.txt").stream()
        .filter(line -> line.contains(suffix + ","))
        .map(line -> line.substring(line.indexOf(',') + 1))
        .toList();
  }

  /** Name, difficult and box of each object, as torchvision's dictionaries have them. */
  private static List<String> objects(
      VocDataset<VocDataset.Detection> dataset, VocDataset.Detection sample) {
    return IntStream.range(0, sample.boxes().count())
        .mapToObj(
            i ->
                "%s %d %s"
                    .formatted(
                        dataset.classes().get((int) sample.labels().toArray()[i]),
                        sample.difficult().toArray()[i],
                        Arrays.toString(sample.boxes().box(i))))
        .toList();
  }

  /** Objects of a line: name, difficult, truncated and box of each. */
  private static List<String> objects(String line, boolean difficult, boolean truncated) {
    return Arrays.stream(line.split(";", -1))
        .map(object -> object.split(" ", -1))
        .filter(parts -> parts.length == 7)
        .filter(parts -> (difficult || parts[1].equals("0")) && (truncated || parts[2].equals("0")))
        .map(
            parts ->
                "%s %s %s"
                    .formatted(
                        parts[0],
                        parts[1],
                        Arrays.stream(parts, 3, 7).map(Float::valueOf).toList()))
        .toList();
  }

  @Test
  void shouldReadBoxesAsTorchvisionDoes() throws IOException {
    List<String> expected = expected(".jpg");
    VocDataset<VocDataset.Detection> all = VocDataset.detection(year, "trainval");
    VocDataset<VocDataset.Detection> easy =
        VocDataset.detection(year, "trainval", VocDataset.Options.DEFAULT.withoutDifficult());
    VocDataset<VocDataset.Detection> whole =
        VocDataset.detection(year, "trainval", VocDataset.Options.DEFAULT.withoutTruncated());
    assertThat(all.size()).isEqualTo(3);
    int objects = 0;
    for (int i = 0; i < 3; i++) {
      assertThat(objects(all, all.get(i))).isEqualTo(objects(expected.get(i), true, true));
      assertThat(objects(easy, easy.get(i))).isEqualTo(objects(expected.get(i), false, true));
      assertThat(objects(whole, whole.get(i))).isEqualTo(objects(expected.get(i), true, false));
      assertThat(all.get(i).boxes().canvasWidth()).isEqualTo(20 + i);
      objects += all.get(i).boxes().count();
    }
    assertThat(objects).isEqualTo(6);
    assertThat(all.get(0).boxes().shape()).isEqualTo(Shape.of(0, 4));
    assertThat(easy.fingerprint()).isNotEqualTo(all.fingerprint());
    assertThat(all.classes().indexOf("aeroplane")).isEqualTo(1);
  }

  @Test
  void shouldReadMasksAsTorchvisionDoes() throws IOException {
    List<String> expected = expected(".png");
    VocDataset<VocDataset.Segmentation> masks = VocDataset.segmentation(year, "trainval");
    for (int i = 0; i < 3; i++) {
      int[] ids = masks.get(i).mask().ids();
      byte[] bytes = new byte[ids.length];
      for (int pixel = 0; pixel < ids.length; pixel++) {
        bytes[pixel] = (byte) ids[pixel];
      }
      assertThat(FixtureFiles.crc(bytes)).isEqualTo(expected.get(i));
      assertThat(ids[0]).isEqualTo(VocDataset.IGNORED);
    }
    VocDataset<VocDataset.Segmentation> gray =
        VocDataset.segmentation(
            year,
            "trainval",
            VocDataset.Options.DEFAULT.withDecode(DecodeOptions.DEFAULT.withMode(ImageMode.GRAY)));
    assertThat(gray.get(0).image().mode()).isEqualTo(ImageMode.GRAY);
    assertThat(gray.get(0).mask().ids()).isEqualTo(masks.get(0).mask().ids());
    assertThat(VocDataset.objects(year, "val", VocDataset.Options.DEFAULT).get(0).mask().ids())
        .isNotEqualTo(masks.get(0).mask().ids());
  }

  @Test
  void shouldTakeTheImagesOfAList() throws IOException {
    VocDataset<VocDataset.Detection> train = VocDataset.detection(year, "train");
    assertThat(train.size()).isEqualTo(2);
    assertThat(train.describe(0)).endsWith("2007_000033.jpg");
    assertThatThrownBy(() -> VocDataset.detection(year, "test"))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContainingAll("test.txt", "trainval", "VOCdevkit/VOC2012");
    assertThatThrownBy(() -> VocDataset.detection(year, "dog_train"))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("dog_train.txt: line 1", "one class");
    Path list = year.resolve("ImageSets/Main/val.txt");
    Files.writeString(list, "\n  \n");
    refused(FormatException.class, () -> VocDataset.detection(year, "val"), "empty");
    Files.writeString(list, "2007_000032\n../../../etc/passwd\n");
    assertThatThrownBy(() -> VocDataset.detection(year, "val"))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("val.txt, line 2", "leads out of the directory", "JPEGImages");
  }

  @Test
  void shouldTakeLinesAsNames() throws IOException {
    Path list = year.resolve("ImageSets/Main/val.txt");
    for (String name : List.of("frame 1", "frame  0", "a 12:30")) {
      Files.copy(
          year.resolve("JPEGImages/2007_000032.jpg"), year.resolve("JPEGImages/" + name + ".jpg"));
      Files.copy(
          year.resolve("Annotations/2007_000032.xml"),
          year.resolve("Annotations/" + name + ".xml"));
    }
    Files.writeString(list, "\uFEFFframe 1\r\nframe  0\r\n");
    VocDataset<VocDataset.Detection> dataset = VocDataset.detection(year, "val");
    assertThat(dataset.size()).isEqualTo(2);
    assertThat(dataset.describe(0)).endsWith("frame 1.jpg");
    assertThat(dataset.get(1).image().width()).isEqualTo(20);
    Files.writeString(list, "\uFEFF./2007_000032\na 12:30\nframe 1\n");
    assertThat(VocDataset.detection(year, "val").get(1).image().width()).isEqualTo(20);
    assertThat(VocDataset.detection(year, "val").describe(0))
        .endsWith("JPEGImages/2007_000032.jpg");
  }

  private static final String DOG =
      "<object><name>dog</name><pose>Unspecified</pose><truncated>0</truncated><difficult>0</difficult><bndbox><xmin>1</xmin><ymin>2</ymin><xmax>10</xmax><ymax>15</ymax></bndbox></object>";

  /** ElementTree reads these, and so torchvision. */
  @Test
  void shouldReadAnnotationsThatOtherReadersRead() throws IOException {
    Path file = year.resolve("Annotations/2007_000032.xml");
    VocDataset<VocDataset.Detection> dataset = VocDataset.detection(year, "val");
    for (String xml :
        List.of(
            "<?xml version=\"1.0\"?><!DOCTYPE annotation><annotation>" + DOG + "</annotation>",
            "<!DOCTYPE annotation SYSTEM \"voc.dtd\" [<!ELEMENT a (b)>]>\n<!-- c --><annotation>"
                + DOG
                + "</annotation>",
            "<annotation>junk" + DOG.replace("><", ">text<!-- c --><?p i?><") + "tail</annotation>",
            "<annotation><size>x<width>0</width>y<height>0</height></size>"
                + DOG.replace(">0<", ">Unspecified<")
                + "</annotation>",
            "<annotation>" + DOG.replace(">0<", "> false <") + "</annotation>",
            "<annotation>" + DOG.replace(">0<", "><") + "</annotation>")) {
      Files.writeString(file, xml);
      VocDataset.Detection sample = dataset.get(0);
      assertThat(sample.boxes().toArray()).containsExactly(1, 2, 10, 15);
      assertThat(sample.difficult().toArray()).containsExactly(0);
    }
    Files.writeString(file, "<annotation>" + DOG.replace(">0<", ">True<") + "</annotation>");
    assertThat(dataset.get(0).difficult().toArray()).containsExactly(1);
    refuse("<annotation>" + DOG.replace(">0<", ">maybe<") + "</annotation>", "'maybe'");
  }

  @Test
  void shouldRefuseAnImageOfAnotherSizeThanItsAnnotation() throws IOException {
    Path file = year.resolve("Annotations/2007_000032.xml");
    Path jpeg = year.resolve("JPEGImages/2007_000032.jpg");
    String size =
        "<annotation><size><width>%d</width><height>%d</height></size>" + DOG + "</annotation>";
    Files.writeString(file, size.formatted(16, 20));
    VocDataset<VocDataset.Detection> plain = VocDataset.detection(year, "val");
    VocDataset.Options turned =
        VocDataset.Options.DEFAULT.withDecode(DecodeOptions.DEFAULT.withExifRotation(true));
    VocDataset<VocDataset.Detection> turning = VocDataset.detection(year, "val", turned);
    assertThatThrownBy(() -> plain.get(0))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(file.toString(), jpeg.toString(), "20 x 16", "16 x 20", "<size>")
        .hasMessageNotContaining("EXIF");
    Files.write(jpeg, ExifImages.turned(20, 16, 8));
    assertThatThrownBy(() -> plain.get(0))
        .hasMessageContainingAll("EXIF orientation is 8", "withExifRotation(true)");
    assertThat(turning.get(0).image().width()).isEqualTo(16);
    Files.writeString(file, size.formatted(20, 16));
    assertThat(plain.get(0).image().width()).isEqualTo(20);
    assertThatThrownBy(() -> turning.get(0))
        .hasMessageContainingAll("EXIF orientation is 8", "withExifRotation(false)");
    assertThat(VocDataset.segmentation(year, "val").get(0).image().width()).isEqualTo(20);
    assertThatThrownBy(() -> VocDataset.segmentation(year, "val", turned).get(0))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("its mask", "withExifRotation(false)");
    assertThatThrownBy(() -> VocDataset.objects(year, "val", turned).get(0))
        .hasMessageContaining("its mask");
  }

  private void refuse(String xml, String... words) throws IOException {
    Path file = year.resolve("Annotations/2007_000032.xml");
    Files.writeString(file, xml);
    VocDataset<VocDataset.Detection> dataset = VocDataset.detection(year, "val");
    assertThatThrownBy(() -> dataset.get(0))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContainingAll(words);
  }

  @Test
  void shouldRefuseDamagedAnnotationsByNameAndPlace() throws IOException {
    refuse("", "not an annotation");
    refuse("<annotation>", "not an annotation");
    refuse("<html></html>", "expected <annotation>, found <html>");
    refuse(object("1", "2", "3", "4").replace("<name>dog</name>", ""), "<name>", "line 1");
    refuse("<annotation><object><name>dog</name></object></annotation>", "<bndbox>");
    refuse(object("1", "x", "3", "4"), "<ymin> is 'x'");
    refuse(object("1", "NaN", "3", "4"), "<ymin> is 'NaN'");
    refuse(object("1", "2", "3", "4").replace("ymin", "top"), "ymin");
    refuse(object("1", "2", "3", "4").replace("dog", "unicorn"), "'unicorn'", "withClasses(...)");
  }

  private static String object(String... sides) {
    return "<annotation><object><name>dog</name><bndbox><xmin>%s</xmin><ymin>%s</ymin><xmax>%s</xmax><ymax>%s</ymax></bndbox></object></annotation>"
        .formatted((Object[]) sides);
  }

  /** Python's float takes these numbers, and no others. */
  @Test
  void shouldReadTheNumbersThatOtherReadersDo() throws IOException {
    Path file = year.resolve("Annotations/2007_000032.xml");
    VocDataset<VocDataset.Detection> dataset = VocDataset.detection(year, "val");
    Files.writeString(file, object("-1", "+2.5", " 3e0 ", "45.70000076293945"));
    assertThat(dataset.get(0).boxes().box(0)).containsExactly(-1, 2.5f, 3, 45.7f);
    Files.writeString(file, object("7", "8", "7", "8"));
    assertThat(dataset.get(0).boxes().box(0)).containsExactly(7, 8, 7, 8);

    for (String none : List.of("0x1p3", "0x10", "1f", "2d", "1e", "Infinity", "")) {
      refuse(object(none, "0", "9", "9"), "line 1", "<xmin>", "not a number");
    }
    refuse(object("0", "0", "1e23", "9"), "line 1", "<xmax>", "1e23", "side of any image");
    refuse(object("0", "-1e9", "1", "9"), "<ymin>", "-1e9", "side of any image");
    refuse(object("5", "0", "4", "9"), "line 1", "[5.0, 0.0, 4.0, 9.0]", "before it begins");
    refuse(object("0", "5", "4", "4"), "[0.0, 5.0, 4.0, 4.0]", "before it begins");
  }

  @Test
  void shouldRefuseWhatIsThereTwice() throws IOException {
    String sound = object("1", "2", "3", "4");
    for (String element : List.of("name", "xmin", "bndbox")) {
      String twice = sound.replaceFirst("(<%s>.*</%s>)".formatted(element, element), "$1$1");
      refuse(twice, "line 1", "a second <" + element + ">");
    }
    refuse("<annotation><size><width>-4</width></size></annotation>", "line 1", "a size of -4");
  }

  /** Entities that would be a gigabyte, and one that is a file. */
  @Test
  void shouldResolveNoEntities() throws IOException {
    StringBuilder bomb = new StringBuilder("<!DOCTYPE annotation [<!ENTITY a0 \"ha\">");
    for (int i = 1; i < 30; i++) {
      bomb.append("<!ENTITY a%d \"&a%d;&a%d;\">".formatted(i, i - 1, i - 1));
    }
    refuse(
        bomb + "]><annotation><object><name>&a29;</name></object></annotation>",
        "not an annotation");
    refuse(
        "<!DOCTYPE annotation [<!ENTITY f SYSTEM \"file:///etc/passwd\">]>"
            + "<annotation><object><name>&f;</name></object></annotation>",
        "not an annotation");
  }

  @Test
  void shouldReadBrokenAnnotationsOrRefuseThem() throws IOException {
    Path file = year.resolve("Annotations/2008_000008.xml");
    byte[] sound = Files.readAllBytes(file);
    VocDataset<VocDataset.Detection> dataset = VocDataset.detection(year, "train");
    int refused = 0;
    for (int i = 0; i < 500; i++) {
      Random random = new Random(i);
      byte[] broken = sound.clone();
      for (int change = 0; change <= random.nextInt(3); change++) {
        broken[random.nextInt(broken.length)] = (byte) random.nextInt();
      }
      Files.write(
          file,
          random.nextInt(5) == 0 ? Arrays.copyOf(broken, random.nextInt(broken.length)) : broken);
      try {
        assertThat(dataset.get(1).labels().count()).isEqualTo(dataset.get(1).boxes().count());
      } catch (FormatException refusal) {
        assertThat(refusal).hasMessageContaining(file.toString());
        refused++;
      }
    }
    assertThat(refused).isBetween(100, 499);
  }

  @Test
  void shouldRefuseAMaskOfAnotherSize() throws IOException {
    Path mask = year.resolve("SegmentationClass/2007_000032.png");
    Files.copy(
        year.resolve("SegmentationClass/2007_000033.png"),
        mask,
        StandardCopyOption.REPLACE_EXISTING);
    VocDataset<VocDataset.Segmentation> dataset = VocDataset.segmentation(year, "val");
    assertThatThrownBy(() -> dataset.get(0))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("2007_000032.jpg", mask.toString(), "21 x 19", "20 x 16");
    Files.delete(mask);
    refused(FileNotFoundException.class, () -> dataset.get(0), mask.toString());
  }
}
