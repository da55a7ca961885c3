package com.example.pack;

import io.feedline.formats.image.Fixtures;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.Place;
import io.feedline.formats.store.StoreContract;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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
}
