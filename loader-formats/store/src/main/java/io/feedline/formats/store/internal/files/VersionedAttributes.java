package io.feedline.formats.store.internal.files;

import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

public interface VersionedAttributes extends BasicFileAttributes {

  /** Returns the version of the content; empty if it is not known. */
  String version();

  @Override
  default FileTime lastAccessTime() {
    return lastModifiedTime();
  }

  @Override
  default FileTime creationTime() {
    return lastModifiedTime();
  }

  @Override
  default boolean isRegularFile() {
    return !isDirectory();
  }

  @Override
  default boolean isSymbolicLink() {
    return false;
  }

  @Override
  default boolean isOther() {
    return false;
  }
}
