package io.feedline.formats.image;

import java.io.IOException;

/**
 * A picture turned by right angles, or turned upside down: of it, as of any other source, only the
 * part is decoded that is wanted. A recipe that begins with it keeps the picture's dtype and
 * layout, and has no normalisation.
 *
 * @param picture as it was
 * @param orientation how it is turned
 */
record TurnedImage(Image picture, Orientation orientation) implements ImageSource {

  /** The picture turned. */
  static Image turn(Image picture, Orientation orientation) {
    return Image.of(new TurnedImage(picture, orientation), picture.description())
        .toTensor(picture.dtype(), picture.layout());
  }

  @Override
  public int width() {
    return orientation.swapsAxes() ? picture.height() : picture.width();
  }

  @Override
  public int height() {
    return orientation.swapsAxes() ? picture.width() : picture.height();
  }

  @Override
  public void decode(Region region, Frame frame) throws IOException {
    Region part = orientation.stored(region, picture.width(), picture.height());
    Pixels pixels = picture.crop(part).pixels();
    // One copy more than needed, so that a frame's inner life stays its own.
    Frame stored = new Frame();
    stored.resize(part.width(), part.height());
    System.arraycopy(pixels.rgb(), 0, stored.rgb(), 0, pixels.rgb().length);
    orientation.turn(stored, frame);
  }

  @Override
  public String toString() {
    return picture + ", " + orientation;
  }
}
