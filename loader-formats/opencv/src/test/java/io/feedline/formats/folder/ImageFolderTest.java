package io.feedline.formats.folder;

import static io.feedline.formats.store.Refusals.refused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.feedline.DataLoader;
import io.feedline.ErrorPolicy;
import io.feedline.batch.Batch;
import io.feedline.batch.Shape;
import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.data.FormatException;
import io.feedline.data.Quarantine;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.transform.CenterCrop;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.formats.image.transform.Resize;
import io.feedline.formats.store.EncodedImage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageFolderTest extends DatasetContract<LabeledImage> {

  @TempDir Path root;

  /** Two classes of images, for the contract and for the tests below alike. */
  @Override
  protected Dataset<LabeledImage> dataset() throws IOException {
    put("cat/1.jpg", "jpeg_420.jpg");
    put("cat/2.png", "png_rgb.png");
    put("cat/deep/3.bmp", "bmp_24.bmp");
    put("dog/1.jpg", "jpeg_grey.jpg");
    put("dog/2.webp", "webp_lossy.webp");
    return ImageFolder.of(root);
  }

  private Path put(String path, String fixture) throws IOException {
    return put(path, Fixtures.bytes(fixture));
  }

  private Path put(String path, byte[] data) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    return Files.write(file, data);
  }

  private static List<String> listing(ImageDataset folder) throws IOException {
    List<String> lines = new ArrayList<>();
    for (long i = 0; i < folder.size(); i++) {
      String path = folder.path().relativize(folder.path(i)).toString();
      int label = folder.label(i);
      lines.add("%d %s %s".formatted(label, folder.classes().get(label), path));
    }
    return lines;
  }

  @Test
  void shouldListWhatTorchvisionLists(@TempDir Path folder) throws IOException {
    assumeThat(System.getProperty("sun.jnu.encoding"))
        .as("the folder's names need a UTF-8 locale")
        .isEqualTo("UTF-8");
    List<String> expected = Fixtures.lines("folder_listing.txt");
    for (String line : Fixtures.lines("folder.txt")) {
      String[] parts = line.split(" -> ", -1);
      Path path = folder.resolve(parts[0]);
      Files.createDirectories(path.getParent());
      if (parts.length == 2) {
        Files.createSymbolicLink(path, Path.of(parts[1]));
      } else {
        Files.createFile(path);
      }
    }

    ImageDataset listed = ImageFolder.of(folder);

    assertThat(listing(listed)).isEqualTo(expected);
    assertThat(listed.classes())
        .containsExactly(".dot", "Z", "a", "b", "linked", "\uFF5Ewide", "\uD83D\uDE00emoji");
  }

  @Test
  void shouldGiveTheImageItsLabelAndItsBytes() throws IOException {
    put("dog/deeper/.odd.name.jpg", "jpeg_444.jpg");
    ImageDataset folder = ImageFolder.of(root);

    LabeledImage sample = folder.get(3);
    EncodedImage odd = folder.encoded(5);

    assertThat(sample.label()).isEqualTo(1);
    assertThat(sample.image().pixels().rgb()).isEqualTo(Fixtures.bytes("jpeg_grey.jpg.rgb"));
    assertThat(folder.labels()).containsExactly(0, 0, 0, 1, 1, 1);
    assertThat(folder.classToIndex()).containsExactly(Map.entry("cat", 0), Map.entry("dog", 1));
    assertThat(folder.describe(3)).isEqualTo(root.resolve("dog/1.jpg").toString());
    assertThat(odd.key()).isEqualTo("dog/deeper/.odd.name");
    assertThat(odd.bytes()).isEqualTo(Fixtures.bytes("jpeg_444.jpg"));
    assertThat(odd.label()).isEqualTo(1);
  }

  @Test
  void shouldReadNoFileUntilASampleIsAskedFor() throws IOException {
    Path file = put("dog/3.jpg", "jpeg_444.jpg");
    ImageDataset folder = ImageFolder.of(root);
    Files.delete(file);

    put("cat/1.jpg", "jpeg_1x1.jpg");
    assertThat(folder.get(0).image().width()).isEqualTo(1);
    assertThat(folder.size()).isEqualTo(6);
    assertThat(folder.describe(5)).isEqualTo(file.toString());
    assertThat(folder.label(5)).isEqualTo(1);
    refused(IOException.class, () -> folder.get(5), file.toString(), "no such file");
  }

  @Test
  void shouldRefuseLinksThatLeadInACircle() throws IOException {
    Path link = Files.createSymbolicLink(root.resolve("cat/deep/up"), Path.of(".."));
    refused(FileSystemException.class, () -> ImageFolder.of(root), link.toString(), "never end");

    Files.delete(link);
    Files.createSymbolicLink(root.resolve("cat/there"), Path.of("../dog"));
    Files.createSymbolicLink(root.resolve("dog/back"), Path.of("../cat"));
    refused(FileSystemException.class, () -> ImageFolder.of(root), "never end");
  }

  @Test
  void shouldListADirectoryTwiceThatTwoLinksLeadTo() throws IOException {
    Files.createSymbolicLink(root.resolve("dog/x"), Path.of("../cat/deep"));
    Files.createSymbolicLink(root.resolve("dog/y"), Path.of("../cat/deep"));

    assertThat(listing(ImageFolder.of(root))).contains("1 dog dog/x/3.bmp", "1 dog dog/y/3.bmp");
  }

  @Test
  void shouldNameTheClassesThatHaveNoImagesUnlessTheyAreAllowed() throws IOException {
    put("empty/notes.txt", "png_1x1.png");
    Files.createDirectories(root.resolve("bare"));

    refused(FileNotFoundException.class, () -> ImageFolder.of(root), "bare, empty", ".webp");
    ImageDataset folder = ImageFolder.builder(root).allowEmpty(true).build();
    assertThat(folder.classes()).containsExactly("bare", "cat", "dog", "empty");
    assertThat(folder.labels()).containsExactly(1, 1, 1, 2, 2);
  }

  @Test
  void shouldRestrictItselfToGivenClassesAndTheirIndexes() throws IOException {
    ImageDataset folder = ImageFolder.builder(root).classToIndex(Map.of("dog", 5)).build();
    assertThat(folder.classes()).containsExactly("dog");
    assertThat(folder.labels()).containsExactly(5, 5);

    ImageFolder.Builder withoutDirectory =
        ImageFolder.builder(root).classToIndex(Map.of("dog", 0, "fox", 1));
    refused(FileNotFoundException.class, withoutDirectory::build, "fox");
    assertThat(withoutDirectory.allowEmpty(true).build().size()).isEqualTo(2);
    assertThatThrownBy(() -> ImageFolder.builder(root).classToIndex(Map.of("dog", -1)).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("dog=-1");
  }

  @Test
  void shouldTakeTheFilesThatAreAskedFor() throws IOException {
    put("cat/raw", "png_rgb.png");
    put("dog/raw", "png_grey.png");
    put("cat/1.XYZ", "png_rgb.png");
    put("dog/1.xyz", "png_grey.png");

    assertThat(listing(ImageFolder.builder(root).filter(path -> path.endsWith("raw")).build()))
        .containsExactly("0 cat cat/raw", "1 dog dog/raw");
    assertThat(listing(ImageFolder.builder(root).extensions(".Xyz").build()))
        .containsExactly("0 cat cat/1.XYZ", "1 dog dog/1.xyz");
    assertThatThrownBy(
            () -> ImageFolder.builder(root).extensions(".jpg").filter(path -> true).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not both");
    for (String extension : List.of("jpg", "")) {
      assertThatThrownBy(() -> ImageFolder.builder(root).extensions(extension).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("beginning with a dot");
    }
  }

  @Test
  void shouldNameADirectoryThatIsMissingOrAFileOrWithoutClasses() throws IOException {
    assertThatThrownBy(() -> ImageFolder.of(root.resolve("nowhere")))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("nowhere", "the nearest directory that exists is " + root);
    assertThatThrownBy(() -> ImageFolder.of(root.resolve("cat/1.jpg")))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("1.jpg", "not a directory");
    Path flat = root.resolve("cat/deep");
    assertThatThrownBy(() -> ImageFolder.of(flat))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContainingAll("no class directories in " + flat, "It has 1 image of its own")
        .hasMessageEndingWith("read by ImageFiles.of(directory)");
    Path empty = Files.createDirectory(root.resolve("new"));
    assertThatThrownBy(() -> ImageFolder.of(empty))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContainingAll(
            "no class directories in " + empty,
            empty.resolve("cat/1.jpg").toString(),
            "no images of its own either");
  }

  @Test
  void shouldTransformImagesAndKeepLabelsAndPaths() throws Exception {
    ImageDataset folder = ImageFolder.of(root);

    Dataset<LabeledImage> small = folder.withTransform(Resize.of(9));

    assertThat(small.get(3).image().height()).isEqualTo(9);
    assertThat(small.get(3).label()).isEqualTo(1);
    assertThat(small.describe(3)).isEqualTo(folder.describe(3));
  }

  @Test
  void shouldDeliverTheSameRandomCropsForAnyNumberOfWorkersAndOthersInEachEpoch()
      throws IOException {
    List<List<Long>> streams = new ArrayList<>();
    for (int workers : new int[] {0, 1, 2, 8, 2}) {
      try (ImageDataset folder = ImageFolder.of(root);
          DataLoader<LabeledImage> loader =
              DataLoader.builder(folder.withTransform(RandomResizedCrop.of(8)))
                  .batchSize(2)
                  .shuffle(true)
                  .numWorkers(workers)
                  .build()) {
        List<Long> stream = new ArrayList<>();
        for (int epoch = 0; epoch < 3; epoch++) {
          for (Batch batch : loader) {
            try (batch) {
              CRC32C crc = new CRC32C();
              crc.update(batch.tensor("image").bytes());
              stream.add(crc.getValue());
            }
          }
        }
        streams.add(stream);
      }
    }
    assertThat(streams.get(0)).hasSize(3 * 3).doesNotHaveDuplicates();
    assertThat(streams).allMatch(streams.get(0)::equals);
  }

  /** A folder as people have it: odd images, and broken files among the sound. */
  @Test
  void shouldTakeOddImagesAndGoOnWithoutTheBrokenOnes(@TempDir Path folder) throws IOException {
    List<String> sound =
        List.of("jpeg_1x1.jpg", "jpeg_cmyk_adobe.jpg", "jpeg_progressive.jpg", "png_rgba.png");
    byte[] whole = Fixtures.bytes("jpeg_420.jpg");
    Map<String, byte[]> files = new TreeMap<>();
    sound.forEach(name -> files.put("a/" + name, Fixtures.bytes(name)));
    files.put("b/cut.jpg", Arrays.copyOf(whole, whole.length * 2 / 3));
    files.put("b/empty.jpg", new byte[0]);
    files.put("b/text.jpg", "no image at all".getBytes(UTF_8));
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Path path = folder.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue());
    }
    ImageDataset images = ImageFolder.of(folder);
    try (DataLoader<LabeledImage> loader =
        DataLoader.builder(images.withTransform(CenterCrop.of(96)))
            .numWorkers(2)
            .errorPolicy(ErrorPolicy.skip().atMost(3))
            .build()) {
      int delivered = 0;
      for (Batch batch : loader) {
        try (batch) {
          assertThat(batch.tensor("image").shape()).isEqualTo(Shape.of(1, 3, 96, 96));
          delivered++;
        }
      }
      assertThat(delivered).isEqualTo(sound.size());
      Quarantine quarantine = loader.quarantine();
      assertThat(quarantine.entries())
          .extracting(Quarantine.Entry::description)
          .containsExactlyInAnyOrder(
              folder.resolve("b/cut.jpg").toString(),
              folder.resolve("b/empty.jpg").toString(),
              folder.resolve("b/text.jpg").toString());
      assertThat(quarantine.entries().toString()).contains("0 bytes", "not an image: 15 bytes");
      assertThat(images.without(quarantine).size()).isEqualTo(sound.size());
    }
  }

  @Test
  void shouldHaveAFingerprintOfItsFilesAndNotOfItsPlace(@TempDir Path folder) throws IOException {
    for (String copy : new String[] {"here", "there"}) {
      for (String file : new String[] {"cat/1.jpg", "cat/2.jpg", "dog/1.jpg"}) {
        Path path = folder.resolve(copy).resolve(file);
        Files.createDirectories(path.getParent());
        Files.createFile(path);
      }
    }
    String fingerprint = ImageFolder.of(folder.resolve("here")).fingerprint();
    assertThat(ImageFolder.of(folder.resolve("there")).fingerprint()).isEqualTo(fingerprint);
    Files.move(folder.resolve("there/cat/2.jpg"), folder.resolve("there/dog/2.jpg"));
    assertThat(ImageFolder.of(folder.resolve("there")).fingerprint()).isNotEqualTo(fingerprint);
  }

  @Test
  void shouldDecodeWithItsOptions() throws IOException {
    put("cat/0.jpg", "exif_6.jpg");
    ImageDataset folder = ImageFolder.of(root);
    DecodeOptions turned = DecodeOptions.DEFAULT.withExifRotation(true);
    DecodeOptions small = DecodeOptions.DEFAULT.withMaxPixels(35 * 27 - 1);

    assertThat(folder.get(0).image().width()).isEqualTo(21);
    assertThat(folder.withDecodeOptions(turned).get(0).image().width()).isEqualTo(13);
    assertThatThrownBy(() -> folder.withDecodeOptions(small).get(1))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("35 x 27", "maxPixels = 944");
  }
}
