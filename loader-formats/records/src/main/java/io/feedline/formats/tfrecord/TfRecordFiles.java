package io.feedline.formats.tfrecord;

import io.feedline.formats.store.internal.files.Beside;
import io.feedline.formats.store.internal.shards.ChosenShards;
import io.feedline.formats.store.internal.shards.ShardSet;
import io.feedline.internal.Digest;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chosen files, and the options of {@link TfRecordDataset.Builder}. */
record TfRecordFiles(
    String name,
    ChosenShards chosen,
    boolean verifyChecksums,
    int maxSampleBytes,
    boolean keepIndex,
    @Nullable Path indexDirectory,
    int openFiles) {

  List<Path> files() {
    return chosen.shards();
  }

  /** Returns a checksum of the files' names, without their directories. */
  String fingerprint() {
    if (chosen.isListed()) {
      return chosen.list().fingerprint("list");
    }
    return files().size()
        + ":"
        + Digest.ofLines(files().stream().map(file -> file.getFileName().toString()));
  }

  Path indexOf(Path shard) {
    // Resolved as text, since the directory may be of another file system than the shard.
    return indexDirectory == null
        ? Beside.of(shard, ShardSet.INDEX_SUFFIX)
        : indexDirectory.resolve(shard.getFileName() + ShardSet.INDEX_SUFFIX);
  }
}
