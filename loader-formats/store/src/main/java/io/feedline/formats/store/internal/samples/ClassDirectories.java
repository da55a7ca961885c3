package io.feedline.formats.store.internal.samples;

import io.feedline.data.FormatException;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageFormat;
import java.util.List;
import java.util.Locale;

/** Makes images' paths such as {@code cat/7.jpg}; without class names, directories are labels. */
public record ClassDirectories(List<String> classes) {

  public ClassDirectories {
    classes = List.copyOf(classes);
    for (String name : classes) {
      if (!EntryName.isBelow(name) || name.matches(".*[/\\\\\0].*")) {
        throw new IllegalArgumentException(
            "the class name '%s' cannot be the name of a directory".formatted(name));
      }
    }
  }

  public static boolean isImage(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return ImageFormat.EXTENSIONS.stream().anyMatch(lower::endsWith);
  }

  /** Returns an image's path; an unknown extension becomes the usual extension of the encoding. */
  public String file(EncodedImage image) throws FormatException {
    String directory = className(image) + "/";
    String key = EntryName.of(image.key());
    String name = key.startsWith(directory) ? key.substring(directory.length()) : key;
    if (!EntryName.isBelow(name) || name.indexOf('\0') >= 0) {
      throw new FormatException("the key '%s' leads out of its class's directory".formatted(key));
    }
    return directory + name + '.' + extension(image);
  }

  private String className(EncodedImage image) throws FormatException {
    int label = image.label();
    if (label == EncodedImage.NO_LABEL) {
      throw new FormatException(
          "%s has no class, but there is a directory for each".formatted(image.key()));
    }
    if (classes.isEmpty()) {
      return String.format(Locale.ROOT, "%06d", label);
    }
    if (label >= classes.size()) {
      throw new FormatException(
          "%s is of class %d, but there are only %d classes"
              .formatted(image.key(), label, classes.size()));
    }
    return classes.get(label);
  }

  private static String extension(EncodedImage image) throws FormatException {
    ImageFormat format = image.format();
    if (format == ImageFormat.UNKNOWN) {
      throw new FormatException(
          "%s: %d bytes that are no known kind of image, so the file has no extension"
              .formatted(image.key(), image.bytes().length));
    }
    return isImage("." + image.extension()) ? image.extension() : format.suffix();
  }
}
