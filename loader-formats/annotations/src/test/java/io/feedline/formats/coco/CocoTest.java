package io.feedline.formats.coco;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.Shape;
import io.feedline.data.Dataset;
import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.InstanceMasks;
import io.feedline.formats.image.JointTransform;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.FormatException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CocoTest {

  @TempDir private Path directory;
  private Path images;
  private Path instances;
  private Path keyPoints;
  private Path captions;

  @BeforeEach
  void copy() throws IOException {
    CocoFixture.copy(directory);
    images = directory.resolve("images");
    instances = directory.resolve("instances.json");
    keyPoints = directory.resolve("keypoints.json");
    captions = directory.resolve("captions.json");
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
    CocoInstances dataset = CocoInstances.of(images, instances);
    assertThat(dataset.size()).isEqualTo(4);
    List<String[]> expected = expected("instances");
    int at = 0;
    List<Long> ids = new ArrayList<>();
    for (long i = 0; i < dataset.size(); i++) {
      CocoInstances.Sample sample = dataset.get(i);
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
    CocoDetection boxes = CocoDetection.of(images, instances);
    for (long i = 0; i < 4; i++) {
      assertThat(boxes.get(i).boxes().toArray()).isEqualTo(dataset.get(i).boxes().toArray());
      assertThat(boxes.get(i).labels().toArray()).isEqualTo(dataset.get(i).labels().toArray());
    }
  }

  @Test
  void shouldTakeWhatTheOptionsSay() throws IOException {
    CocoDetection all = CocoDetection.of(images, instances);
    CocoOptions options =
        CocoOptions.DEFAULT.withoutCrowds().withoutUnannotated().withContiguousLabels();
    CocoDetection some = CocoDetection.of(images, instances, options);
    assertThat(all.get(1).boxes().shape()).isEqualTo(Shape.of(0, 4));
    assertThat(all.get(3).labels().count()).isEqualTo(3);
    assertThat(some.size()).isEqualTo(3);
    assertThat(some.get(2).labels().count()).isEqualTo(2);
    assertThat(some.get(2).crowds().toArray()).containsOnly(0);
    assertThat(some.categories())
        .extracting(CocoDetection.Category::name)
        .containsExactly("person", "dog", "toothbrush");
    for (long i = 0; i < some.size(); i++) {
      long[] ids =
          Arrays.stream(some.get(i).labels().toArray())
              .map(label -> some.categories().get((int) label).id())
              .toArray();
      CocoDetection same =
          CocoDetection.of(
              images, instances, CocoOptions.DEFAULT.withoutCrowds().withoutUnannotated());
      assertThat(ids).isEqualTo(same.get(i).labels().toArray());
    }
    assertThat(some.fingerprint()).isNotEqualTo(all.fingerprint());
  }

  @Test
  void shouldReadKeyPoints() throws IOException {
    CocoKeyPoints dataset =
        CocoKeyPoints.of(images, keyPoints, CocoOptions.DEFAULT.withoutUnannotated());
    List<String[]> expected = expected("keypoints");
    assertThat(dataset.categories().get(0).keyPoints())
        .containsExactly("nose", "left_eye", "right_eye");
    int at = 0;
    for (long i = 0; i < dataset.size(); i++) {
      CocoKeyPoints.Sample sample = dataset.get(i);
      assertThat(sample.points().shape()).isEqualTo(Shape.of(sample.labels().count(), 3, 2));
      for (int object = 0; object < sample.labels().count(); object++) {
        String[] triples = expected.get(at++)[6].split(":", -1);
        for (int point = 0; point < 3; point++) {
          int place = 3 * object + point;
          assertThat(sample.points().toArray()[2 * place])
              .isEqualTo(Float.parseFloat(triples[3 * point]));
          assertThat(sample.points().toArray()[2 * place + 1])
              .isEqualTo(Float.parseFloat(triples[3 * point + 1]));
          assertThat(sample.visibility().toArray()[place])
              .isEqualTo(Long.parseLong(triples[3 * point + 2]));
        }
      }
    }
    assertThat(at).isEqualTo(3);
    CocoKeyPoints all = CocoKeyPoints.of(images, keyPoints);
    assertThat(all.get(1).points().shape()).isEqualTo(Shape.of(0, 3, 2));
    assertThatThrownBy(() -> CocoKeyPoints.of(images, instances))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("instances.json, $.annotations[0]", "no keypoints");
  }

  @Test
  void shouldReadCaptions() throws IOException {
    CocoCaptions dataset = CocoCaptions.of(images, captions);
    assertThat(dataset.get(2).captions()).containsExactly("A dog on a \"mat\".", "A mat.");
    assertThat(dataset.get(0).captions()).containsExactly("Zwei Hunde \u2013 nichts weiter.");
    assertThat(dataset.get(1).captions()).isEmpty();
    assertThatThrownBy(() -> CocoCaptions.of(images, instances))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("no caption");
    assertThatThrownBy(() -> CocoDetection.of(images, captions))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("without image_id, category_id and bbox");
  }

  @Test
  void shouldBatchMasksThatGoWhereTheirImageGoes() throws Exception {
    Dataset<CocoInstances.Sample> dataset =
        CocoInstances.of(images, instances)
            .subset(2, 3)
            .map(JointTransform.<CocoInstances.Sample>of(RandomHorizontalFlip.of(1)));
    try (DataLoader<CocoInstances.Sample> loader = DataLoader.builder(dataset).build()) {
      for (Batch batch : loader) {
        try (batch) {
          assertThat(batch.tensor("masks").shape()).isEqualTo(Shape.of(1, 2, 25, 25));
          assertThat(batch.tensor("boxes").shape()).isEqualTo(Shape.of(1, 2, 4));
          assertThat(batch.tensor("image").shape()).isEqualTo(Shape.of(1, 3, 25, 25));
        }
      }
    }
  }

  private void refuse(String json, String... words) throws IOException {
    Files.writeString(instances, json);
    assertThatThrownBy(() -> CocoInstances.of(images, instances))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining(instances.toString())
        .hasMessageContainingAll(words);
  }

  @Test
  void shouldRefuseDamagedAnnotationsByNameAndPlace() throws IOException {
    String image = "{\"id\": 9, \"file_name\": \"000000000009.jpg\"}";
    String box = "\"bbox\": [1, 2, 3, 4]";
    refuse("", "$");
    refuse("[]", "$");
    refuse("{\"images\": [" + image, "$.images");
    refuse("{\"images\": [" + image + "], \"annotations\": []} x", "$");
    refuse("{\"images\": [{\"id\": 9}]}", "$.images[0]", "file_name");
    refuse("{\"images\": [" + image + "]}", "no annotations");
    refuse("{\"images\": [], \"annotations\": []}", "no images");
    refuse("{\"images\": [" + image + "," + image + "], \"annotations\": []}", "two images", "9");
    refuse(
        "{\"images\": [" + image + "], \"annotations\": [{\"image_id\": 9}]}",
        "$.annotations[0]",
        "bbox");
    refuse(
        "{\"images\": [" + image + "], \"annotations\": [{\"bbox\": [1, 2, 3]}]}",
        "$.annotations[0].bbox",
        "3 numbers");
    refuse(
        "{\"images\": [" + image + "], \"annotations\": [{\"bbox\": [1, 2, 3, \"x\"]}]}",
        "$.annotations[0].bbox[3]");
    refuse(
        "{\"images\": [" + image + "], \"annotations\": [{\"bbox\": [1, 2, 3, \"0x1p3\"]}]}",
        "$.annotations[0].bbox[3]",
        "expected a number");
    refuse(
        "{\"images\": ["
            + image
            + "], \"annotations\": [{\"image_id\": 9, \"category_id\": 77, "
            + box
            + "}]}",
        "category 77");
    refuse(
        "{\"images\": [" + image + "], \"annotations\": [{\"segmentation\": {\"size\": [1]}}]}",
        "$.annotations[0].segmentation");
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
    CocoDetection boxes = CocoDetection.of(images, instances);
    assertThatThrownBy(() -> boxes.get(0))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(instances.toString(), "image 9", "a box with the");
  }

  @Test
  void shouldRefuseWhatIsNestedDeepOrNoUnicode() throws IOException {
    refuse("{\"images\": " + "[".repeat(100_000), "images");
    refuse("{\"info\": " + "{\"a\":".repeat(100_000), "info");
    Files.write(instances, new byte[] {'{', '"', (byte) 0xff, '"'});
    assertThatThrownBy(() -> CocoInstances.of(images, instances))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(instances.toString());
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
        CocoInstances dataset = CocoInstances.of(images, instances);
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
    CocoDetection dataset = CocoDetection.of(images, instances);
    assertThatThrownBy(() -> dataset.get(0))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("000000000009.jpg", "20 x 30", "21 x 30", "instances.json");
    Files.delete(images.resolve("000000000012.jpg"));
    assertThatThrownBy(() -> dataset.get(1))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("000000000012.jpg");
  }
}
