package io.feedline.formats.webdataset;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;

/** The shards that make_fixtures.py made with Python's tarfile, and shards made by hand. */
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

  /** Puts a copy of a fixture into a directory. */
  static Path copy(String name, Path directory) throws IOException {
    return Files.write(directory.resolve(name), bytes(name));
  }

  static byte[] image(String name) throws IOException {
    return bytes("../image/" + name);
  }

  static String crc(byte[] data) {
    CRC32 crc = new CRC32();
    crc.update(data);
    return "%08x".formatted(crc.getValue());
  }

  /** An archive of files, with an end. */
  static byte[] tar(Object... namesAndTexts) {
    byte[] entries = entries(namesAndTexts);
    return Arrays.copyOf(entries, entries.length + 1024);
  }

  /** Entries with alternating names and texts. */
  static byte[] entries(Object... namesAndTexts) {
    List<ByteBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < namesAndTexts.length; i += 2) {
      byte[] data =
          namesAndTexts[i + 1] instanceof byte[] bytes
              ? bytes
              : namesAndTexts[i + 1].toString().getBytes(UTF_8);
      TarWriter.add(namesAndTexts[i].toString(), data, buffers);
    }
    ByteBuffer all = ByteBuffer.allocate(buffers.stream().mapToInt(ByteBuffer::remaining).sum());
    buffers.forEach(all::put);
    return all.array();
  }

  /** Changes a header, and its checksum with it. */
  static byte[] patched(byte[] tar, int header, int at, byte... value) {
    byte[] changed = tar.clone();
    System.arraycopy(value, 0, changed, header + at, value.length);
    byte[] block = Arrays.copyOfRange(changed, header, header + TarLayout.BLOCK);
    byte[] sum = "%06o\0 ".formatted(TarLayout.checksum(block)).getBytes(UTF_8);
    System.arraycopy(sum, 0, changed, header + TarLayout.CHECKSUM, sum.length);
    return changed;
  }
}
