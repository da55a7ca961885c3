package io.feedline.formats.arrow.internal;

import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.TableFile;
import io.feedline.formats.store.internal.shards.FilesOfFormat;
import io.feedline.formats.store.internal.shards.TableFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Arrow's IPC files and streams as tables. */
public final class ArrowTables implements TableFormat {

  /** The files by their names. */
  public static final FilesOfFormat FILES = FilesOfFormat.matching("(?i).*\\.(arrow|feather)");

  /** Creates the registry's entry; called by {@link java.util.ServiceLoader}, not by users. */
  public ArrowTables() {}

  @Override
  public String name() {
    return "arrow";
  }

  @Override
  public FilesOfFormat names() {
    return FILES;
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
}
