package io.feedline.formats.jpeg.index.internal;

import io.feedline.formats.jpeg.internal.ScanIndex;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.PackingJob.PackedShard;
import io.feedline.formats.store.PackingJob.TaskWriter;
import io.feedline.formats.store.internal.shards.ShardIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A task's writer that makes scan indexes as well: each finished shard gets a file with the scan
 * indexes of its images, {@code .SHARD.scan-index}, beside it, where a dataset finds them.
 *
 * <pre>{@code
 * TaskWriter writer =
 *     new ScanIndexedTask(
 *         PackingJob.openTask(target, format, packing, fields, job, task, attempt),
 *         JobNames.directory(target, job, task, attempt));
 * }</pre>
 *
 * <p>The files are in the attempt's directory, so they are deleted with it, and no index of the
 * store names them. It holds the indexes of one shard in memory, 2 to 5% of its size, and finding
 * them takes about as long as decoding. A dataset uses them where the store is on the reading
 * machine.
 *
 * <p>Not thread-safe. The caller closes it, and the other writer by that.
 */
public final class ScanIndexedTask implements TaskWriter {

  private final TaskWriter writer;
  private final Path directory;

  /** The indexes of images whose shard is not whole. */
  private final List<Optional<ScanIndex>> waiting = new ArrayList<>();

  private int shardsDone;

  /**
   * Creates a writer over another writer.
   *
   * @param writer has written nothing yet; closed with this
   * @param directory the attempt's directory
   */
  public ScanIndexedTask(TaskWriter writer, Path directory) {
    this.writer = writer;
    this.directory = directory;
  }

  @Override
  public void write(EncodedImage image, Map<String, Object> fields) throws IOException {
    Optional<ScanIndex> index = ScanIndexFile.index(image.bytes());
    writer.write(image, fields);
    waiting.add(index);
    indexWholeShards(writer.shards());
  }

  private void indexWholeShards(List<PackedShard> shards) throws IOException {
    for (; shardsDone < shards.size(); shardsDone++) {
      PackedShard shard = shards.get(shardsDone);
      List<Optional<ScanIndex>> indexes = waiting.subList(0, Math.toIntExact(shard.samples()));
      Path file = directory.resolve(shard.path());
      ScanIndexFile.forShard(new ShardIdentity(file, shard.bytes(), shard.samples()), indexes);
      indexes.clear();
    }
  }

  @Override
  public List<PackedShard> shards() {
    return writer.shards();
  }

  @Override
  public List<PackedShard> commit() throws IOException {
    List<PackedShard> shards = writer.commit();
    indexWholeShards(shards);
    return shards;
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
