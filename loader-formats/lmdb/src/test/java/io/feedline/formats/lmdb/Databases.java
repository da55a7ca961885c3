package io.feedline.formats.lmdb;

import io.feedline.formats.image.Image;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Databases for tests: the fixtures that make_lmdb_fixtures.py made, and small ones of ours. */
final class Databases {

  /** The images in the fixtures, by index. */
  static final List<String> PICTURES = List.of("png_rgb.png", "jpeg_grey.jpg", "jpeg_1x1.jpg");

  private Databases() {}

  /** Unpacks a fixture into a directory as its makers lay it out. */
  static Path unpack(String name, Path parent) throws IOException {
    Path directory = Files.createDirectories(parent.resolve(name + ".lmdb"));
    Files.write(directory.resolve("data.mdb"), Content.fixture(name + ".mdb"));
    if (name.startsWith("basicsr")) {
      Files.write(directory.resolve("meta_info.txt"), Content.fixture(name + ".txt"));
    }
    return directory;
  }

  /** An image of io.feedline.formats.image's fixtures. */
  static byte[] image(String name) {
    return FixtureFiles.bytes(Image.class, name);
  }

  /** Begins a database of images, or continues one. */
  static StoreWriter<EncodedImage> writer(Path directory, List<String> classes, long images)
      throws IOException {
    return new LmdbFormat().create(directory, Packing.of(classes, images));
  }

  /** Writes the fixtures' images, with labels 0, 1, 0 and the classes cat and dog. */
  static Path ofPictures(Path directory) throws IOException {
    try (StoreWriter<EncodedImage> writer =
        writer(directory, List.of("cat", "dog"), PICTURES.size())) {
      for (int i = 0; i < PICTURES.size(); i++) {
        writer.write(new EncodedImage("folder/" + i, image(PICTURES.get(i)), i % 2));
      }
      writer.commit();
    }
    return directory;
  }
}
