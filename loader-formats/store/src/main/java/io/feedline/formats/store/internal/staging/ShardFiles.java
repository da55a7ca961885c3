package io.feedline.formats.store.internal.staging;

import io.feedline.formats.store.PackingJob.PackedShard;
import io.feedline.formats.store.internal.files.WholeFile;
import io.feedline.internal.Counts;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * The shards of a {@link StagedOutput}, to which samples are appended one after the other; or its
 * one file.
 *
 * <h2>Principle</h2>
 *
 * <p>Now and then the shard is forced to the disk and a checkpoint says how many bytes and samples
 * it has. A continued run cuts the shard at the checkpoint, independently of the format, so no
 * format searches for its own torn end. In an object store a shard is sent while it is written, and
 * exists when it is whole: then a checkpoint says so, and a continued run begins an incomplete
 * shard anew. Nothing lies on the local disk.
 *
 * <p>Shards have names of their own while they are written; {@link #finish} gives them those that
 * they keep, which may tell how many shards there are.
 *
 * <p>Not thread-safe. The caller closes it; closing twice is allowed.
 */
public final class ShardFiles implements Closeable {

  /** A checkpoint comes after this number of samples, */
  private static final int CHECKPOINT_SAMPLES = 1024;

  /** or after this number of bytes. */
  private static final long CHECKPOINT_BYTES = 32 << 20;

  private final StagedOutput output;
  private final IntFunction<Path> names;

  /** The number of samples of each finished shard. */
  private final List<Long> finishedSamples = new ArrayList<>();

  private ShardFile file;
  private long samplesBefore;
  private long shardSamples;
  private String note = "";
  private boolean named;

  private long samplesAtCheckpoint;
  private long bytesAtCheckpoint;

  private ShardFiles(StagedOutput output, IntFunction<Path> names) {
    this.output = output;
    this.names = names;
  }

  /**
   * Begins with the first shard, or continues behind the last checkpoint.
   *
   * @param names where the shard of a number is while it is written, from 0
   * @throws IOException if a shard cannot be opened, or is shorter than the checkpoint says
   */
  public static ShardFiles open(StagedOutput output, IntFunction<Path> names) throws IOException {
    ShardFiles shards = new ShardFiles(output, names);
    long bytes = 0;
    for (Map<String, Object> checkpoint : output.checkpoints()) {
      int shard = (int) number(checkpoint, "shard");
      while (shards.shard() < shard) {
        shards.countShard();
      }
      bytes = number(checkpoint, "bytes");
      shards.shardSamples = number(checkpoint, "samples");
      shards.note = String.valueOf(checkpoint.getOrDefault("note", ""));
      shards.named = Boolean.TRUE.equals(checkpoint.get("finished"));
      if (Boolean.TRUE.equals(checkpoint.get("whole")) && !shards.named) {
        shards.countShard();
        bytes = 0;
      }
    }
    if (!shards.named) {
      shards.openFile(bytes);
    }
    return shards;
  }

  private static long number(Map<String, Object> checkpoint, String name) throws IOException {
    if (checkpoint.get(name) instanceof Long value) {
      return value;
    }
    throw new IOException("the checkpoint " + checkpoint + " has no number '" + name + "'");
  }

  private void openFile(long end) throws IOException {
    file = ShardFile.open(output, names.apply(shard()), end);
    samplesAtCheckpoint = shardSamples;
    bytesAtCheckpoint = end;
  }

  private void countShard() {
    finishedSamples.add(shardSamples);
    samplesBefore += shardSamples;
    shardSamples = 0;
  }

  /** The number of the shard that is being written, from 0. */
  public int shard() {
    return finishedSamples.size();
  }

  /** Returns the path of the shard that is being written. */
  public Path path() {
    return names.apply(shard());
  }

  /** Returns the number of samples in all shards. */
  public long samples() {
    return samplesBefore + shardSamples;
  }

  /** Returns the number of samples of the shard that is being written. */
  public long shardSamples() {
    return shardSamples;
  }

  /** Returns the number of bytes of the shard that is being written. */
  public long shardBytes() {
    requireUnfinished();
    return file.end();
  }

  /** Returns the format's text in checkpoints; empty at first. */
  public String note() {
    return note;
  }

  /** Changes the text that goes into checkpoints. */
  public void note(String text) {
    note = text;
  }

  /**
   * Adds a sample to the shard.
   *
   * @param pieces the sample's bytes, one array after the other
   * @throws IOException if it cannot be written, with file and offset; the shard is then as before
   */
  public void append(byte[]... pieces) throws IOException {
    requireUnfinished();
    file.append(pieces);
    shardSamples++;
    if (file.canContinue()
        && (shardSamples - samplesAtCheckpoint >= CHECKPOINT_SAMPLES
            || file.end() - bytesAtCheckpoint >= CHECKPOINT_BYTES)) {
      checkpoint(false);
    }
  }

  private void requireUnfinished() {
    if (named) {
      throw new IllegalStateException(
          "%s was being finished with %s when it was interrupted; nothing can be added"
              .formatted(output.target(), Counts.of(samples(), "sample")));
    }
  }

  private void checkpoint(boolean finished) throws IOException {
    file.force();
    Map<String, Object> checkpoint = new LinkedHashMap<>();
    checkpoint.put("shard", (long) shard());
    checkpoint.put("bytes", file.end());
    checkpoint.put("samples", shardSamples);
    if (!file.canContinue()) {
      checkpoint.put("whole", true);
    }
    if (!note.isEmpty()) {
      checkpoint.put("note", note);
    }
    if (finished) {
      checkpoint.put("finished", true);
    }
    output.checkpoint(checkpoint, true);
    samplesAtCheckpoint = shardSamples;
    bytesAtCheckpoint = file.end();
  }

  /**
   * Ends the shard and begins the next one.
   *
   * @param trailer what stands behind the last sample of a shard
   * @throws IOException if that fails
   */
  public void nextShard(byte[]... trailer) throws IOException {
    requireUnfinished();
    file.append(trailer);
    end(false);
    countShard();
    openFile(0);
  }

  /**
   * Ends the file, and notes its end; a file that cannot be continued exists before its end is
   * noted.
   */
  private void end(boolean last) throws IOException {
    if (file.canContinue()) {
      checkpoint(last);
      file.complete();
    } else {
      file.complete();
      checkpoint(last);
    }
    if (file instanceof HashedShard hashed) {
      String name = path().getFileName().toString();
      output.ended(new PackedShard(name, shardSamples, file.end(), hashed.sha256(), ""));
    }
  }

  /** Tests whether the last shard has been ended, so that {@link #finish} adds nothing to it. */
  public boolean isFinished() {
    return named;
  }

  /**
   * Ends the last shard and gives the shards their names; done again after an interruption.
   *
   * @param finalNames the final path of the shard of a number
   * @param trailer what stands behind the last sample of a shard
   * @throws IOException if that fails
   */
  public void finish(IntFunction<Path> finalNames, byte[]... trailer) throws IOException {
    if (!named) {
      file.append(trailer);
      end(true);
      named = true;
    }
    for (int i = 0; i <= shard(); i++) {
      Path from = names.apply(i);
      Path to = finalNames.apply(i);
      if (!from.equals(to) && Files.exists(from)) {
        WholeFile.move(from, to);
      }
      if (ObjectOutput.size(to) < 0) {
        throw new IOException(to + " is missing; restart to begin again");
      }
    }
  }

  /**
   * Closes the shard. For a file, notes the added samples, so that a run can continue it; an
   * incomplete object is given up.
   */
  @Override
  public void close() throws IOException {
    if (file == null || named) {
      return;
    }
    try (ShardFile closing = file) {
      if (closing.canContinue()
          && (closing.end() != bytesAtCheckpoint || shardSamples != samplesAtCheckpoint)) {
        checkpoint(false);
      }
    } finally {
      file = null;
    }
  }
}
