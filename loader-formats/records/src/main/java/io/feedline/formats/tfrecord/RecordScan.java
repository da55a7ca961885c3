package io.feedline.formats.tfrecord;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.FileWindow;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.shards.ShardIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

final class RecordScan {

  static final int UNIT = 1;

  private final Path file;
  private final FileWindow window;
  private final byte[] header = new byte[RecordLayout.HEADER_BYTES];
  private final LongStream.Builder offsets = LongStream.builder();
  private int records;

  private RecordScan(Path file, FileWindow window) {
    this.file = file;
    this.window = window;
  }

  static ShardIndex index(OpenFiles files, Path file) throws IOException {
    try (FileWindow window = new FileWindow(files, file, files.size(file))) {
      RecordScan scan = new RecordScan(file, window);
      scan.run();
      return ShardIndex.of(scan.offsets.build().toArray(), UNIT);
    }
  }

  private void run() throws IOException {
    long offset = 0;
    offsets.add(offset);
    while (offset < window.size()) {
      String problem = problemAt(offset);
      if (problem != null) {
        throw FormatException.at(file, records, offset, problem);
      }
      offset += RecordLayout.u64(header, 0) + RecordLayout.FRAME_BYTES;
      records++;
      offsets.add(offset);
    }
  }

  /** Describes an invalid header at an offset; returns null if the header is valid. */
  private @Nullable String problemAt(long offset) throws IOException {
    long left = window.size() - offset;
    if (left < header.length) {
      return "the file ends %d bytes into a header of 12".formatted(left);
    }
    window.at(offset, header.length).get(header);
    if (offset == 0 && Compression.of(header) != Compression.NONE) {
      return "the file is compressed by %s, which allows reading it only from front to back: unpack"
              .formatted(Compression.of(header))
          + " it, or read it by TfRecordDataset.images(...).stream(), or .builder(...).stream()";
    }
    String problem = RecordLayout.problemOfHeader(header, 0);
    if (problem != null) {
      return problem;
    }
    long length = RecordLayout.u64(header, 0);
    long room = left - RecordLayout.FRAME_BYTES;
    if (length < 0 || length > room) {
      return "the record has %s bytes of data, but the file ends after %d, at byte %d"
          .formatted(Long.toUnsignedString(length), Math.max(0, room), window.size());
    }
    return records < ShardIndex.MAX_SAMPLES
        ? null
        : "a shard may have at most %d records; write it as several, by shards or shardBytes (--shards, --shard-size)"
            .formatted(ShardIndex.MAX_SAMPLES);
  }
}
