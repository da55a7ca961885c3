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
 * A writer of shards that also writes scan indexes. Beside each finished shard, in the directory of
 * the task's attempt, it writes a file {@code .SHARD.scan-index} with the indexes of the shard's
 * images.
 *
 * <p>It keeps the indexes of one shard in memory, 2 to 5% of the shard's size. Making them takes
 * about as long as decoding. Not thread-safe. Closing it closes the wrapped writer.
 */
public final class ScanIndexedTask implements TaskWriter {

  private final TaskWriter writer;
  private final Path directory;

  /** The indexes of images whose shard is not finished. */
  private final List<Optional<ScanIndex>> waiting = new ArrayList<>();

  private int shardsDone;

  /** Creates a writer that wraps another writer, to which nothing has been written yet. */
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
