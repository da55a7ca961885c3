package io.feedline.formats.cli.internal.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/** The checksum of a small file, by which a conversion is recognized. */
public final class Checksum {

  private Checksum() {}

  public static String of(Path file) throws IOException {
    CRC32C crc = new CRC32C();
    crc.update(Files.readAllBytes(file));
    return Long.toHexString(crc.getValue());
  }
}
