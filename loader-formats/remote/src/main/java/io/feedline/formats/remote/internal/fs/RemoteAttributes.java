package io.feedline.formats.remote.internal.fs;

import io.feedline.formats.remote.internal.s3.RemoteObject;
import io.feedline.formats.store.internal.files.VersionedAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/** The attributes of an object, or of a directory, for which {@code object} is null. */
record RemoteAttributes(@Nullable RemoteObject object, String server)
    implements VersionedAttributes {

  static final RemoteAttributes DIRECTORY = new RemoteAttributes(null, "");

  private static final FileTime UNKNOWN = FileTime.fromMillis(0);

  @Override
  public String version() {
    return object == null || object.version().isEmpty() ? "" : object.version() + server;
  }

  /** Returns the epoch, the value for an unknown time. */
  @Override
  public FileTime lastModifiedTime() {
    return UNKNOWN;
  }

  @Override
  public boolean isDirectory() {
    return object == null;
  }

  @Override
  public long size() {
    return object == null ? 0 : object.size();
  }

  @Override
  public Object fileKey() {
    return object == null ? null : object.uri();
  }
}
