package io.feedline.formats.parquet.internal;

import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.ImageColumns;
import io.feedline.formats.store.internal.samples.TableFile;
import io.feedline.formats.store.internal.shards.FilesOfFormat;
import io.feedline.formats.store.internal.shards.ImageTableFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

public final class ParquetFormat extends ImageTableFormat {

  public ParquetFormat() {
    super("parquet", FilesOfFormat.matching("(?i).*\\.parquet"));
  }

  @Override
  public List<String> beginnings() {
    return List.of("PAR1");
  }

  @Override
  public TableFile open(OpenFiles files, Path file, TextOptions options) throws IOException {
    return new ParquetTable(files, file);
  }

  @Override
  public ImageStore openImages(
      Path path,
      List<Path> files,
      ImageColumns.Wanted columns,
      @Nullable List<String> classes,
      int openFiles,
      long cacheBytes)
      throws IOException {
    return ParquetStore.open(path, files, columns, classes, cacheBytes, openFiles);
  }
}
