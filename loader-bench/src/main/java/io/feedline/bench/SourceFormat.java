package io.feedline.bench;

import io.feedline.Dataset;
import io.feedline.formats.hdf5.Hdf5Dataset;
import io.feedline.formats.image.ImageFolder;
import io.feedline.formats.lmdb.LmdbImages;
import io.feedline.formats.lmdb.LmdbTensors;
import io.feedline.formats.mds.MdsImages;
import io.feedline.formats.recordio.RecordIoImages;
import io.feedline.formats.tfrecord.TfRecordImages;
import io.feedline.formats.webdataset.WebDatasetImages;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What {@link Throughput} can read. A format is one constant here, and its name in lower case, with
 * a dash, is the value of {@code --format}.
 *
 * <p>Images are what {@code feedline convert SRC DST --to FORMAT} makes; that of a tensor is what
 * {@link PackTensors} and {@code peers/make_hdf5.py} make.
 */
enum SourceFormat {
  /** A directory for each class: DIR/CLASS/IMAGE.jpg. */
  IMAGEFOLDER {
    @Override
    Source open(Path data, Recipe recipe) throws IOException {
      if (!Files.isDirectory(data)) {
        throw new FileSystemException(data.toString(), null, "must be a directory");
      }
      return recipe.of(ImageFolder.builder(data).decode(recipe.decoding()).build());
    }
  },

  /** A directory with data.mdb in it, of images. */
  LMDB {
    @Override
    Source open(Path data, Recipe recipe) throws IOException {
      return recipe.of(LmdbImages.of(data, recipe.decoding()));
    }
  },

  /** TFRecord files: one, a pattern, or a directory of shards. */
  TFRECORD {
    @Override
    Source open(Path data, Recipe recipe) throws IOException {
      Path files = Files.isDirectory(data) ? data.resolve("data-*") : data;
      return recipe.of(TfRecordImages.builder(files).decode(recipe.decoding()).build());
    }
  },

  /** A file of records with its index, or a directory that holds it. */
  RECORDIO {
    @Override
    Source open(Path data, Recipe recipe) throws IOException {
      Path file = Files.isDirectory(data) ? data.resolve("data.rec") : data;
      return recipe.of(RecordIoImages.builder(file).decode(recipe.decoding()).build());
    }
  },

  /** WebDataset's tar files: one, or a directory of them. */
  WEBDATASET {
    @Override
    Source open(Path data, Recipe recipe) throws IOException {
      return recipe.of(WebDatasetImages.builder(tars(data)).decode(recipe.decoding()).build());
    }
  },

  /** A directory with MosaicML's index.json and shards. */
  MDS {
    @Override
    Source open(Path data, Recipe recipe) throws IOException {
      return recipe.of(MdsImages.builder(data).decode(recipe.decoding()).build());
    }
  },

  /** A directory with data.mdb in it, of tensors in LZ4 frames. */
  LMDB_TENSORS {
    @Override
    boolean isOfTensors() {
      return true;
    }

    @Override
    Source open(Path data, Recipe recipe) throws IOException {
      return tensors(LmdbTensors.of(data));
    }
  },

  /** A file with the arrays images and labels. */
  HDF5 {
    @Override
    boolean isOfTensors() {
      return true;
    }

    @Override
    Source open(Path data, Recipe recipe) throws IOException {
      return tensors(
          Hdf5Dataset.builder(data).field("image", "images").label("label", "labels").build());
    }
  };

  /** Whether it holds arrays, which are read as they are, and no encoded images. */
  boolean isOfTensors() {
    return false;
  }

  /**
   * Opens a file or a directory.
   *
   * @param recipe what is done to images; to tensors nothing is done
   * @return the samples; the caller closes them
   * @throws IOException if there are none or they cannot be listed
   * @throws IllegalStateException if the decoder is not there
   */
  abstract Source open(Path data, Recipe recipe) throws IOException;

  private static Source tensors(Dataset<?> tensors) {
    return new Source(tensors, tensors);
  }

  private static List<Path> tars(Path data) throws IOException {
    if (!Files.isDirectory(data)) {
      return List.of(data);
    }
    try (Stream<Path> entries = Files.list(data)) {
      List<Path> tars = entries.filter(file -> file.toString().endsWith(".tar")).sorted().toList();
      if (tars.isEmpty()) {
        throw new FileNotFoundException("no files *.tar in " + data);
      }
      return tars;
    }
  }

  /** As it is written on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
