package io.feedline.data;

import io.feedline.internal.Digest;
import io.feedline.internal.Lists;
import io.feedline.internal.Named;
import io.feedline.internal.Presence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

final class TextLines extends Named implements IterableDataset<String> {

  static final int DEFAULT_MAX_LINE_BYTES = 1 << 24;
  private static final int MOST_LINE_BYTES = 1 << 30;

  private final List<Path> files;
  private final int maxLineBytes;
  private final String fingerprint;

  private TextLines(List<Path> files, int maxLineBytes, String fingerprint) {
    this.files = files;
    this.maxLineBytes = maxLineBytes;
    this.fingerprint = fingerprint;
  }

  static TextLines of(List<Path> given, int maxLineBytes) throws IOException {
    List<Path> files = Lists.copyOf("files", given);
    if (files.isEmpty()) {
      throw new IllegalArgumentException("lines(...) needs one file or more, none was given");
    }
    if (maxLineBytes < 1 || maxLineBytes > MOST_LINE_BYTES) {
      throw new IllegalArgumentException(
          "maxLineBytes must be 1 or more, and %d at most, was %d"
              .formatted(MOST_LINE_BYTES, maxLineBytes));
    }
    StringBuilder namesAndSizes = new StringBuilder();
    for (Path file : files) {
      long size = Files.size(file);
      if (!Presence.isFile(file)) {
        throw new IOException(
            "%s is not a regular file, so it cannot be read from any place; IterableDataset.once reads pipes and devices"
                .formatted(file));
      }
      namesAndSizes.append(file.getFileName()).append(':').append(size).append('\n');
    }
    return new TextLines(files, maxLineBytes, "lines:" + Digest.of(namesAndSizes.toString()));
  }

  @Override
  public int shards() {
    return files.size();
  }

  @Override
  public SampleStream<String> open(int shard, long epoch) throws IOException {
    return LineStream.open(files.get(shard), maxLineBytes);
  }

  @Override
  public String fingerprint() {
    return fingerprint;
  }

  @Override
  public String name() {
    return "lines(%s%s)"
        .formatted(files.get(0), files.size() == 1 ? "" : ", ... " + files.size() + " files");
  }

  @Override
  public String describe(int shard) {
    return files.get(shard).toString();
  }

  @Override
  public String describe(int shard, long sample) {
    return files.get(shard) + ":" + (sample + 1);
  }
}
