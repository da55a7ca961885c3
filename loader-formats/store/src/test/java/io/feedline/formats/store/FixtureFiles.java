package io.feedline.formats.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;

/** The files beside a test that a reference library has made. */
public final class FixtureFiles {

  private FixtureFiles() {}

  public static byte[] bytes(Class<?> test, String name) {
    try (InputStream in = test.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalArgumentException("no fixture " + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static List<String> lines(Class<?> test, String name) {
    return new String(bytes(test, name), UTF_8).lines().toList();
  }

  /** Returns the place of the first file. */
  public static Path copy(Class<?> test, Path directory, String... names) throws IOException {
    for (String name : names) {
      Path copy = directory.resolve(name);
      Files.createDirectories(copy.getParent());
      Files.write(copy, bytes(test, name));
    }
    return directory.resolve(names[0]);
  }

  /** A CRC-32 as zlib and pycocotools' scripts write it. */
  public static String crc(byte[] data) {
    CRC32 crc = new CRC32();
    crc.update(data);
    return "%08x".formatted((int) crc.getValue());
  }

  public static byte[] gzip(byte[] data) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(data);
    }
    return out.toByteArray();
  }

  /** Writes samples, commits and closes. */
  public static <S> void write(StoreWriter<S> writer, List<? extends S> samples)
      throws IOException {
    try (writer) {
      for (S sample : samples) {
        writer.write(sample);
      }
      writer.commit();
    }
  }
}
