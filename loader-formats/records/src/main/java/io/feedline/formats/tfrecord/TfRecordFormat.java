package io.feedline.formats.tfrecord;

import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.PackingJob.TaskFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.shards.ChosenShards;
import io.feedline.formats.store.internal.shards.FilesOfFormat;
import io.feedline.formats.store.internal.shards.FormatEntry;
import io.feedline.formats.store.internal.shards.ShardList;
import io.feedline.internal.Presence;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

class TfRecordFormat extends FormatEntry {
  static final String NAME = "tfrecord";

  static final String FIRST_LABEL = "first-label";
  static final Set<String> OPTIONS =
      Set.of(StoreOptions.IMAGE_FIELD, StoreOptions.LABEL_FIELD, FIRST_LABEL);

  /** The format's files; compressed files too, so that {@link #open} says how to read them. */
  private static final FilesOfFormat FILES =
      FilesOfFormat.matching(".*(\\.tfrecords?|-[0-9]{5,}-of-[0-9]{5,})(\\.gz)?");

  TfRecordFormat() {
    super(NAME, OPTIONS);
  }

  @Override
  public boolean recognizes(Path path) throws IOException {
    if (Presence.exists(path)) {
      return ChosenShards.recognized(path, NAME, FILES);
    }
    return FILES.anyMatching(path);
  }

  @Override
  protected ImageStore openKnown(Path path, StoreOptions options) throws IOException {
    return new TfRecordDataset.ImagesBuilder(files(path)).options(options).store();
  }

  @Override
  public List<String> shards(Path path, StoreOptions options) throws IOException {
    options.requireKnown(NAME, openOptions());
    return files(path).chosen().descriptions();
  }

  @Override
  public ImageStore openShard(Path path, String shard, StoreOptions options) throws IOException {
    options.requireKnown(NAME, openOptions());
    ChosenShards chosen = ChosenShards.described(path, shard);
    return new TfRecordDataset.ImagesBuilder(TfRecordDataset.builder(chosen.path()).files(chosen))
        .options(options)
        .store();
  }

  @Override
  public Set<String> createOptions() {
    return OPTIONS;
  }

  @Override
  public StoreWriter<EncodedImage> create(Path path, Packing packing) throws IOException {
    if (packing.shardBytes().isPresent()) {
      TfRecordFileWriter.requireRenaming(path);
    }
    return new TfRecordTasks().create(path, packing);
  }

  @Override
  public Optional<TaskFormat> tasks() {
    return Optional.of(new TfRecordTasks());
  }

  private static TfRecordFiles files(Path path) throws IOException {
    return Presence.isDirectory(path) && ShardList.fileAt(path).isEmpty()
        ? TfRecordDataset.builder(FILES.ofDataset(path, false, false)).files()
        : TfRecordDataset.builder(path).files();
  }

  /** Returns the names of the features to write: ImageNet's names, unless options set others. */
  static ImageFeatures features(StoreOptions options) {
    ImageFeatures names = ImageFeatures.IMAGENET;
    return new ImageFeatures(
        options.text(StoreOptions.IMAGE_FIELD).orElse(names.encoded()),
        options.text(StoreOptions.LABEL_FIELD).orElse(names.label()),
        names.filename());
  }

  public static final class Provider extends TfRecordFormat {}
}
