package io.feedline.formats.arrow.internal;

import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.TableFile;
import io.feedline.formats.store.internal.samples.TableFormat;
import io.feedline.formats.store.internal.shards.FilesOfFormat;
import java.io.IOException;
import java.nio.file.Files;
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
  public boolean recognizes(Path path) throws IOException {
    if (Files.exists(path)) {
      return FILES.anyAt(path)
          || FilesOfFormat.beginsWith(path, 'A', 'R', 'R', 'O', 'W', '1')
          || FilesOfFormat.beginsWith(path, 'F', 'E', 'A', '1');
    }
    return FILES.anyMatching(path);
  }

  @Override
  public List<Path> files(Path path, boolean allowMissing) throws IOException {
    return FILES.ofTable(path, allowMissing, true);
  }

  @Override
  public TableFile open(OpenFiles files, Path file, TextOptions options) throws IOException {
    return new ArrowTable(files, file);
  }
}
