package io.feedline.formats.table.internal;

import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.TableFile;
import io.feedline.formats.store.internal.shards.FilesOfFormat;
import io.feedline.formats.store.internal.shards.TableFormat;
import java.io.IOException;
import java.nio.file.Path;

public final class CsvTables implements TableFormat {

  private static final FilesOfFormat FILES =
      FilesOfFormat.matching("(?i).*\\.(csv|tsv)(\\.(gz|zst))?");

  public CsvTables() {}

  @Override
  public String name() {
    return "csv";
  }

  @Override
  public FilesOfFormat names() {
    return FILES;
  }

  @Override
  public TableFile open(OpenFiles files, Path file, TextOptions options) throws IOException {
    return CsvTable.open(files, file, options);
  }
}
