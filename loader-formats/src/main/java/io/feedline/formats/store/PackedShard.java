package io.feedline.formats.store;

import java.io.Serializable;
import java.util.Objects;

/**
 * A shard that a {@link TaskWriter} has written: what the index of a store says of it. Immutable;
 * serializable, to be sent to the one who commits.
 *
 * @param path the shard's file: its name while it belongs to a task, and in an index its path below
 *     the store's directory, with slashes
 * @param samples how many it has, 1 or more
 * @param bytes the size of the file
 * @param sha256 of the file, 64 lower-case hexadecimal digits
 * @param description what the format's own index has to say of it, as a JSON object; empty for a
 *     format that has none
 */
public record PackedShard(String path, long samples, long bytes, String sha256, String description)
    implements Serializable {

  private static final long serialVersionUID = 1;

  /**
   * Checks that nothing is missing.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  public PackedShard {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(sha256, "sha256");
    Objects.requireNonNull(description, "description");
    if (samples < 1 || bytes < 0) {
      throw new IllegalArgumentException(
          "%s: a shard has 1 sample or more and 0 bytes or more, was %d and %d"
              .formatted(path, samples, bytes));
    }
  }

  /** Returns the same shard in a directory, whose path ends in no slash. */
  public PackedShard in(String directory) {
    return new PackedShard(directory + "/" + path, samples, bytes, sha256, description);
  }
}
