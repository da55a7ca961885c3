package io.feedline.formats.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.ImageStoreBuilder;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The behavior of images in the columns of every format of tables. pyarrow has made equal fixtures
 * of each format; {@code values.txt} beside them has the labels and checksums of their images.
 */
public abstract class TableImagesContract {

  private final String format;
  private final String group;
  private final String sound;
  private final List<String> parts;

  @TempDir protected Path directory;

  /**
   * The images of a format.
   *
   * @param format its name, and the suffix of its files
   * @param group the name of a file's parts in messages
   * @param sound the file of 12 images, without the suffix
   * @param parts two files of six images that are one dataset
   */
  protected TableImagesContract(String format, String group, String sound, String... parts) {
    this.format = format;
    this.group = group;
    this.sound = sound;
    this.parts = List.of(parts);
  }

  protected final ImageDataset open(Path path) throws IOException {
    return TableImages.builder(path).build();
  }

  protected final Path fixture(String... names) throws IOException {
    return FixtureFiles.copy(getClass(), directory, names);
  }

  /** Labels and checksums of a file's images, as the script has noted them. */
  protected final List<String> noted(String name) {
    return FixtureFiles.lines(getClass(), "values.txt").stream()
        .filter(line -> line.startsWith(name + ","))
        .map(line -> line.substring(name.length() + 1))
        .toList();
  }

  protected static List<String> read(ImageDataset images) throws IOException {
    List<String> read = new ArrayList<>();
    for (long i = 0; i < images.size(); i++) {
      EncodedImage image = images.encoded(i);
      assertThat(images.label(i)).isEqualTo(image.label());
      read.add(image.label() + "," + FixtureFiles.crc(image.bytes()));
    }
    return read;
  }

  protected final void requireImages(String name) throws IOException {
    try (ImageDataset images = open(fixture(name))) {
      assertThat(read(images)).isEqualTo(noted(name)).isNotEmpty();
      assertThat(images.classes()).containsExactly("ant", "bee", "cat");
      assertThat(images.get(1).image().width()).isEqualTo(18);
      images.store().checkStructure();
    }
  }

  @Test
  void shouldTakeTheFilesOfADirectoryForOneDataset() throws IOException {
    Path first = fixture(parts.toArray(String[]::new));
    List<String> expected = new ArrayList<>(noted(parts.get(0)));
    expected.addAll(noted(parts.get(1)));
    Path pattern = first.resolveSibling("*-of-00002." + format);
    for (Path path : List.of(first.getParent(), pattern)) {
      try (ImageDataset images = open(path)) {
        assertThat(read(images)).isEqualTo(expected).hasSize(12);
        assertThat(images.store().shardSizes()).containsExactly(4, 2, 4, 2);
        assertThat(images.describe(9))
            .isEqualTo(directory.resolve(parts.get(1)) + ", " + group + " 0, row 3");
      }
      assertThat(StoreFormat.of(path).name()).isEqualTo(format);
    }
  }

  @Test
  void shouldReadListedFilesInTheirOrder() throws IOException {
    fixture(parts.toArray(String[]::new));
    List<Path> files = List.of(directory.resolve(parts.get(1)), directory.resolve(parts.get(0)));
    List<String> expected = new ArrayList<>(noted(parts.get(1)));
    expected.addAll(noted(parts.get(0)));
    try (ImageDataset images = TableImages.builder(files).build();
        TableDataset<Map<String, Object>> rows = TableDataset.builder(files).build()) {
      assertThat(read(images)).isEqualTo(expected);
      assertThat(rows.size()).isEqualTo(12);
      assertThat(rows.describe(0)).startsWith(files.get(0).toString());
    }
    assertThatThrownBy(() -> TableDataset.builder(List.<Path>of()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("one file or more");
  }

  @Test
  void shouldMissAFileOfADataset() throws IOException {
    Path pattern = fixture(parts.get(0)).resolveSibling("*-of-00002." + format);

    assertThatThrownBy(() -> open(pattern))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("1 of 2 shards are missing: [1]");
    try (ImageDataset images = TableImages.builder(pattern).allowMissingShards(true).build()) {
      assertThat(images.size()).isEqualTo(6);
    }
  }

  @Test
  void shouldReadNullsAsWhatTheyMean() throws IOException {
    String name = "nulls." + format;
    try (ImageDataset images = open(fixture(name))) {
      assertThat(images.labels()).containsExactly(0, 1, 2, -1, -1);
      assertThat(FixtureFiles.crc(images.encoded(3).bytes()))
          .isEqualTo(noted(name).get(3).split(",", -1)[1]);
      for (int index : new int[] {1, 2}) {
        assertThatThrownBy(() -> images.encoded(index))
            .isInstanceOf(FormatException.class)
            .hasMessageContainingAll(
                "%s, %s 0, row %d".formatted(name, group, index),
                "image.bytes is null",
                "elsewhere");
      }
    }
  }

  @Test
  void shouldTakeAColumnOfNullsForNoLabels() throws IOException {
    try (ImageDataset images = open(fixture("labels/nulls." + format))) {
      assertThat(images.labels()).containsExactly(-1, -1);
    }
  }

  /** As the directories of a folder of images are. */
  @ParameterizedTest
  @ValueSource(strings = {"texts", "dictionary"})
  void shouldMakeClassesOfTexts(String name) throws IOException {
    Path file = fixture("labels/" + name + "." + format);
    try (ImageDataset images = ImageDataset.open(file)) {
      assertThat(images.classes()).containsExactly("ant", "bee");
      assertThat(images.labels()).containsExactly(0, 1);
      assertThat(images.encoded(1).label()).isEqualTo(1);
    }
    try (ImageDataset images = TableImages.builder(file).classes(List.of("bee", "ant")).build()) {
      assertThat(images.labels()).containsExactly(1, 0);
    }
    assertThatThrownBy(() -> TableImages.builder(file).classes(List.of("bee")).build())
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("column label", "'ant'", "[bee]");
  }

  /** A label of -1 everywhere would train without a word. */
  protected final void requireRefusedLabels(String name, String column) throws IOException {
    Path file = fixture("labels/" + name + "." + format);
    for (ImageStoreBuilder<?> builder :
        List.of(
            TableImages.builder(file),
            TableImages.builder(file).labelField(column.replaceFirst(" .*", "")))) {
      assertThatThrownBy(builder::build)
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll(
              file.toString(), column, "whole numbers or texts", "label-field");
    }
    try (ImageDataset images = TableImages.builder(file).withoutLabels().build()) {
      assertThat(images.labels()).containsExactly(-1, -1);
    }
  }

  protected final void requireRefusedColumn(String name, String option) throws IOException {
    Path file = fixture(name);
    String[] parts = option.split("=", -1);
    StoreOptions options = StoreOptions.of(Map.of(parts[0], parts[1]));

    assertThatThrownBy(() -> StoreFormat.named(format).open(file, options))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(name, parts[1]);
  }

  protected final void requireSize(String name, int samples) throws IOException {
    try (ImageDataset images = open(fixture(name))) {
      assertThat(read(images)).isEqualTo(noted(name)).hasSize(samples);
      images.store().checkStructure();
    }
  }

  @Test
  void shouldTakeKeysFromAColumn() throws IOException {
    Path file = fixture(sound + "." + format);
    try (ImageDataset images = TableImages.builder(file).keyField("image.path").build()) {
      assertThat(images.encoded(7).key()).isEqualTo("7.png");
    }
    try (ImageDataset images = open(file)) {
      assertThat(images.encoded(7).key()).isEqualTo("07");
    }
  }

  @Test
  void shouldLeaveLabelsOut() throws IOException {
    Path file = fixture(sound + "." + format);
    StoreOptions options = StoreOptions.of(Map.of("label-field", ""));
    try (ImageStore store = StoreFormat.of(file).open(file, options)) {
      assertThat(store.read(1).label()).isEqualTo(EncodedImage.NO_LABEL);
      assertThat(store.label(0)).isEqualTo(EncodedImage.NO_LABEL);
    }
  }
}
