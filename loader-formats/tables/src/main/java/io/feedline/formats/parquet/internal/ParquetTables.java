package io.feedline.formats.parquet.internal;

import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.TableFile;
import io.feedline.formats.store.internal.shards.FilesOfFormat;
import io.feedline.formats.store.internal.shards.TableFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Parquet files as tables. */
public final class ParquetTables implements TableFormat {

  /** The files by their names. */
  public static final FilesOfFormat FILES = FilesOfFormat.matching("(?i).*\\.parquet");

  /** Creates the registry's entry; called by {@link java.util.ServiceLoader}, not by users. */
  public ParquetTables() {}

  @Override
  public String name() {
    return "parquet";
  }

  @Override
  public FilesOfFormat names() {
    return FILES;
  }

  @Override
  public List<String> beginnings() {
    return List.of("PAR1");
  }

  @Override
  public TableFile open(OpenFiles files, Path file, TextOptions options) throws IOException {
    return new ParquetTable(files, file);
  }
}
