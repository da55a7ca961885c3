package io.feedline.formats.mds;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.shards.ShardCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checksums by their names in MosaicML's streaming; the JDK has no xxHash and no BLAKE. */
final class Hashes {

  private Hashes() {}

  /** Returns the digest of an algorithm; null if the JDK lacks the algorithm. */
  static @Nullable MessageDigest of(String name) {
    String algorithm =
        switch (name) {
          case "md5" -> "MD5";
          case "sha1" -> "SHA-1";
          case "sha224" -> "SHA-224";
          case "sha256" -> "SHA-256";
          case "sha384" -> "SHA-384";
          case "sha512" -> "SHA-512";
          case "sha3_224" -> "SHA3-224";
          case "sha3_256" -> "SHA3-256";
          case "sha3_384" -> "SHA3-384";
          case "sha3_512" -> "SHA3-512";
          default -> null;
        };
    if (algorithm == null) {
      return null;
    }
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException absent) {
      // A provider may lack an algorithm; the caller then reports that the hash cannot be verified.
      return null;
    }
  }

  static String hex(MessageDigest digest, List<byte[]> data) {
    data.forEach(digest::update);
    return HexFormat.of().formatHex(digest.digest());
  }

  static boolean areKnown(MdsShard.FileInfo info) {
    return info.hashes().keySet().stream().anyMatch(name -> of(name) != null);
  }

  static void verify(OpenFiles files, Path file, MdsShard.FileInfo info) throws IOException {
    Map<String, MessageDigest> digests = new LinkedHashMap<>();
    for (String name : info.hashes().keySet()) {
      MessageDigest digest = of(name);
      if (digest != null) {
        digests.put(name, digest);
      }
    }
    if (digests.isEmpty()) {
      throw FormatException.in(
          file,
          "this cannot be verified: of its checksums %s the JDK knows none"
              .formatted(info.hashes().keySet()));
    }
    ShardCheck.update(digests.values(), files, file);
    for (Map.Entry<String, MessageDigest> digest : digests.entrySet()) {
      String found = HexFormat.of().formatHex(digest.getValue().digest());
      String expected = info.hashes().get(digest.getKey());
      if (!found.equalsIgnoreCase(expected)) {
        throw FormatException.in(
            file, "its %s is %s, the index says %s".formatted(digest.getKey(), found, expected));
      }
    }
  }
}
