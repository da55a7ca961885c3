package com.example.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.Place;
import io.feedline.formats.store.StoreContract;
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
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass(name = "{0}")
@EnumSource(Place.class)
class PackStoreTest extends StoreContract {

  @Override
  protected StoreFormat format() {
    return StoreFormat.named("pack");
  }

  @Override
  protected Path make(Path directory) throws IOException {
    return write(directory.resolve("images"), 7);
  }

  /** Writes images of two classes in turns. */
  static Path write(Path target, int images) throws IOException {
    Packing packing = Packing.of(List.of("ant", "bee"), images);
    try (StoreWriter<EncodedImage> writer = new PackFormat().create(target, packing)) {
      for (int i = 0; i < images; i++) {
        byte[] bytes = Fixtures.bytes(i % 3 == 2 ? "jpeg_grey.jpg" : "jpeg_444.jpg");
        writer.write(new EncodedImage("bild-ä" + i, bytes, i % 2));
      }
      writer.commit();
    }
    return target;
  }

  @Test
  void shouldKeepClassesAndLabels(@TempDir Path directory) throws Exception {
    try (ImageDataset images = ImageDataset.open(write(directory.resolve("five"), 5))) {
      assertThat(images.classes()).containsExactly("ant", "bee");
      assertThat(images.labels()).containsExactly(0, 1, 0, 1, 0);
    }
  }

  @Test
  void shouldLeaveNothingWhereItIsNotCommitted(@TempDir Path directory) throws IOException {
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
  void shouldTouchNothingThatIsThereAlready(@TempDir Path directory) throws IOException {
    Path mine = Files.writeString(directory.resolve("mine"), "mine");

    assertThatThrownBy(() -> new PackFormat().create(mine, Packing.of(List.of(), 2)))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(mine).hasContent("mine");
  }

  @Test
  void shouldFindADamagedByte(@TempDir Path directory) throws IOException {
    Path pack = write(directory.resolve("damaged"), 5);
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
