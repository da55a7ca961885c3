package io.feedline.formats.store.internal.files;

import io.feedline.data.SampleReader.FileRange;
import java.io.IOException;

public final class FileImage extends OwnedImage {

  private final OpenFiles files;
  private final FileRange place;

  public FileImage(OpenFiles files, FileRange place, int label) {
    super("an image of " + place.file(), label, Math.toIntExact(place.length()));
    this.files = files;
    this.place = place;
  }

  @Override
  protected void copy(int position, byte[] target, int at, int count) throws IOException {
    files.read(place.file(), place.offset() + position, target, at, count);
  }

  @Override
  protected void release() {}
}
