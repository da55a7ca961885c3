package io.feedline.formats.webdataset;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.samples.EntryName;
import io.feedline.formats.store.internal.staging.ShardFiles;
import io.feedline.formats.store.internal.staging.ShardedWriter;
import io.feedline.formats.store.internal.staging.StagedOutput;
import io.feedline.formats.webdataset.WebDataset.WebSample;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

abstract class WebDatasetShardWriter<S> extends ShardedWriter<S> {

  private static final byte[] END = new byte[TarWriter.END_BYTES];

  private final WebDataset.WriterBuilder options;

  /** The key of the sample before; two neighbors with the same key would be read as one sample. */
  private String lastKey = "";

  WebDatasetShardWriter(StagedOutput output, WebDataset.WriterBuilder options) {
    super(output, ShardFiles.of(output, options.names.in(output.path())::path));
    this.options = options;
  }

  protected abstract WebSample stored(S sample) throws FormatException;

  @Override
  protected final void add(S sample) throws IOException {
    WebSample stored;
    try {
      stored = stored(sample);
    } catch (FormatException impossible) {
      throw impossible.at(shards().path() + ", sample " + added());
    }
    String key = options.keys.apply(stored.key());
    List<byte[]> entries = new ArrayList<>();
    for (Map.Entry<String, byte[]> field : new TreeMap<>(stored.fields()).entrySet()) {
      String name = key + "." + field.getKey();
      check(stored.key(), key, field.getKey(), name);
      TarWriter.add(name, field.getValue(), entries);
    }
    if (entries.isEmpty()) {
      throw refused(key, "a sample must have at least one field");
    }
    if (isFull(entries.stream().mapToLong(entry -> entry.length).sum())) {
      shards().nextShard(END);
    } else if (shards().shardSamples() > 0 && key.equals(lastKey)) {
      throw refused(key, "the sample before it has the same key, they would be one");
    }
    shards().append(entries.toArray(byte[][]::new));
    lastKey = key;
  }

  private void check(String given, String key, String suffix, String name) throws FormatException {
    if (suffix.isEmpty()
        || suffix.startsWith(".")
        || suffix.indexOf('/') >= 0
        || !suffix.equals(suffix.toLowerCase(Locale.ROOT))) {
      throw refused(
          given,
          "the suffix '%s' must be in lower case, not empty, without a slash and a leading dot"
              .formatted(Names.shown(suffix)));
    }
    if (!new Names.KeyAndSuffix(key, suffix).equals(Names.split(name))) {
      throw refused(
          given,
          "its name '%s' would not be read as key '%s' and suffix '%s': a key has no dot behind the"
                  .formatted(Names.shown(name), Names.shown(key), Names.shown(suffix))
              + " last slash. The option keys(...) changes keys, for example with"
              + " key -> key.replace('.', '_')");
    }
    boolean printable = name.codePoints().noneMatch(c -> c < ' ' || c == 0x7F);
    byte[] encoded = name.getBytes(StandardCharsets.UTF_8);
    if (!printable || !new String(encoded, StandardCharsets.UTF_8).equals(name)) {
      throw refused(given, "it has characters that no name should have");
    }
    if (name.startsWith("/") || EntryName.leadsOut(name)) {
      throw refused(given, "unpacking the shard would write outside of its directory");
    }
  }

  private FormatException refused(String key, String reason) {
    return FormatException.in(
        shards().path(),
        "sample %d '%s' cannot be written: %s".formatted(added(), Names.shown(key), reason));
  }

  private boolean isFull(long more) {
    return shards().shardSamples() > 0
        && (shards().shardSamples() >= options.maxSamples
            || shards().shardBytes() + more + END.length > options.shardBytes);
  }

  @Override
  protected final void finish() throws IOException {
    shards().end(END);
    shards().keepNames();
    if (!options.classes.isEmpty() && !output().isOfTask()) {
      new ClassList(options.classes, 0)
          .write(output(), output().path().resolve(ClassList.FILE_NAME));
    }
  }
}
