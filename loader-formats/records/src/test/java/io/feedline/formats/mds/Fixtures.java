package io.feedline.formats.mds;

import io.feedline.batch.Tensor;
import io.feedline.formats.image.Image;
import io.feedline.formats.store.FixtureFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The datasets that make_fixtures.py made in streaming's layout. */
final class Fixtures {

  private Fixtures() {}

  static byte[] bytes(String name) {
    return FixtureFiles.bytes(Fixtures.class, name);
  }

  static List<String> lines(String name) {
    return FixtureFiles.lines(Fixtures.class, name);
  }

  static Path copy(String dataset, Path directory) throws IOException {
    Path copy = Files.createDirectories(directory.resolve(dataset));
    Files.write(copy.resolve("index.json"), bytes(dataset + "/index.json"));
    for (MdsShard shard : MdsIndex.read(copy).shards()) {
      String name = (shard.zip() == null ? shard.raw() : shard.zip()).basename();
      Files.write(copy.resolve(name), bytes(dataset + "/" + name));
    }
    return copy;
  }

  static byte[] image(String name) {
    return FixtureFiles.bytes(Image.class, name);
  }

  /** A value as values.txt shows it. */
  static String shown(Object value) {
    if (value instanceof Float number) {
      return "%016x".formatted(Double.doubleToLongBits(number));
    }
    if (value instanceof Double number) {
      return "%016x".formatted(Double.doubleToLongBits(number));
    }
    if (value instanceof Tensor tensor) {
      String dtype = tensor.dtype().toString().toLowerCase(Locale.ROOT);
      return "%s %s %s".formatted(dtype, tensor.shape(), FixtureFiles.crc(tensor.toByteArray()));
    }
    if (value instanceof byte[] bytes) {
      return FixtureFiles.crc(bytes);
    }
    return value instanceof Image ? "image" : value.toString();
  }
}
