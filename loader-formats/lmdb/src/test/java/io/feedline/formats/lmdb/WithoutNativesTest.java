package io.feedline.formats.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.WithoutJars;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same code where what lmdbjava calls natives by does not load. */
class WithoutNativesTest {

  private static final String LEFT_OUT = "jffi";

  @TempDir private Path folder;

  @Test
  void shouldSayWhatBringsTheLibraryThatWrites() {
    Path path = folder.resolve("new.lmdb");

    assertThatThrownBy(() -> WithoutJars.call(getClass(), "write", path, LEFT_OUT))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("LMDB", "jffi", "io.feedline:loader-lmdb");
    assertThat(path).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"read", "detect", "recognize"})
  void shouldReadWithoutTheLibrary(String what) throws Exception {
    Path database = folder.resolve("x.lmdb");
    Databases.ofPictures(database);

    WithoutJars.call(getClass(), what, database, LEFT_OUT);
  }

  // Called by reflection, with the classes of their own loader.

  static void read(Path path) throws IOException {
    try (ImageDataset images = LmdbDataset.images(path)) {
      assertThat(images.encoded(1).label()).isEqualTo(1);
    }
  }

  static void write(Path path) throws IOException {
    new LmdbFormat().create(path, Packing.of(List.of(), 1)).close();
  }

  static void detect(Path path) throws IOException {
    LmdbLayout.detect(path);
  }

  static void recognize(Path path) throws IOException {
    assertThat(new LmdbFormat().recognizes(path)).isTrue();
  }
}
