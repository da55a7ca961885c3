package io.feedline.formats.webdataset;

import static io.feedline.formats.store.Refusals.refused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.webdataset.WebDataset.WebSample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebDatasetWriterTest {

  @TempDir Path root;

  private Path out() {
    return root.resolve("out");
  }

  private WebDataset.WriterBuilder builder() {
    return WebDataset.writer(out(), "train-%06d.tar");
  }

  private static WebSample sample(String key, String text) {
    return new WebSample(key, Map.of("txt", text.getBytes(UTF_8)));
  }

  @Test
  void shouldCopySamplesWithAllTheirFields() throws Exception {
    Path source = Fixtures.copy("npy.tar", root);
    try (WebDataset read = WebDataset.of(source.toString());
        StoreWriter<WebSample> writer = builder().classes(List.of("a")).open()) {
      for (int i = 0; i < read.size(); i++) {
        writer.write(read.get(i));
      }
      writer.commit();
    }
    try (WebDataset expected = WebDataset.of(source.toString());
        WebDataset copy = WebDataset.of(out() + "/train-000000.tar")) {
      assertThat(copy.size()).isEqualTo(expected.size());
      for (int i = 0; i < copy.size(); i++) {
        assertThat(copy.get(i))
            .usingRecursiveComparison()
            .ignoringFields("shard")
            .isEqualTo(expected.get(i));
      }
    }
    assertThat(ClassList.read(out().resolve("classes.json")).names()).containsExactly("a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.b", "", "a/../b", "/a", "__a__/b", "a\nb", "a\ud800"})
  void shouldRefuseAKeyThatWouldNotBeReadAgain(String key) throws Exception {
    try (StoreWriter<WebSample> writer = builder().open()) {
      writer.write(sample("0", "x"));
      assertThatThrownBy(() -> writer.write(sample(key, "x")))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("train-000000.tar", "sample 1");
      writer.write(sample("1", "x"));
      writer.commit();
    }
    try (WebDataset dataset = WebDataset.of(out() + "/train-000000.tar")) {
      assertThat(dataset.size()).isEqualTo(2);
    }
  }

  @Test
  void shouldRefuseASampleWithoutFieldsOrWithAnImpossibleSuffix() throws Exception {
    try (StoreWriter<WebSample> writer = builder().open()) {
      assertThatThrownBy(() -> writer.write(new WebSample("b", Map.of())))
          .hasMessageContaining("at least one");
      for (String suffix : List.of("TXT", "t/x", ".txt", "")) {
        assertThatThrownBy(() -> writer.write(new WebSample("b", Map.of(suffix, new byte[1]))))
            .isInstanceOf(FormatException.class)
            .hasMessageContaining("'b' cannot be written: the suffix '%s' must be", suffix)
            .hasMessageNotContaining("key");
      }
    }
  }

  @Test
  void shouldRefuseTwoNeighborsOfOneKey() throws Exception {
    try (StoreWriter<WebSample> writer = builder().maxSamples(2).open()) {
      writer.write(sample("a", "1"));
      assertThatThrownBy(() -> writer.write(sample("a", "2"))).hasMessageContaining("same key");
      writer.write(sample("b", "2"));
      // In another shard.
      writer.write(sample("b", "3"));
      writer.commit();
    }
    try (WebDataset read = WebDataset.of(out() + "/train-{000000..000001}.tar")) {
      assertThat(read.shardSizes()).containsExactly(2, 1);
    }
  }

  @Test
  void shouldRefuseToGoOnWithOtherOptions() throws Exception {
    try (StoreWriter<WebSample> writer = builder().maxSamples(2).open()) {
      writer.write(sample("a", "1"));
    }

    refused(IOException.class, () -> builder().maxSamples(3).open(), "max-samples was 2, is 3");
  }

  @Test
  void shouldChangeKeysAsItIsTold() throws Exception {
    FixtureFiles.write(
        builder().keys(key -> key.replace('.', '_')).open(), List.of(sample("v1.0/a.b", "x")));
    try (WebDataset dataset = WebDataset.of(out() + "/train-000000.tar")) {
      assertThat(dataset.get(0).key()).isEqualTo("v1_0/a_b");
    }
  }

  @Test
  void shouldLimitTheBytesOfAShard() throws Exception {
    try (StoreWriter<WebSample> writer =
        WebDataset.writer(out(), "b-%d.tar").shardBytes(4096).open()) {
      for (int i = 0; i < 7; i++) {
        writer.write(new WebSample("k" + i, Map.of("bin", new byte[i == 3 ? 9000 : 500])));
      }
      writer.commit();
    }
    try (WebDataset dataset = WebDataset.of(out() + "/b-{0..2}.tar")) {
      assertThat(dataset.shardSizes()).containsExactly(3, 1, 3);
    }
    assertThat(Files.size(out().resolve("b-0.tar"))).isEqualTo(4096);
  }

  @Test
  void shouldWriteOneEmptyShardForNothing() throws Exception {
    try (StoreWriter<WebSample> writer = builder().open()) {
      writer.commit();
      assertThatThrownBy(writer::commit).isInstanceOf(IllegalStateException.class);
    }
    try (WebDataset dataset = WebDataset.of(out() + "/train-000000.tar")) {
      assertThat(dataset.size()).isZero();
    }
    assertThat(out().resolve("train-000000.tar")).hasSize(TarWriter.END_BYTES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"train.tar", "a/%d.tar", "%q"})
  void shouldRefuseAPatternThatNamesNoShards(String pattern) {
    refused(IllegalArgumentException.class, () -> WebDataset.writer(root, pattern), pattern);
  }
}
