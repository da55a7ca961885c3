package io.feedline.formats.cli;

import io.feedline.formats.image.ImageFolder;
import io.feedline.formats.image.ImageFolderSink;
import io.feedline.formats.image.PictureDataset;
import io.feedline.formats.image.PictureSink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The formats that pictures are stored in: how to recognise, open and write each. */
enum StoreFormat {
  /** A directory for each class. */
  IMAGEFOLDER {
    @Override
    boolean recognises(Path path) throws IOException {
      if (!Files.isDirectory(path)) {
        return false;
      }
      try (var entries = Files.list(path)) {
        return entries.anyMatch(Files::isDirectory);
      }
    }

    @Override
    PictureDataset open(Path path) throws IOException {
      return ImageFolder.of(path);
    }

    @Override
    PictureSink create(Path path, Packing packing) throws IOException {
      packing.refuseSharding(this);
      return ImageFolderSink.open(path, packing.classes());
    }
  };

  /** Whether the path is of this format, by its name and by as few of its bytes as can tell. */
  abstract boolean recognises(Path path) throws IOException;

  /** The pictures. */
  abstract PictureDataset open(Path path) throws IOException;

  /** A new store, or an unfinished one of the same name. */
  abstract PictureSink create(Path path, Packing packing) throws IOException;

  /**
   * The format of what lies at a path. Formats that are told by a signature come first, the plain
   * folder last.
   *
   * @throws NoSuchFileException if there is nothing
   * @throws IOException if it is of no known format
   */
  static StoreFormat of(Path path) throws IOException {
    for (StoreFormat format : values()) {
      if (format != IMAGEFOLDER && format.recognises(path)) {
        return format;
      }
    }
    if (IMAGEFOLDER.recognises(path)) {
      return IMAGEFOLDER;
    }
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString(), null, "there is no such file or directory");
    }
    List<String> known = new ArrayList<>();
    for (StoreFormat format : values()) {
      known.add(format.toString());
    }
    throw new IOException(
        path + " is none of the formats that are known: " + String.join(", ", known));
  }

  /** As it is written on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
