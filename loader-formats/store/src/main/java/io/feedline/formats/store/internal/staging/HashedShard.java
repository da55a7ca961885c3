package io.feedline.formats.store.internal.staging;

import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A shard of a task: its checksum is taken of the bytes on their way, and it is durable when it is
 * complete, and not before. Not thread-safe.
 */
public final class HashedShard implements ShardFile {

  private final ShardFile file;
  private final MessageDigest digest = sha256Digest();

  HashedShard(ShardFile file) {
    this.file = file;
  }

  public static MessageDigest sha256Digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError("every JDK has SHA-256", impossible);
    }
  }

  /** The SHA-256 of some bytes, in hexadecimal. */
  public static String sha256(byte[] bytes) {
    return HexFormat.of().formatHex(sha256Digest().digest(bytes));
  }

  /** The SHA-256 of all that was added, in hexadecimal; called once, at the end. */
  String sha256() {
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Never: a task that failed is done again from its beginning. */
  @Override
  public boolean canContinue() {
    return false;
  }

  @Override
  public long end() {
    return file.end();
  }

  @Override
  public void append(byte[]... pieces) throws IOException {
    file.append(pieces);
    for (byte[] piece : pieces) {
      digest.update(piece);
    }
  }

  /** Does nothing: see {@link #complete}. */
  @Override
  public void force() {
    // An incomplete shard need not be durable.
  }

  @Override
  public void complete() throws IOException {
    file.force();
    file.complete();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
