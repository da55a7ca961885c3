package io.feedline.formats.lmdb;

import static io.feedline.formats.store.Refusals.refused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.formats.image.Image;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LmdbDatasetTest extends DatasetContract<String> {

  @TempDir Path folder;

  /**
   * Returns a database of BasicSR's layout without its list: keys are names, values are PNG files.
   */
  private Path path() throws IOException {
    return Databases.unpack("basicsr_low", folder);
  }

  @Override
  protected Dataset<String> dataset() throws IOException {
    return LmdbDataset.of(path(), (key, value) -> text(key) + ", " + value.length + " bytes");
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }

  @Test
  void shouldGiveKeysAndValuesInTheOrderOfKeys() throws Exception {
    try (LmdbDataset<Image> images =
        LmdbDataset.of(path(), (key, value) -> Image.ofEncoded(value, text(key)))) {
      List<String> keys = new ArrayList<>();
      for (int i = 0; i < images.size(); i++) {
        keys.add(text(images.key(i)));
        assertThat(images.get(i).width()).isPositive();
      }
      assertThat(keys).hasSize(3).isSorted().contains("0001_s001");
      assertThat(images.get(2).height()).isEqualTo(7);
    }
  }

  @Test
  void shouldHandOutArraysThatMayBeChanged() throws Exception {
    try (LmdbDataset<byte[]> values = LmdbDataset.of(path(), (key, value) -> value)) {
      byte[] first = values.get(0);
      assertThat(first).startsWith(0x89, 'P', 'N', 'G');
      byte[] kept = first.clone();
      first[0]++;
      values.key(0)[0]++;

      assertThat(values.get(0)).isEqualTo(kept);
      assertThat(text(values.key(0))).isEqualTo("0001_s001");
    }
  }

  @Test
  void shouldTakeMetadataForASampleThatCanBeLeftOut() throws Exception {
    Path path = Databases.ofPictures(folder.resolve("x.lmdb"));
    try (LmdbDataset<byte[]> values = LmdbDataset.of(path, (key, value) -> value)) {
      assertThat(values.size()).isEqualTo(4);
      assertThat(values.key(0)).containsExactly(0, 0, 0, 0, 0, 0, 0, 0);
      assertThat(text(values.get(3))).contains("\"kind\":\"images\"");
      assertThat(values.filterIndices(i -> values.key(i).length == Long.BYTES).size()).isEqualTo(3);
    }
  }

  @Test
  void shouldDescribeASampleByFileAndKey() throws Exception {
    try (LmdbDataset<byte[]> names = LmdbDataset.of(path(), (key, value) -> value)) {
      assertThat(names.describe(0)).endsWith("basicsr_low.lmdb/data.mdb, key 0001_s001");
      assertThat(names.describe(3)).isEqualTo("index 3");
    }
    Path numbers = Databases.ofPictures(folder.resolve("x.lmdb"));
    try (LmdbDataset<byte[]> numbered = LmdbDataset.of(numbers, (key, value) -> value)) {
      assertThat(numbered.describe(2)).endsWith("key 0x0000000000000002");
    }
  }

  @Test
  void shouldPassOnWhatTheParserThrows() throws Exception {
    Exception failure = new Exception("no sample");
    try (LmdbDataset<String> dataset =
        LmdbDataset.of(
            path(),
            (key, value) -> {
              throw failure;
            })) {
      assertThatThrownBy(() -> dataset.get(1)).isSameAs(failure);
    }
  }

  @Test
  void shouldRefuseToReadAfterClosing() throws Exception {
    Path path = Databases.unpack("caffe", folder);
    LmdbDataset<byte[]> dataset = LmdbDataset.of(path, (key, value) -> value);
    dataset.close();
    dataset.close();

    refused(IllegalStateException.class, () -> dataset.get(0), "caffe.lmdb");
    assertThatThrownBy(() -> dataset.get(dataset.size()))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void shouldOpenAnEmptyDatabase() throws Exception {
    Path empty = folder.resolve("empty.lmdb");
    Files.createDirectories(empty);
    new UnfinishedDatabase(empty).close();
    try (LmdbDataset<byte[]> dataset = LmdbDataset.of(empty, (key, value) -> value)) {
      assertThat(dataset.size()).isZero();
    }
  }
}
