package io.feedline.formats.tfrecord;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.formats.store.FixtureFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The files that make_fixtures.py made with TensorFlow. */
final class Fixtures {

  static final List<String> SHARDS = List.of("train-00000-of-00002", "train-00001-of-00002");

  private Fixtures() {}

  /** An image in the shards; its label is 1-based. */
  record Fixture(String filename, int label, int width, int height, String crc) {

    String key() {
      return filename.substring(0, filename.lastIndexOf('.'));
    }

    private static Fixture parse(String line) {
      String[] parts = line.split(",", -1);
      return new Fixture(
          parts[0],
          Integer.parseInt(parts[1]),
          Integer.parseInt(parts[2]),
          Integer.parseInt(parts[3]),
          parts[4]);
    }
  }

  static List<Fixture> images() {
    return new String(bytes("pictures.txt"), UTF_8).lines().map(Fixture::parse).toList();
  }

  static List<byte[]> raw() {
    byte[] long3000 = new byte[3000];
    for (int i = 0; i < long3000.length; i++) {
      long3000[i] = (byte) (i % 251);
    }
    return List.of(
        "first".getBytes(UTF_8), new byte[0], long3000, "größer".getBytes(UTF_8), new byte[17]);
  }

  static byte[] bytes(String name) {
    return FixtureFiles.bytes(Fixtures.class, name);
  }

  static Path copy(Path directory, List<String> names) throws IOException {
    for (String name : names) {
      Files.write(directory.resolve(name), bytes(name));
    }
    return directory.resolve(names.get(0));
  }

  static Path write(Path file, List<byte[]> records) throws IOException {
    return Files.write(file, framed(records));
  }

  static byte[] framed(List<byte[]> records) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] record : records) {
      out.writeBytes(RecordLayout.header(record.length));
      out.writeBytes(record);
      out.writeBytes(RecordLayout.footer(List.of(record)));
    }
    return out.toByteArray();
  }
}
