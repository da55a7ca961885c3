package io.feedline.formats.table.internal;

import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.TableFile;
import io.feedline.formats.store.internal.samples.TableFormat;
import io.feedline.formats.store.internal.shards.FilesOfFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** CSV files as tables. */
public final class CsvTables implements TableFormat {

  private static final FilesOfFormat FILES =
      FilesOfFormat.matching("(?i).*\\.(csv|tsv)(\\.(gz|zst))?");

  /** Creates the registry's entry; called by {@link java.util.ServiceLoader}, not by users. */
  public CsvTables() {}

  @Override
  public String name() {
    return "csv";
  }

  @Override
  public boolean recognizes(Path path) throws IOException {
    return Files.exists(path) ? FILES.anyAt(path) : FILES.anyMatching(path);
  }

  @Override
  public List<Path> files(Path path, boolean allowMissing) throws IOException {
    return FILES.ofTable(path, allowMissing, false);
  }

  @Override
  public TableFile open(OpenFiles files, Path file, TextOptions options) throws IOException {
    return CsvTable.open(files, file, options);
  }
}
