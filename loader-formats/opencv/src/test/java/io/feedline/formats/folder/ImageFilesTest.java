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
import io.feedline.data.FormatException;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.ImageDataset.NamedImage;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.transform.Resize;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImageFilesTest {

  @TempDir private Path root;

  /** Five images, and files that are not images. */
  @BeforeEach
  void putImages() throws IOException {
    put("b.jpg", "jpeg_420.jpg");
    put("a.PNG", "png_rgb.png");
    put("sub/c.bmp", "bmp_24.bmp");
    put("sub/deep/d.jpg", "jpeg_grey.jpg");
    put("sub-1/e.webp", "webp_lossy.webp");
    put("notes.txt", "png_1x1.png");
    put("._b.jpg", "png_1x1.png");
    put(".thumbnails/b.jpg", "png_1x1.png");
  }

  private Path put(String path, String fixture) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    return Files.write(file, Fixtures.bytes(fixture));
  }

  private Path csv(String... lines) throws IOException {
    return Files.write(root.resolve("list.csv"), List.of(lines));
  }

  private List<String> files(ImageDataset images) throws IOException {
    List<String> files = new ArrayList<>();
    for (long i = 0; i < images.size(); i++) {
      Path path = images.path(i);
      assertThat(images.describe(i)).isEqualTo(path.toString());
      assertThat(images.encoded(i).bytes()).isEqualTo(Files.readAllBytes(path));
      files.add(root.relativize(path).toString());
    }
    return files;
  }

  @Nested
  class OfADirectory extends DatasetContract<LabeledImage> {
    @Override
    protected Dataset<LabeledImage> dataset() throws IOException {
      return ImageFiles.of(root);
    }
  }

  @Nested
  class OfACsv extends DatasetContract<LabeledImage> {
    @Override
    protected Dataset<LabeledImage> dataset() throws IOException {
      return ImageFiles.ofCsv(csv("id,breed", "b.jpg,pug", "a.PNG,collie"), "id", "breed");
    }
  }

  @Nested
  class Named extends DatasetContract<NamedImage> {
    @Override
    protected Dataset<NamedImage> dataset() throws IOException {
      return ImageFiles.of(root).named();
    }
  }

  @Test
  void shouldListADirectoryAndThoseBelowInOrder() throws IOException {
    ImageDataset images = ImageFiles.of(root);

    assertThat(files(images))
        .containsExactly("a.PNG", "b.jpg", "sub/c.bmp", "sub-1/e.webp", "sub/deep/d.jpg")
        .isEqualTo(files(ImageFiles.of(root)));
    assertThat(images.labels()).containsOnly(EncodedImage.NO_LABEL);
    assertThat(images.classes()).isEmpty();
    assertThat(images.path()).isEqualTo(root);
    assertThat(images.name()).isEqualTo("ImageFiles(" + root + ")");
    assertThat(images.encoded(2).key()).isEqualTo("sub/c");
    assertThat(images.encoded(0).extension()).isEqualTo("PNG");
    assertThat(images.get(4).image().height()).isEqualTo(27);
  }

  @Test
  void shouldTakeTheFilesThatAreAskedFor() throws IOException {
    assertThat(files(ImageFiles.builder(root).recursive(false).build()))
        .containsExactly("a.PNG", "b.jpg");
    assertThat(files(ImageFiles.builder(root).extensions(".JPG", ".txt").build()))
        .containsExactly("b.jpg", "notes.txt", "sub/deep/d.jpg");
    assertThat(files(ImageFiles.builder(root).filter(path -> path.endsWith("sub/c.bmp")).build()))
        .containsExactly("sub/c.bmp");
  }

  @Test
  void shouldSayWhatItLookedForWhereThereAreNoImagesOrNoDirectory() throws IOException {
    Path empty = Files.createDirectories(root.resolve("empty/.hidden")).getParent();
    put("empty/.hidden/a.jpg", "png_1x1.png");
    put("deep/empty/a.jpg", "png_1x1.png");

    assertThatThrownBy(() -> ImageFiles.of(empty))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContainingAll("no images in " + empty + " or below", "looked for .jpg");
    assertThatThrownBy(() -> ImageFiles.builder(root.resolve("deep")).recursive(false).build())
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("directories below are not entered");
    assertThatThrownBy(() -> ImageFiles.builder(root).filter(path -> false).build())
        .hasMessageContaining("the filter accepted none");
    assertThatThrownBy(() -> ImageFiles.builder(root).extensions("jpg").build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("beginning with a dot");
    Path file = root.resolve("b.jpg");
    assertThatThrownBy(() -> ImageFiles.of(file))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContainingAll(file.toString(), "ofCsv", "of(List.of(path))");
    assertThatThrownBy(() -> ImageFiles.of(root.resolve("absent")))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContainingAll("absent", "no such directory");
  }

  @Test
  void shouldKeepTheOrderOfAListOfAnyPathsAndTakeAFileTwice() throws IOException {
    Path relative = Path.of("").toAbsolutePath().relativize(root.resolve("b.jpg"));
    Path absolute = root.resolve("sub/c.bmp");
    ImageDataset images =
        ImageFiles.of(List.of(absolute, relative, root.resolve("notes.txt"), absolute));

    assertThat(images.size()).isEqualTo(4);
    assertThat(images.path(1)).isEqualTo(relative);
    assertThat(images.path(3)).isEqualTo(absolute);
    assertThat(images.get(1).image().description()).isEqualTo(relative.toString());
    assertThat(images.get(3).image().width()).isPositive();
    assertThat(files(ImageFiles.of(List.of(absolute, root.resolve("notes.txt"), absolute))))
        .containsExactly("sub/c.bmp", "notes.txt", "sub/c.bmp");
    assertThat(images.labels()).containsOnly(EncodedImage.NO_LABEL);
  }

  @Test
  void shouldRefuseAListWithNothingOrWithFilesThatAreNotThere() {
    refused(IllegalArgumentException.class, () -> ImageFiles.of(List.of()), "one or more");
    assertThatThrownBy(() -> ImageFiles.of(List.of(root.resolve("b.jpg"), root.resolve("x.jpg"))))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContainingAll("x.jpg", "position 1", "does not exist");
    assertThatThrownBy(() -> ImageFiles.of(List.of(root.resolve("sub"))))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContainingAll("sub", "position 0", "is not a file");
  }

  @Test
  void shouldNumberTheClassesOfACsvInTheirOrder() throws IOException {
    Path csv =
        csv(
            "breed,\"file, name\",size",
            "pug,b.jpg,1",
            "\"collie, \"\"rough\"\"\",a.PNG,2",
            "pug,sub/c.bmp,3",
            "pug,b.jpg,4");

    ImageDataset images = ImageFiles.ofCsv(csv, "file, name", "breed");

    assertThat(files(images)).containsExactly("b.jpg", "a.PNG", "sub/c.bmp", "b.jpg");
    assertThat(images.classes()).containsExactly("collie, \"rough\"", "pug");
    assertThat(images.labels()).containsExactly(1, 0, 1, 1);
    assertThat(images.get(1).label()).isZero();
    assertThat(images.path()).isEqualTo(csv);
    assertThat(ImageFiles.ofCsv(csv, "file, name").labels()).containsOnly(-1);
  }

  @Test
  void shouldTakeNumbersForLabels() throws IOException {
    ImageDataset images =
        ImageFiles.ofCsv(csv("id,y", "b.jpg,10", "a.PNG,0", "b.jpg,02"), "id", "y");

    assertThat(images.labels()).containsExactly(10, 0, 2);
    assertThat(images.classes()).isEmpty();
    assertThat(ImageFiles.ofCsv(csv("id,y", "b.jpg,10", "a.PNG,x"), "id", "y").classes())
        .containsExactly("10", "x");
  }

  @Test
  void shouldTakeTheClassesThatAreGiven() throws IOException {
    Path csv = csv("id,y", "b.jpg,pug", "a.PNG,1");
    List<String> classes = List.of("pug", "collie", "1");

    ImageDataset images = ImageFiles.csvBuilder(csv, "id").labelField("y").classes(classes).build();

    assertThat(images.labels()).containsExactly(0, 2);
    assertThat(images.classes()).isEqualTo(classes);
    assertThatThrownBy(
            () -> ImageFiles.csvBuilder(csv, "id").labelField("y").classes(List.of("pug")).build())
        .isInstanceOf(FormatException.class)
        .hasMessage(csv + ": line 3: label '1' is none of the classes [pug]");
    assertThatThrownBy(
            () ->
                ImageFiles.csvBuilder(csv, "id")
                    .labelField("y")
                    .classes(List.of("pug", "pug"))
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[pug, pug]");
    assertThatThrownBy(() -> ImageFiles.csvBuilder(csv, "id").classes(classes).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("labelField");
  }

  @Test
  void shouldFindFilesElsewhereAndWithoutTheirExtension() throws IOException {
    Path lists = Files.createDirectories(root.resolve("lists"));
    Path csv = Files.write(lists.resolve("a.csv"), List.of("id;y", "b;1", "sub/deep/d;2"));

    ImageDataset images =
        ImageFiles.csvBuilder(csv, "id")
            .labelField("y")
            .delimiter(';')
            .root(root)
            .suffix(".jpg")
            .build();

    assertThat(files(images)).containsExactly("b.jpg", "sub/deep/d.jpg");
    Path absolute = csv("id", root.resolve("b.jpg").toString(), "sub/../a.PNG");
    assertThat(ImageFiles.ofCsv(absolute, "id").path(0)).isEqualTo(root.resolve("b.jpg"));
    assertThat(ImageFiles.ofCsv(absolute, "id").get(1).image().width()).isPositive();
    assertThatThrownBy(() -> ImageFiles.csvBuilder(csv, "id").delimiter('"'))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldNameMissingFilesWithTheirLines() throws IOException {
    Path csv = csv("id", "b.jpg", "x1", "sub", "x3", "x4");

    assertThatThrownBy(() -> ImageFiles.ofCsv(csv, "id"))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContainingAll(
            csv.toString(),
            "line 3: " + root.resolve("x1") + " does not exist",
            "line 4: " + root.resolve("sub") + " is not a file",
            "line 5: ",
            "4 of the 5 files are missing",
            "count from " + root)
        .hasMessageNotContaining("line 6");

    ImageDataset unchecked = ImageFiles.csvBuilder(csv, "id").checkFiles(false).build();
    assertThat(unchecked.size()).isEqualTo(5);
    assertThat(unchecked.get(0).image().width()).isPositive();
    refused(IOException.class, () -> unchecked.get(1), root.resolve("x1").toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "file,y/b.jpg,1 | there is no column 'id'; the first line names 'file', 'y'",
        "id;y/b.jpg;1 | names 'id;y'. Is the delimiter another?",
        "id,id/b.jpg,1 | two columns are called 'id'",
        "id/b.jpg | there is no column 'y'",
        "id,y/b.jpg,1/b.jpg | line 3: 1 field, but the first line names 2 columns",
        "id,y/b.jpg,1,2 | line 2: 3 fields, but the first line names 2 columns",
        "id,y/b.jpg,1/,2 | line 3: column 'id' is empty",
        "id,y/b.jpg, | line 2: column 'y' is empty",
        "id,y/b.jpg,0/b.jpg,-1 | line 3: label '-1' is out of range",
        "id,y/b.jpg,2147483648 | line 2: label '2147483648' is out of range",
        "id,y/b.jpg,99999999999999999999 | line 2: label '99999999999999999999' is out of range",
        "id,y/b.jpg,1/a\0b.jpg,2 | line 3: 'a\0b.jpg' is not a name of a file",
        "id,y | no rows",
        "/ | an empty file",
      })
  void shouldNameTheLineOfWhatIsWrong(String lines, String message) throws IOException {
    Path csv = csv(lines.split("/", -1));

    refused(FormatException.class, () -> ImageFiles.ofCsv(csv, "id", "y"), csv + ": ", message);
  }

  @Test
  void shouldTellOtherListsByTheirFingerprint() throws IOException {
    List<String> fingerprints = new ArrayList<>();
    for (String[] lines :
        List.of(
            new String[] {"id,y", "b.jpg,1", "a.PNG,2"},
            new String[] {"id,y", "b.jpg,1", "a.PNG,1"},
            new String[] {"id,y", "a.PNG,2", "b.jpg,1"},
            new String[] {"id,y", "b.jpg,1"},
            new String[] {"id,y", "b.jpg,1", "sub/c.bmp,2"})) {
      fingerprints.add(ImageFiles.ofCsv(csv(lines), "id", "y").fingerprint());
    }
    fingerprints.add(ImageFiles.of(root).fingerprint());
    fingerprints.add(ImageFiles.builder(root).recursive(false).build().fingerprint());
    assertThat(fingerprints).doesNotHaveDuplicates();

    Path csv = csv("y,id,z", "1,b.jpg,9", "2,a.PNG,9");
    assertThat(ImageFiles.ofCsv(csv, "id", "y").fingerprint()).isEqualTo(fingerprints.get(0));
    for (String name : List.of("photos", "ImageFiles")) {
      Path copy = put(name + "/d.jpg", "jpeg_grey.jpg");
      assertThat(ImageFiles.of(copy.getParent()).fingerprint())
          .isEqualTo(ImageFiles.of(root.resolve("sub/deep")).fingerprint())
          .isEqualTo(ImageFiles.of(List.of(copy)).fingerprint());
    }
  }

  @Test
  void shouldGiveBatchesOfImagesAndTheirNames() throws Exception {
    Dataset<NamedImage> images =
        ImageFiles.of(root).withTransform(Resize.of(8, 9)).subset(1, 4).named();
    try (DataLoader<NamedImage> loader =
        DataLoader.builder(images).batchSize(2).numWorkers(2).build()) {
      List<Object> names = new ArrayList<>();
      for (Batch batch : loader) {
        try (batch) {
          assertThat(batch.tensors()).containsOnlyKeys("image");
          assertThat(batch.tensor("image").shape()).isEqualTo(Shape.of(batch.size(), 3, 8, 9));
          names.addAll(batch.values("name"));
        }
      }
      assertThat(names)
          .containsExactly(
              root.resolve("b.jpg").toString(),
              root.resolve("sub/c.bmp").toString(),
              root.resolve("sub-1/e.webp").toString());
    }
  }

  @Test
  void shouldBeOpenedAsAnyFormat() throws IOException {
    Path flat = root.resolve("sub/deep");
    Path csv = csv("id,y", "b.jpg,pug");

    assertThat(files(ImageDataset.open(flat))).containsExactly("sub/deep/d.jpg");
    assertThat(StoreFormat.of(csv).name()).isEqualTo("imagefiles");
    assertThat(StoreFormat.of(root).name()).isEqualTo("imagefolder");
    StoreOptions options = StoreOptions.of(Map.of("image-field", "id", "label-field", "y"));
    assertThat(ImageDataset.open(csv, options).classes()).containsExactly("pug");
    assertThat(ImageDataset.open(csv, options.with("label-field", "")).classes()).isEmpty();
    assertThatThrownBy(() -> ImageDataset.open(csv))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(csv.toString(), "image-field");
    assertThatThrownBy(() -> ImageDataset.open(flat, options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a directory of images has no option");
    assertThatThrownBy(() -> StoreFormat.named("imagefiles").create(flat, null))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void shouldReadFilesOfAnotherFileSystem() throws IOException {
    try (FileSystem files = Jimfs.newFileSystem(Configuration.unix())) {
      Path there = Files.createDirectories(files.getPath("/there/sub"));
      Files.copy(root.resolve("b.jpg"), there.resolve("b.jpg"));
      Path csv = Files.writeString(files.getPath("/there/list.csv"), "id,breed\nsub/b.jpg,pug\n");

      ImageDataset images = ImageFiles.ofCsv(csv, "id", "breed");

      assertThat(images.encoded(0).bytes()).isEqualTo(Fixtures.bytes("jpeg_420.jpg"));
      assertThat(images.path(0)).isEqualTo(there.resolve("b.jpg"));
      assertThat(ImageFiles.of(List.of(there.resolve("b.jpg"))).get(0).image().width())
          .isEqualTo(35);
      assertThatThrownBy(() -> ImageFiles.of(List.of(root.resolve("b.jpg"), csv)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("one file system");
      refused(IOException.class, () -> ImageFolder.of(files.getPath("/nowhere")), "/nowhere");
    }
  }
}
