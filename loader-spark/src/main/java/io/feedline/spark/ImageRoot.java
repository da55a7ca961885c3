package io.feedline.spark;

import io.feedline.data.FormatException;
import io.feedline.formats.store.EncodedImage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/**
 * A directory with a subdirectory of images for each class. Spark has read the files with the
 * source {@code binaryFile}.
 *
 * @param uri the directory's qualified URI in Hadoop's form, a prefix of the paths of its files
 * @param directories the names of its subdirectories, sorted like the classes of a folder of images
 */
record ImageRoot(String uri, List<String> directories) implements Serializable {

  private static final Comparator<String> BY_CODE_POINTS =
      Comparator.comparing(
          (String name) -> name.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

  /** Lists a directory in any of Hadoop's file systems. */
  static ImageRoot of(String text, Configuration hadoop) throws IOException {
    Path root = Location.qualified(text, hadoop);
    FileStatus[] entries;
    try {
      entries = root.getFileSystem(hadoop).listStatus(root);
    } catch (FileNotFoundException absent) {
      FileNotFoundException named =
          new FileNotFoundException("option root: there is no directory " + root);
      named.initCause(absent);
      throw named;
    }
    List<String> directories =
        Arrays.stream(entries)
            .filter(FileStatus::isDirectory)
            .map(entry -> entry.getPath().getName())
            .sorted(BY_CODE_POINTS)
            .toList();
    return new ImageRoot(root.toString(), directories);
  }

  String below(String path) throws FormatException {
    String directory = uri.endsWith("/") ? uri : uri + "/";
    if (!path.startsWith(directory) || path.length() == directory.length()) {
      throw new FormatException(
          "%s does not lie below %s, which option root names".formatted(path, uri));
    }
    return path.substring(directory.length());
  }

  /**
   * Returns the label of a file, by the first directory in its path below the root, or {@code
   * EncodedImage.NO_LABEL} for a file in the root. Fails if the directory is not among the classes.
   */
  int label(String file, List<String> classes) throws FormatException {
    int slash = file.indexOf('/');
    if (slash < 0) {
      return EncodedImage.NO_LABEL;
    }
    int label = classes.indexOf(file.substring(0, slash));
    if (label < 0) {
      throw new FormatException(
          "%s/%s lies in '%s', which is none of the classes %s"
              .formatted(uri, file, file.substring(0, slash), classes));
    }
    return label;
  }
}
