package io.feedline.formats.recordio;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.FileWindow;
import io.feedline.formats.store.internal.files.OpenFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

final class RecordIoScan {

  private final Path file;
  private final FileWindow window;
  private final LongStream.Builder positions = LongStream.builder();
  private int records;

  private RecordIoScan(Path file, FileWindow window) {
    this.file = file;
    this.window = window;
  }

  static long[] positions(OpenFiles files, Path file) throws IOException {
    try (FileWindow window = new FileWindow(files, file, files.size(file))) {
      RecordIoScan scan = new RecordIoScan(file, window);
      scan.run();
      return scan.positions.build().toArray();
    }
  }

  private void run() throws IOException {
    long record = 0;
    long position = 0;
    boolean within = false;
    while (position < window.size()) {
      if (window.size() - position < RecordIoLayout.HEADER_BYTES) {
        throw damaged(record, position, "the file ends within a header");
      }
      ByteBuffer header = window.at(position, RecordIoLayout.HEADER_BYTES);
      int magic = header.getInt();
      int word = header.getInt();
      int kind = RecordIoLayout.kind(word);
      long end = position + RecordIoLayout.partBytes(word);
      String problem = problemOf(magic, kind, within, window.size() - end);
      if (problem != null) {
        throw damaged(record, position, problem);
      }
      position = end;
      within = kind == RecordIoLayout.FIRST || kind == RecordIoLayout.MIDDLE;
      if (!within) {
        positions.add(record);
        records++;
        record = position;
      }
    }
    if (within) {
      throw damaged(record, position, "the file ends before the record's last part");
    }
  }

  private FormatException damaged(long record, long position, String problem) {
    return FormatException.at(
        file, records, record, "its part at %d: %s".formatted(position, problem));
  }

  private static @Nullable String problemOf(int magic, int kind, boolean within, long room) {
    if (magic != RecordIoLayout.MAGIC) {
      return "there is %08x where the magic number %08x is expected"
          .formatted(magic, RecordIoLayout.MAGIC);
    }
    return room < 0
        ? "the file ends %d bytes before the part does".formatted(-room)
        : RecordIoFile.problemOfKind(kind, within);
  }
}
