package io.feedline.formats.arrow.internal;

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

public final class ArrowFormat extends ImageTableFormat {

  public ArrowFormat() {
    super("arrow", FilesOfFormat.matching("(?i).*\\.(arrow|feather)"));
  }

  @Override
  public List<String> beginnings() {
    return List.of("ARROW1", "FEA1");
  }

  @Override
  public boolean splitsByName() {
    return true;
  }

  @Override
  public TableFile open(OpenFiles files, Path file, TextOptions options) throws IOException {
    return new ArrowTable(files, file);
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
    return ArrowStore.open(path, files, columns, classes, openFiles);
  }
}
