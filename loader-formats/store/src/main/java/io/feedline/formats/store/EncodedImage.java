package io.feedline.formats.store;

import java.util.Objects;

/**
 * An image as it is stored, and its class: one sample of an {@link ImageStore}. An image moves from
 * one format to another without being decoded. Immutable but for its array.
 *
 * @param key the image's name in its store, without a file name's extension: in a folder, a path
 *     below the root; in a format with keys, the key; in a format without keys, the number in
 *     decimal
 * @param bytes the whole encoded image; not copied; do not change it
 * @param label the index of the image's class, 0 or more, or {@link #NO_LABEL}
 * @param extension the extension of the image's file, in its original spelling and without the dot
 *     ({@code JPEG}); empty if the store does not keep it
 */
public record EncodedImage(String key, byte[] bytes, int label, String extension) {

  /** The label of an image without a class. */
  public static final int NO_LABEL = -1;

  /**
   * Checks the label.
   *
   * @throws IllegalArgumentException if the label is less than -1
   */
  public EncodedImage {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(bytes, "bytes");
    Objects.requireNonNull(extension, "extension");
    if (label < NO_LABEL) {
      throw new IllegalArgumentException("a label must be 0 or more, or -1 for none, was " + label);
    }
  }

  /** Creates an image whose file's extension is not known. */
  public EncodedImage(String key, byte[] bytes, int label) {
    this(key, bytes, label, "");
  }

  /**
   * Returns an image with the name of its file, which is split into key and extension at the last
   * dot.
   *
   * @param name the path of the image's file below the store's directory, with slashes
   */
  public static EncodedImage ofFile(String name, byte[] bytes, int label) {
    int dot = name.lastIndexOf('.');
    return dot > name.lastIndexOf('/') + 1
        ? new EncodedImage(name.substring(0, dot), bytes, label, name.substring(dot + 1))
        : new EncodedImage(name, bytes, label);
  }

  /** Returns this image with another key. */
  public EncodedImage withKey(String newKey) {
    return new EncodedImage(newKey, bytes, label, extension);
  }

  /**
   * Returns this image with a key that ends with the file's extension: {@code a_jpg} for {@code
   * a.jpg}, since a key has no dots. So {@code a.jpg} and {@code a.png} can be in the same store.
   */
  public EncodedImage withFileNameAsKey() {
    return withKey(key + '_' + fileName().substring(key.length() + 1));
  }

  /**
   * Returns the encoding of the image, by its first bytes; {@link ImageFormat#UNKNOWN} if it is not
   * known.
   */
  public ImageFormat format() {
    return ImageFormat.of(bytes);
  }

  /**
   * Returns the file name of the image: the key, a dot, and the file's extension. If the store does
   * not keep the extension, it is the usual extension of the encoding.
   */
  public String fileName() {
    return key + '.' + (extension.isEmpty() ? format().suffix() : extension);
  }
}
