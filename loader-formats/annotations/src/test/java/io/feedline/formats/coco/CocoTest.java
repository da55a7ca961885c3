package io.feedline.formats.coco;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.Shape;
import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.data.FormatException;
import io.feedline.formats.ExifImages;
import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.InstanceMasks;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.store.FixtureFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CocoTest {

  @TempDir private Path directory;
  private Path images;
  private Path instances;
  private Path keyPoints;
  private Path captions;

  @BeforeEach
  void copy() throws IOException {
    FixtureFiles.copy(
        CocoTest.class,
        directory,
        "images/000000000009.jpg",
        "images/000000000012.jpg",
        "images/000000000042.jpg",
        "images/000000000397.jpg",
        "instances.json",
        "keypoints.json",
        "captions.json");
    images = directory.resolve("images");
    instances = directory.resolve("instances.json");
    keyPoints = directory.resolve("keypoints.json");
    captions = directory.resolve("captions.json");
  }

  @Nested
  @ParameterizedClass(name = "{0}")
  @ValueSource(strings = {"boxes", "instances", "keypoints", "captions"})
  class Contract extends DatasetContract<Object> {

    @Parameter private String kind;

    @Override
    @SuppressWarnings("unchecked") // A dataset only returns samples.
    protected Dataset<Object> dataset() throws IOException {
      Dataset<?> dataset =
          switch (kind) {
            case "boxes" -> CocoDataset.detection(images, instances);
            case "instances" -> CocoDataset.instances(images, instances);
            case "keypoints" -> CocoDataset.keyPoints(images, keyPoints);
            default -> CocoDataset.captions(images, captions);
          };
      return (Dataset<Object>) dataset;
    }
  }

  /** Returns the results of pycocotools: image, annotation, category, crowd, box, points, mask. */
  private static List<String[]> expected(String kind) {
    return FixtureFiles.lines(CocoTest.class, "expected.txt").stream()
        .map(line -> line.split(",", -1))
        .filter(parts -> parts[0].equals(kind))
        .toList();
  }

  private static float[] xyxy(String text) {
    String[] parts = text.split(":", -1);
    float[] box = new float[4];
    for (int i = 0; i < 4; i++) {
      box[i] = Float.parseFloat(parts[i]);
    }
    box[2] += box[0];
    box[3] += box[1];
    return box;
  }

  private static List<String> checksums(InstanceMasks masks) throws Exception {
    int size = masks.width() * masks.height();
    ByteBuffer bytes = ByteBuffer.allocate(size * masks.count());
    masks.writeTo(bytes);
    List<String> checksums = new ArrayList<>();
    for (int i = 0; i < masks.count(); i++) {
      checksums.add(FixtureFiles.crc(Arrays.copyOfRange(bytes.array(), i * size, (i + 1) * size)));
    }
    return checksums;
  }

  @Test
  void shouldFindWhatPycocotoolsFinds() throws Exception {
    CocoDataset<CocoDataset.Instances> dataset = CocoDataset.instances(images, instances);
    assertThat(dataset.size()).isEqualTo(4);
    List<String[]> expected = expected("instances");
    int at = 0;
    List<Long> ids = new ArrayList<>();
    for (long i = 0; i < dataset.size(); i++) {
      CocoDataset.Instances sample = dataset.get(i);
      ids.add(sample.id());
      List<String> masks = checksums(sample.masks());
      assertThat(sample.boxes().format()).isEqualTo(BoundingBoxes.Format.XYXY);
      for (int object = 0; object < sample.labels().count(); object++) {
        String[] parts = expected.get(at++);
        assertThat(sample.id()).isEqualTo(Long.parseLong(parts[1]));
        assertThat(sample.labels().toArray()[object]).isEqualTo(Long.parseLong(parts[3]));
        assertThat(sample.crowds().toArray()[object]).isEqualTo(Long.parseLong(parts[4]));
        assertThat(sample.boxes().box(object)).containsExactly(xyxy(parts[5]));
        assertThat(masks.get(object)).isEqualTo(parts[7]);
      }
    }
    assertThat(at).isEqualTo(6);
    assertThat(ids).containsExactly(9L, 12L, 42L, 397L);
    CocoDataset<CocoDataset.Detection> boxes = CocoDataset.detection(images, instances);
    for (long i = 0; i < 4; i++) {
      assertThat(boxes.get(i).boxes().toArray()).isEqualTo(dataset.get(i).boxes().toArray());
      assertThat(boxes.get(i).labels().toArray()).isEqualTo(dataset.get(i).labels().toArray());
    }
  }

  @Test
  void shouldTakeWhatTheOptionsSay() throws IOException {
    CocoDataset<CocoDataset.Detection> all = CocoDataset.detection(images, instances);
    CocoDataset.Options options =
        CocoDataset.Options.DEFAULT.withoutCrowds().withoutUnannotated().withContiguousLabels();
    CocoDataset<CocoDataset.Detection> some = CocoDataset.detection(images, instances, options);
    assertThat(all.get(1).boxes().shape()).isEqualTo(Shape.of(0, 4));
    assertThat(all.get(3).labels().count()).isEqualTo(3);
    assertThat(some.size()).isEqualTo(3);
    assertThat(some.get(2).labels().count()).isEqualTo(2);
    assertThat(some.get(2).crowds().toArray()).containsOnly(0);
    assertThat(some.categories())
        .extracting(CocoDataset.Category::name)
        .containsExactly("person", "dog", "toothbrush");
    CocoDataset<CocoDataset.Detection> same =
        CocoDataset.detection(
            images, instances, CocoDataset.Options.DEFAULT.withoutCrowds().withoutUnannotated());
    for (long i = 0; i < some.size(); i++) {
      assertThat(Arrays.stream(some.get(i).labels().toArray()))
          .extracting(label -> some.categories().get(label.intValue()).id())
          .containsExactlyElementsOf(
              Arrays.stream(same.get(i).labels().toArray()).boxed().toList());
    }
    assertThat(some.fingerprint()).isNotEqualTo(all.fingerprint());
  }

  @Test
  void shouldReadKeyPoints() throws IOException {
    CocoDataset<CocoDataset.People> dataset =
        CocoDataset.keyPoints(images, keyPoints, CocoDataset.Options.DEFAULT.withoutUnannotated());
    List<String[]> expected = expected("keypoints");
    assertThat(dataset.categories().get(0).keyPoints())
        .containsExactly("nose", "left_eye", "right_eye");
    int at = 0;
    for (long i = 0; i < dataset.size(); i++) {
      CocoDataset.People sample = dataset.get(i);
      assertThat(sample.points().shape()).isEqualTo(Shape.of(sample.labels().count(), 3, 2));
      for (int object = 0; object < sample.labels().count(); object++) {
        String[] triples = expected.get(at++)[6].split(":", -1);
        for (int number = 0; number < 9; number++) {
          int place = 3 * object + number / 3;
          double found =
              number % 3 == 2
                  ? sample.visibility().toArray()[place]
                  : sample.points().toArray()[2 * place + number % 3];
          assertThat(found).isEqualTo(Float.parseFloat(triples[number]));
        }
      }
    }
    assertThat(at).isEqualTo(3);
    CocoDataset<CocoDataset.People> all = CocoDataset.keyPoints(images, keyPoints);
    assertThat(all.get(1).points().shape()).isEqualTo(Shape.of(0, 3, 2));
    refuse(() -> CocoDataset.keyPoints(images, instances), "instances.json", "list of keypoints");
  }

  @Test
  void shouldReadCaptions() throws IOException {
    CocoDataset<CocoDataset.Captions> dataset = CocoDataset.captions(images, captions);
    assertThat(dataset.get(2).captions()).containsExactly("A dog on a \"mat\".", "A mat.");
    assertThat(dataset.get(0).captions()).containsExactly("Zwei Hunde \u2013 nichts weiter.");
    assertThat(dataset.get(1).captions()).isEmpty();
    refuse(() -> CocoDataset.captions(images, instances), "no annotation has a caption");
    refuse(() -> CocoDataset.detection(images, captions), "captions.json", "has a category_id");
  }

  private static void refuse(ThrowingCallable call, String... words) {
    assertThatThrownBy(call).isInstanceOf(FormatException.class).hasMessageContainingAll(words);
  }

  private void refuse(String json, String... words) throws IOException {
    Files.writeString(instances, json);
    refuse(() -> CocoDataset.instances(images, instances), words);
    refuse(() -> CocoDataset.instances(images, instances), instances.toString());
  }

  @Test
  void shouldRefuseDamagedAnnotationsByNameAndPlace() throws IOException {
    String image = "{\"id\": 9, \"file_name\": \"000000000009.jpg\"}";
    refuse("", "$");
    refuse("[]", "$");
    refuse("{\"images\": [" + image, "$.images");
    refuse("{\"images\": [" + image + "], \"annotations\": []} x", "$");
    refuse("{\"images\": [{\"id\": 9}]}", "$.images[0]", "file_name");
    refuse("{\"images\": [" + image + "]}", "no annotations");
    refuse("{\"images\": [" + image + "], \"annotations\": null}", "no annotations");
    refuse(
        "{\"images\": [" + image + "], \"annotations\": [{\"category_id\": 1}]}",
        "$.annotations[0]",
        "image_id");
    refuse(
        "{\"images\": [" + image.replace("9,", "\"x\",") + "," + image + "], \"annotations\": []}",
        "the ids of images are numbers, and texts such as 'x'");
    refuse("{\"images\": [], \"annotations\": []}", "no images");
    refuse(
        "{\"images\": ["
            + image
            + "], \"annotations\": [{\"image_id\": 90, \"category_id\": 1, \"bbox\": [0, 0, 1, 1]}]}",
        "no annotation is of an image",
        "image_id is 90, an image's id 9");
    refuse("{\"images\": [" + image + "," + image + "], \"annotations\": []}", "two images", "9");
    refuse(
        "{\"images\": [" + image.replace("0000", "../0000") + "], \"annotations\": []}",
        "image 9",
        "leads out");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1, 2, -3, 4", "1, 2, 3, -4", "1e23, 2, 3, 4", "1, 2, 3, 1e39"})
  void shouldRefuseBoxesThatNoImageHas(String box) throws IOException {
    Files.writeString(
        instances,
        "{\"images\": [{\"id\": 9, \"file_name\": \"000000000009.jpg\"}], \"categories\": [{\"id\": 1, \"name\": \"dog\"}], \"annotations\": [{\"image_id\": 9, \"category_id\": 1, \"bbox\": [%s]}]}"
            .formatted(box));
    CocoDataset<CocoDataset.Detection> boxes = CocoDataset.detection(images, instances);
    refuse(() -> boxes.get(0), instances.toString(), "image 9", "a box with the");
  }

  @Test
  void shouldRefuseWhatIsNestedDeepOrNoUnicode() throws IOException {
    refuse("{\"images\": " + "[".repeat(100_000), "images");
    refuse("{\"info\": " + "{\"a\":".repeat(100_000), "info");
    Files.write(instances, new byte[] {'{', '"', (byte) 0xff, '"'});
    refused(
        IOException.class, () -> CocoDataset.instances(images, instances), instances.toString());
  }

  @Test
  void shouldReadBrokenAnnotationsOrRefuseThem() throws Exception {
    byte[] sound = Files.readAllBytes(instances);
    int refused = 0;
    for (int i = 0; i < 2000; i++) {
      Random random = new Random(i);
      byte[] broken = sound.clone();
      for (int change = 0; change <= random.nextInt(2); change++) {
        int at = random.nextInt(broken.length);
        broken[at] = (byte) (random.nextBoolean() ? '0' + random.nextInt(10) : random.nextInt());
      }
      Files.write(instances, broken);
      try {
        CocoDataset<CocoDataset.Instances> dataset = CocoDataset.instances(images, instances);
        for (long image = 0; image < dataset.size(); image++) {
          checksums(dataset.get(image).masks());
        }
      } catch (FileNotFoundException elsewhere) {
        assertThat(elsewhere).hasMessageContaining("images");
        refused++;
      } catch (IOException refusal) {
        assertThat(refusal.getMessage()).contains(directory.toString());
        refused++;
      }
    }
    assertThat(refused).isBetween(200, 1999);
  }

  @Test
  void shouldRefuseAnImageOfAnotherSize() throws IOException {
    Files.writeString(
        instances, Files.readString(instances).replace("\"width\": 20", "\"width\": 21"));
    CocoDataset<CocoDataset.Detection> dataset = CocoDataset.detection(images, instances);
    refuse(() -> dataset.get(0), "000000000009.jpg", "20 x 30", "21 x 30", "instances.json");
    Files.delete(images.resolve("000000000012.jpg"));
    refused(FileNotFoundException.class, () -> dataset.get(1), "000000000012.jpg");
  }

  /**
   * The whole of a file with one image of 20 x 30 and one annotation, in which some is replaced.
   */
  private Path file(String from, String to) throws IOException {
    String sound =
        "{'images': [{'id': 9, 'file_name': '000000000009.jpg', 'width': 20, 'height': 30}], 'annotations': [{'id': 1, 'image_id': 9, 'category_id': 1, 'bbox': [0, 1, 2, 3], 'segmentation': [[0, 0, 4, 0, 4, 4]], 'keypoints': [1, 2, 2], 'area': 1, 'iscrowd': 0}], 'categories': [{'id': 1, 'name': 'a', 'keypoints': ['nose']}]}"
            .replace('\'', '"');
    assertThat(sound).contains(from.replace('\'', '"'));
    return Files.writeString(
        instances, sound.replace(from.replace('\'', '"'), to.replace('\'', '"')));
  }

  /** Each stands in files that pycocotools reads. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'area': 1 | 'area': NaN",
        "'area': 1 | 'area': -Infinity",
        "'area': 1 | 'note': \"a NaN, \\\" -Infinity\", 'area': 1e999",
        "'area': 1 | 'areas': [NaN,Infinity,-Infinity , NaN]",
        "{'images' | {'info': {'x': Infinity}, 'images'",
        "{'images' | \uFEFF{'images'",
        "'iscrowd': 0 | 'iscrowd': null",
        "'iscrowd': 0 | 'iscrowd': false",
        "'iscrowd': 0 | 'iscrowd': 0.0",
        "'width': 20, 'height': 30 | 'width': null, 'height': null",
        "'name': 'a' | 'name': 'a', 'supercategory': null",
      })
  void shouldReadWhatPythonWrites(String from, String to) throws Exception {
    CocoDataset<CocoDataset.Instances> dataset = CocoDataset.instances(images, file(from, to));
    CocoDataset.Instances sample = dataset.get(0);
    assertThat(sample.boxes().toArray()).containsExactly(0, 1, 2, 4);
    assertThat(sample.crowds().toArray()).containsExactly(0);
    assertThat(checksums(sample.masks())).hasSize(1);
  }

  /** One annotation that cannot be used is an error of its image, for the error policy. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'bbox': [0, 1, 2, 3], | '' | bbox",
        "[0, 1, 2, 3] | null | bbox",
        "[0, 1, 2, 3] | [] | bbox",
        "[0, 1, 2, 3] | {} | bbox",
        "[0, 1, 2, 3] | [[0, 1, 2, 3]] | bbox",
        "[0, 1, 2, 3] | [0, 1, 2] | bbox",
        "[0, 1, 2, 3] | [0, 1, 2, 3, 4] | bbox",
        "[0, 1, 2, 3] | [0, 1, NaN, 3] | bbox",
        "[0, 1, 2, 3] | [0, 1, -Infinity, 3] | bbox",
        "[0, 1, 2, 3] | [0, 1, 1e999, 3] | bbox",
        "[0, 1, 2, 3] | [0, 1, '2', 3] | bbox",
        "[0, 1, 2, 3] | [0, 1, null, 3] | bbox",
        "'iscrowd': 0 | 'iscrowd': NaN | iscrowd",
        "'iscrowd': 0 | 'iscrowd': [] | iscrowd",
        "'category_id': 1 | 'category_id': 77 | category 77",
        "'category_id': 1 | 'category_id': NaN | category_id",
        "'category_id': 1 | 'category_id': [] | category_id",
        "[[0, 0, 4, 0, 4, 4]] | [[0, NaN, 4, 0, 4, 4]] | segmentation",
        "[[0, 0, 4, 0, 4, 4]] | [0, 0, 4, 0, 4, 4] | segmentation",
        "[[0, 0, 4, 0, 4, 4]] | 'x' | segmentation",
        "[[0, 0, 4, 0, 4, 4]] | {'size': [30, 20]} | counts",
        "[[0, 0, 4, 0, 4, 4]] | {'size': [30, 20], 'counts': [-1, 601]} | -1",
      })
  void shouldRefuseTheImageOfAnOddAnnotation(String from, String to, String words)
      throws IOException {
    CocoDataset<CocoDataset.Instances> dataset =
        CocoDataset.instances(images, file(from, to.replace("''", "")));
    assertThat(dataset.size()).isEqualTo(1);
    refuse(() -> dataset.get(0), instances.toString(), "image 9", "annotations[0]", words);
  }

  @Test
  void shouldTakeIdsForLabelsWithoutCategories() throws IOException {
    Path without = file(", 'categories': [{'id': 1, 'name': 'a', 'keypoints': ['nose']}]", "");
    assertThat(CocoDataset.instances(images, without).get(0).labels().toArray()).containsExactly(1);
    assertThat(CocoDataset.keyPoints(images, without).get(0).points().toArray())
        .containsExactly(1, 2);
    CocoDataset<CocoDataset.Detection> contiguous =
        CocoDataset.detection(images, without, CocoDataset.Options.DEFAULT.withContiguousLabels());
    refuse(() -> contiguous.get(0), "image 9", "category 1 is not listed");
  }

  @Test
  void shouldLeaveOddCrowdsOutWithTheOthers() throws IOException {
    Path odd = file("'bbox': [0, 1, 2, 3]", "'iscrowd': 1, 'bbox': []");
    Files.writeString(odd, Files.readString(odd).replace(", \"iscrowd\": 0", ""));
    CocoDataset<CocoDataset.Detection> dataset =
        CocoDataset.detection(images, odd, CocoDataset.Options.DEFAULT.withoutCrowds());
    assertThat(dataset.get(0).boxes().count()).isZero();
  }

  @Test
  void shouldTakeIdsThatAreTexts() throws IOException {
    Path texts = file("'image_id': 9", "'image_id': 'b-1'");
    String more =
        Files.readString(texts)
            .replace("\"id\": 9,", "\"id\": \"b-1\",")
            .replace("\"category_id\": 1", "\"category_id\": \"dog\"")
            .replace(
                "[{\"id\": 1, \"name\"",
                "[{\"id\": \"cat\", \"name\": \"x\"}, {\"id\": \"dog\", \"name\"")
            .replace(
                "\"images\": [",
                "\"images\": [{\"id\": \"c\", \"file_name\": \"c.jpg\"}, {\"id\": \"a\", \"file_name\": \"000000000042.jpg\"}, ");
    Files.writeString(texts, more);
    CocoDataset<CocoDataset.Detection> dataset = CocoDataset.detection(images, texts);
    assertThat(dataset.textIds()).containsExactly("a", "b-1", "c");
    assertThat(dataset.get(0).id()).isZero();
    assertThat(dataset.get(0).boxes().count()).isZero();
    assertThat(dataset.get(1).id()).isEqualTo(1);
    assertThat(dataset.get(1).labels().toArray()).containsExactly(1);
    assertThat(dataset.categories())
        .extracting(CocoDataset.Category::name)
        .containsExactly("x", "a");
    Files.writeString(texts, more.replace("[0, 1, 2, 3]", "[]"));
    refuse(() -> CocoDataset.detection(images, texts).get(1), "image 'b-1'");
    // A number in quotes is that number.
    Path quoted = file("'image_id': 9", "'image_id': '9'");
    assertThat(CocoDataset.detection(images, quoted).get(0).boxes().count()).isEqualTo(1);
    assertThat(CocoDataset.detection(images, quoted).textIds()).isEmpty();
  }

  @Test
  void shouldFindFilesByAnyNameInTheDirectory() throws IOException {
    Files.createDirectory(images.resolve("x"));
    Files.copy(images.resolve("000000000009.jpg"), images.resolve("x/b 12:30.jpg"));
    for (String name :
        List.of(
            "./000000000009.jpg",
            "x/../000000000009.jpg",
            "x//b 12:30.jpg",
            "x/./b 12:30.jpg",
            images.toAbsolutePath().resolve("x/b 12:30.jpg").toString())) {
      CocoDataset<CocoDataset.Detection> dataset =
          CocoDataset.detection(images, file("000000000009.jpg", name));
      assertThat(dataset.get(0).image().width()).isEqualTo(20);
      assertThat(dataset.describe(0)).startsWith(images.toString()).doesNotContain("//", "..");
    }
    Path elsewhere = Files.createDirectory(directory.resolve("images2"));
    for (String name :
        List.of("../a.jpg", "x/../../a.jpg", "/a.jpg", "..", ".", elsewhere + "/a.jpg")) {
      refuse(Files.readString(file("000000000009.jpg", name)), "image 9", "leads out of");
    }
    refuse(Files.readString(file("000000000009.jpg", "")), "image 9", "is empty");
    refuse(Files.readString(file("000000000009.jpg", "a\\u0000b")), "image 9", "not the name");
  }

  @Test
  void shouldGiveObjectsOfCategoriesWithFewerKeyPointsAsMany() throws IOException {
    String categories =
        "'categories': [{'id': 2, 'name': 'b', 'keypoints': ['x', 'y', 'z']}, {'id': 3, 'name': 'c'}, ";
    Path two = file("'categories': [", categories);
    CocoDataset.People sample = CocoDataset.keyPoints(images, two).get(0);
    assertThat(sample.points().shape()).isEqualTo(Shape.of(1, 3, 2));
    assertThat(sample.points().toArray()).containsExactly(1, 2, 0, 0, 0, 0);
    assertThat(sample.visibility().toArray()).containsExactly(2, 0, 0);
    String text = Files.readString(two);
    Files.writeString(two, text.replace("\"category_id\": 1", "\"category_id\": 2"));
    ThrowingCallable reading = () -> CocoDataset.keyPoints(images, two).get(0);
    refuse(reading, "image 9", "3 numbers", "its category has 3 points");
    Files.writeString(two, text.replace("\"keypoints\": [1, 2, 2]", "\"keypoints\": [1, 2, 0.9]"));
    refuse(reading, "image 9", "the visibility 0.9");
    Files.writeString(two, text.replace("\"keypoints\": [1, 2, 2]", "\"keypoints\": [1, NaN, 2]"));
    refuse(reading, "image 9", "annotations[0]", "keypoints");
    Files.writeString(
        two,
        text.replace("\"keypoints\": [1, 2, 2]", "\"keypoints\": []")
            .replace("\"category_id\": 1", "\"category_id\": 3"));
    assertThat(CocoDataset.keyPoints(images, two).get(0).visibility().toArray()).containsOnly(0);
  }

  @Test
  void shouldSayThatExifMakesAnotherSize() throws IOException {
    Files.write(images.resolve("000000000009.jpg"), ExifImages.turned(20, 30, 6));
    Path turned = file("'width': 20, 'height': 30", "'width': 30, 'height': 20");
    refuse(
        () -> CocoDataset.detection(images, turned).get(0),
        "000000000009.jpg",
        "EXIF orientation is 6",
        "not applied",
        "withExifRotation(true)");
    CocoDataset.Options options =
        CocoDataset.Options.DEFAULT.withDecode(DecodeOptions.DEFAULT.withExifRotation(true));
    assertThat(CocoDataset.detection(images, turned, options).get(0).image().width()).isEqualTo(30);
    refuse(
        () -> CocoDataset.detection(images, file("'id': 9", "'id': 9"), options).get(0),
        "EXIF orientation is 6",
        "withExifRotation(false)");
  }
}
