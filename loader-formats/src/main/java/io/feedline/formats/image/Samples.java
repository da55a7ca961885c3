package io.feedline.formats.image;

import java.io.IOException;

/**
 * Interleaved 8-bit samples of a picture, or of a part of one, for operations to work on. They lie
 * in memory that the thread uses again once they are closed. Not thread-safe.
 */
final class Samples implements AutoCloseable {
  private final Workspace workspace;
  private final Frame frame;

  private Samples(Workspace workspace) {
    this.workspace = workspace;
    this.frame = workspace.frame();
  }

  /**
   * A decoded part of a picture.
   *
   * @throws IOException if it cannot be decoded
   */
  static Samples of(ImageSource source, Region part) throws IOException {
    Samples samples = new Samples(Workspace.take());
    try {
      source.decode(part, samples.frame);
      return samples;
    } catch (IOException | RuntimeException | Error failed) {
      samples.close();
      throw failed;
    }
  }

  /**
   * A whole picture, decoded.
   *
   * @throws IOException if it cannot be decoded
   */
  static Samples of(ImageSource source) throws IOException {
    return of(source, new Region(0, 0, source.width(), source.height()));
  }

  /** Room for a picture of a size; the content is arbitrary. */
  static Samples blank(int width, int height) {
    Samples samples = new Samples(Workspace.take());
    samples.frame.resize(width, height);
    return samples;
  }

  /** Columns. */
  int width() {
    return frame.width();
  }

  /** Rows. */
  int height() {
    return frame.height();
  }

  /** The samples, at least {@code 3 * width * height} of them; row y begins at 3 * width * y. */
  byte[] rgb() {
    return frame.rgb();
  }

  /** Reduces them to a part, which lies within. */
  void crop(Region part) {
    byte[] rgb = rgb();
    int from = 3 * (part.y() * width() + part.x());
    for (int y = 0; y < part.height(); y++, from += 3 * width()) {
      System.arraycopy(rgb, from, rgb, 3 * part.width() * y, 3 * part.width());
    }
    frame.resize(part.width(), part.height());
  }

  @Override
  public void close() {
    workspace.close();
  }
}
