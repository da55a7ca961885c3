package io.feedline.formats.mds;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.Tensor;
import io.feedline.formats.image.Image;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32;

/** The datasets that make_fixtures.py made in streaming's layout. */
final class Fixtures {

  private Fixtures() {}

  static byte[] bytes(String name) throws IOException {
    try (InputStream in = Fixtures.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalArgumentException("no fixture " + name);
      }
      return in.readAllBytes();
    }
  }

  static List<String> lines(String name) throws IOException {
    return new String(bytes(name), UTF_8).lines().toList();
  }

  /** Puts a copy of a dataset into a directory, which is returned. */
  static Path copy(String dataset, Path directory) throws IOException {
    Path copy = Files.createDirectories(directory.resolve(dataset));
    Files.write(copy.resolve("index.json"), bytes(dataset + "/index.json"));
    for (MdsShard shard : MdsIndex.read(copy).shards()) {
      String name = (shard.zip() == null ? shard.raw() : shard.zip()).basename();
      Files.write(copy.resolve(name), bytes(dataset + "/" + name));
    }
    return copy;
  }

  static byte[] image(String name) throws IOException {
    return bytes("../image/" + name);
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
      return "%s %s %s".formatted(dtype, tensor.shape(), crc(tensor.toByteArray()));
    }
    if (value instanceof byte[] bytes) {
      return crc(bytes);
    }
    return value instanceof Image ? "image" : value.toString();
  }

  static String crc(byte[] data) {
    CRC32 crc = new CRC32();
    crc.update(data);
    return "%08x".formatted(crc.getValue());
  }
}
