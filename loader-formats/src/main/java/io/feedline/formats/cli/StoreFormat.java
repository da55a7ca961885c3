package io.feedline.formats.cli;

import io.feedline.formats.hdf5.Hdf5Images;
import io.feedline.formats.image.ImageFolder;
import io.feedline.formats.image.ImageFolderWriter;
import io.feedline.formats.image.ImageDataset;
import io.feedline.formats.image.ImageStoreWriter;
import io.feedline.formats.lmdb.LmdbImageWriter;
import io.feedline.formats.lmdb.LmdbImages;
import io.feedline.formats.mds.MdsImages;
import io.feedline.formats.mds.MdsWriter;
import io.feedline.formats.recordio.RecordIoImageWriter;
import io.feedline.formats.recordio.RecordIoImages;
import io.feedline.formats.tfrecord.TfRecordFiles;
import io.feedline.formats.tfrecord.TfRecordImageWriter;
import io.feedline.formats.tfrecord.TfRecordImages;
import io.feedline.formats.webdataset.WebDatasetImages;
import io.feedline.formats.webdataset.WebDatasetWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The formats that images are stored in: how to recognize, open and write each.
 *
 * <p>A format of several files is a directory that holds them and nothing else; it is written as
 * {@code NAME.partial} and renamed when it is whole.
 */
enum StoreFormat {
  /** A directory with data.mdb in it, of any layout that {@link LmdbImages} knows. */
  LMDB {
    @Override
    boolean recognizes(Path path) {
      return Files.exists(path.resolve("data.mdb"));
    }

    @Override
    ImageDataset open(Path path) throws IOException {
      return LmdbImages.of(path);
    }

    @Override
    ImageStoreWriter create(Path path, Packing packing) throws IOException {
      packing.refuseSharding(this);
      return LmdbImageWriter.open(path, packing.classes());
    }
  },

  /** TFRecord files of tf.train.Examples with ImageNet's features. */
  TFRECORD {
    @Override
    boolean recognizes(Path path) throws IOException {
      return anyFile(path, SHARD);
    }

    @Override
    ImageDataset open(Path path) throws IOException {
      return Files.isDirectory(path)
          ? TfRecordImages.builder(TfRecordFiles.builder(files(path, SHARD)).build()).build()
          : TfRecordImages.of(path);
    }

    @Override
    ImageStoreWriter create(Path path, Packing packing) throws IOException {
      return DirectorySink.open(
          path,
          directory -> {
            TfRecordImageWriter.Builder sink =
                TfRecordImageWriter.builder(directory.resolve(FILES)).classes(packing.classes());
            if (packing.shardBytes().isPresent()) {
              sink.shardBytes(packing.shardBytes().getAsLong());
            } else {
              sink.shards(packing.shards().orElse(1), packing.size());
            }
            return sink.build();
          });
    }
  },

  /** An MXNet file of records and its index. */
  RECORDIO {
    @Override
    boolean recognizes(Path path) throws IOException {
      return anyFile(path, REC);
    }

    @Override
    ImageDataset open(Path path) throws IOException {
      return RecordIoImages.of(Files.isDirectory(path) ? onlyFile(path, REC) : path);
    }

    @Override
    ImageStoreWriter create(Path path, Packing packing) throws IOException {
      packing.refuseSharding(this);
      return DirectorySink.open(
          path,
          directory ->
              RecordIoImageWriter.open(directory.resolve(FILES + ".rec"), packing.classes()));
    }
  },

  /** WebDataset's tar files. */
  WEBDATASET {
    @Override
    boolean recognizes(Path path) throws IOException {
      return anyFile(path, TAR);
    }

    @Override
    ImageDataset open(Path path) throws IOException {
      return WebDatasetImages.builder(files(path, TAR)).build();
    }

    @Override
    ImageStoreWriter create(Path path, Packing packing) throws IOException {
      return DirectorySink.open(
          path,
          directory -> {
            WebDatasetWriter.Builder sink =
                WebDatasetWriter.builder(directory, FILES + "-%06d.tar")
                    .classes(packing.classes())
                    // A reader would cut the key at the first dot behind the last slash.
                    .keys(StoreFormat::withoutDots);
            if (packing.shardBytes().isPresent()) {
              sink.maxBytes(packing.shardBytes().getAsLong());
            } else if (packing.shards().isPresent()) {
              sink.maxBytes(Long.MAX_VALUE).maxSamples(packing.imagesPerShard());
            }
            return sink.open();
          });
    }
  },

  /** MosaicML Streaming's shards. */
  MDS {
    @Override
    boolean recognizes(Path path) {
      return Files.exists(path.resolve("index.json"));
    }

    @Override
    ImageDataset open(Path path) throws IOException {
      return MdsImages.of(path);
    }

    @Override
    ImageStoreWriter create(Path path, Packing packing) throws IOException {
      if (packing.shards().isPresent()) {
        throw new IllegalArgumentException(
            "mds cuts its shards by size: give --shard-size instead of --shards");
      }
      return DirectorySink.open(
          path,
          directory -> {
            MdsWriter.Builder sink = MdsWriter.builder(directory).classes(packing.classes());
            if (packing.shardBytes().isPresent()) {
              sink.sizeLimit((int) Math.min(Integer.MAX_VALUE, packing.shardBytes().getAsLong()));
            }
            return sink.open();
          });
    }
  },

  /** An HDF5 file of encoded images; read only. */
  HDF5 {
    @Override
    boolean recognizes(Path path) throws IOException {
      return anyFile(path, H5);
    }

    @Override
    ImageDataset open(Path path) throws IOException {
      return Hdf5Images.builder(Files.isDirectory(path) ? onlyFile(path, H5) : path).build();
    }

    @Override
    ImageStoreWriter create(Path path, Packing packing) {
      throw new IllegalArgumentException("hdf5 is read and not written");
    }
  },

  /** A directory for each class. */
  IMAGEFOLDER {
    @Override
    boolean recognizes(Path path) throws IOException {
      if (!Files.isDirectory(path)) {
        return false;
      }
      try (var entries = Files.list(path)) {
        return entries.anyMatch(Files::isDirectory);
      }
    }

    @Override
    ImageDataset open(Path path) throws IOException {
      return ImageFolder.of(path);
    }

    @Override
    ImageStoreWriter create(Path path, Packing packing) throws IOException {
      packing.refuseSharding(this);
      return ImageFolderWriter.open(path, packing.classes());
    }
  };

  /** The base name of the files in a directory that is written. */
  private static final String FILES = "data";

  private static final Pattern SHARD = Pattern.compile(".*\\.tfrecords?|.*-[0-9]{5,}-of-[0-9]{5,}");
  private static final Pattern REC = Pattern.compile(".*\\.rec");
  private static final Pattern TAR = Pattern.compile(".*\\.tar");
  private static final Pattern H5 = Pattern.compile(".*\\.(h5|hdf5)");

  /** Whether the path is of this format, by its name and by as few of its bytes as can tell. */
  abstract boolean recognizes(Path path) throws IOException;

  /** The images. */
  abstract ImageDataset open(Path path) throws IOException;

  /** A new store, or an unfinished one of the same name. */
  abstract ImageStoreWriter create(Path path, Packing packing) throws IOException;

  /**
   * The format of what lies at a path; a folder of images is what is none of the others.
   *
   * @throws NoSuchFileException if there is nothing
   * @throws IOException if it is of no known format
   */
  static StoreFormat of(Path path) throws IOException {
    for (StoreFormat format : values()) {
      if (format.recognizes(path)) {
        return format;
      }
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

  /** The path if it is a file of such a name, or the files of such names in it, sorted. */
  private static List<Path> files(Path path, Pattern name) throws IOException {
    if (!Files.isDirectory(path)) {
      boolean matches = name.matcher(String.valueOf(path.getFileName())).matches();
      return Files.exists(path) && matches ? List.of(path) : List.of();
    }
    try (var entries = Files.list(path)) {
      return entries
          .filter(file -> name.matcher(file.getFileName().toString()).matches())
          .sorted()
          .toList();
    }
  }

  private static boolean anyFile(Path path, Pattern name) throws IOException {
    return !files(path, name).isEmpty();
  }

  private static Path onlyFile(Path directory, Pattern name) throws IOException {
    List<Path> files = files(directory, name);
    if (files.size() > 1) {
      throw new IOException(
          "%s has %d files of that format: give one of them".formatted(directory, files.size()));
    }
    return files.get(0);
  }

  private static String withoutDots(String key) {
    int name = key.lastIndexOf('/') + 1;
    return key.substring(0, name) + key.substring(name).replace('.', '_');
  }

  /** As it is written on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
