package io.feedline.formats.recordio;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.formats.store.FixtureFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The files that make_fixtures.py made. */
final class Fixtures {

  private Fixtures() {}

  record Fixture(String key, int label, String crc) {
    private static Fixture parse(String line) {
      String[] parts = line.split(",", -1);
      return new Fixture(parts[0], Integer.parseInt(parts[1]), parts[2]);
    }
  }

  static List<Fixture> images() {
    return new String(bytes("pictures.txt"), UTF_8).lines().map(Fixture::parse).toList();
  }

  static byte[] bytes(String name) {
    return FixtureFiles.bytes(Fixtures.class, name);
  }

  static Path copy(Path directory, String... names) throws IOException {
    for (String name : names) {
      Files.write(directory.resolve(name), bytes(name));
    }
    return directory.resolve(names[0]);
  }
}
