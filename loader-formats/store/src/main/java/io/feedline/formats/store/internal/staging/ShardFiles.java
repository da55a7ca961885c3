package io.feedline.formats.store.internal.staging;

import io.feedline.formats.store.PackingJob.PackedShard;
import io.feedline.formats.store.internal.files.Sha256;
import io.feedline.formats.store.internal.files.WholeFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A writer of the shards, or of the only file, of a {@link StagedOutput}. A shard is written from
 * its beginning to its end; then it is made durable, and then the output notes it. A continued run
 * begins behind the last noted shard. The only file of an output is not noted: an interrupted run
 * begins it anew.
 *
 * <p>Shards have preliminary names while they are written. {@link #rename} sets the final names,
 * which may contain the number of shards.
 *
 * <p>Not thread-safe. The caller closes it; closing twice is allowed.
 */
public final class ShardFiles implements Closeable {

  private final StagedOutput output;
  private final IntFunction<Path> names;
  private final boolean isOneFile;

  /** The digest of a task's shard; null for other outputs, which have no checksums. */
  private final @Nullable MessageDigest digest;

  private int shard;

  private long samplesBefore;
  private @Nullable ShardFile file;

  private long shardSamples;
  private long shardBytes;

  private ShardFiles(StagedOutput output, IntFunction<Path> names, boolean isOneFile) {
    this.output = output;
    this.names = names;
    this.isOneFile = isOneFile;
    this.digest = output.isOfTask() ? Sha256.digest() : null;
    this.shard = output.shards().size();
    this.samplesBefore = output.shards().stream().mapToLong(PackedShard::samples).sum();
  }

  /** Returns a writer that begins behind the noted shards; {@code names} are preliminary paths. */
  public static ShardFiles of(StagedOutput output, IntFunction<Path> names) {
    return new ShardFiles(output, names, false);
  }

  public static ShardFiles ofOne(StagedOutput output, Path file) {
    return new ShardFiles(output, number -> file, true);
  }

  /** Returns the number of the shard that is being written, from 0. */
  public int shard() {
    return shard;
  }

  public Path path() {
    return names.apply(shard);
  }

  public long samples() {
    return samplesBefore + shardSamples;
  }

  public long shardSamples() {
    return shardSamples;
  }

  public long shardBytes() {
    return shardBytes;
  }

  public void append(byte[]... pieces) throws IOException {
    put(pieces);
    shardSamples++;
  }

  private void put(byte[]... pieces) throws IOException {
    if (file == null) {
      file = ShardFile.begin(output, path());
    }
    for (byte[] piece : pieces) {
      file.append(piece);
      shardBytes += piece.length;
      if (digest != null) {
        digest.update(piece);
      }
    }
  }

  public void nextShard(byte[]... trailer) throws IOException {
    put(trailer);
    complete(digest == null ? "" : HexFormat.of().formatHex(digest.digest()), "");
  }

  /** Writes a shard of collected samples; only a task's output needs {@code sha256}. */
  public void write(long samples, Iterable<byte[]> pieces, String sha256, String description)
      throws IOException {
    file = ShardFile.begin(output, path());
    for (byte[] piece : pieces) {
      file.append(piece);
      shardBytes += piece.length;
    }
    shardSamples = samples;
    complete(sha256, description);
  }

  private void complete(String sha256, String description) throws IOException {
    file.complete();
    file = null;
    if (!isOneFile) {
      String name = path().getFileName().toString();
      output.ended(new PackedShard(name, shardSamples, shardBytes, sha256, description));
    }
    shard++;
    samplesBefore += shardSamples;
    shardSamples = 0;
    shardBytes = 0;
  }

  /** Ends the last shard. Without samples there is one empty shard; for a task, no shard. */
  public void end(byte[]... trailer) throws IOException {
    if (file != null || (shard == 0 && !output.isOfTask())) {
      nextShard(trailer);
    }
  }

  public void keepNames() throws IOException {
    rename(names);
  }

  /** Gives the shards their final names. May be repeated after an interruption. */
  public void rename(IntFunction<Path> finalNames) throws IOException {
    if (isOneFile) {
      return;
    }
    if (output.isContinued()) {
      // An interrupted run may have begun one more shard, whose samples are left out in this run.
      ObjectOutput.deleteIfExists(names.apply(shard));
    }
    List<PackedShard> shards = output.shards();
    for (int i = 0; i < shards.size(); i++) {
      Path from = names.apply(i);
      Path to = finalNames.apply(i);
      if (!from.equals(to) && Files.exists(from)) {
        WholeFile.move(from, to);
      }
      long bytes = ObjectOutput.size(to);
      if (bytes != shards.get(i).bytes()) {
        throw new IOException(
            "%s: %d bytes were written, %s; restart to begin again"
                .formatted(
                    to,
                    shards.get(i).bytes(),
                    bytes < 0 ? "but it is missing" : "but it has " + bytes));
      }
    }
  }

  @Override
  public void close() throws IOException {
    ShardFile closing = file;
    file = null;
    if (closing != null) {
      closing.close();
    }
  }
}
