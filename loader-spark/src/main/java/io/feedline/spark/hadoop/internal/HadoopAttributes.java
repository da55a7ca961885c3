package io.feedline.spark.hadoop.internal;

import io.feedline.formats.store.internal.files.VersionedAttributes;
import java.nio.file.attribute.FileTime;
import org.apache.hadoop.fs.FileStatus;

record HadoopAttributes(HadoopFileSystem files, FileStatus status) implements VersionedAttributes {

  @Override
  public String version() {
    return status.isFile() ? files.version(status) : "";
  }

  @Override
  public FileTime lastModifiedTime() {
    return FileTime.fromMillis(status.getModificationTime());
  }

  @Override
  public boolean isDirectory() {
    return status.isDirectory();
  }

  @Override
  public long size() {
    return status.isDirectory() ? 0 : status.getLen();
  }

  @Override
  public Object fileKey() {
    return null;
  }
}
