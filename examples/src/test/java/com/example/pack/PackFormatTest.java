package com.example.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackFormatTest {

  @TempDir private Path directory;

  @Test
  void shouldBeFoundByItsBytesAndReadAsADataset() throws Exception {
    Path pack = PackStoreTest.write(directory.resolve("five"), 5);

    assertThat(StoreFormat.of(pack)).isInstanceOf(PackFormat.class);
    try (ImageDataset images = ImageDataset.open(pack)) {
      assertThat(images.size()).isEqualTo(5);
      assertThat(images.classes()).containsExactly("ant", "bee");
      for (int i = 0; i < 5; i++) {
        assertThat(images.get(i).label()).isEqualTo(i % 2);
        assertThat(images.get(i).image().pixels()).isNotNull();
      }
    }
    try (var left = Files.list(directory)) {
      assertThat(left).containsExactly(pack);
    }
  }

  @Test
  void shouldLeaveNothingWhereItIsNotCommitted() throws IOException {
    Path pack = directory.resolve("none");
    try (StoreWriter<EncodedImage> writer =
        new PackFormat().create(pack, Packing.of(List.of("ant"), 2))) {
      writer.write(new EncodedImage("a", new byte[3], 0));
      assertThatThrownBy(() -> writer.write(new EncodedImage("odd", new byte[3], 1)))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("odd", "label 1");
      assertThatThrownBy(() -> new PackFormat().create(pack, Packing.of(List.of(), 2)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another writer");
      assertThat(writer.written()).isEqualTo(1);
    }

    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void shouldTouchNothingThatIsThereAlready() throws IOException {
    Path mine = Files.writeString(directory.resolve("mine"), "mine");

    assertThatThrownBy(() -> new PackFormat().create(mine, Packing.of(List.of(), 2)))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(mine).hasContent("mine");
  }

  @Test
  void shouldFindADamagedByte() throws IOException {
    Path pack = PackStoreTest.write(directory.resolve("damaged"), 5);
    try (ImageStore store = new PackFormat().open(pack, StoreOptions.NONE)) {
      store.checkStructure();
      byte[] bytes = Files.readAllBytes(pack);
      bytes[100]++;
      Files.write(pack, bytes);

      assertThatThrownBy(store::checkStructure)
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll(pack.toString(), "CRC-32");
    }
  }
}
