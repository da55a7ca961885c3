package io.feedline.formats.image;

import io.feedline.DType;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A recipe as the source of another one: a picture that exists only while that one is written. */
record Intermediate(Geometry geometry) implements ImageSource {
  @Override
  public int width() {
    return geometry.width();
  }

  @Override
  public int height() {
    return geometry.height();
  }

  @Override
  public void decode(Region region, Frame frame) throws IOException {
    frame.resize(region.width(), region.height());
    ByteBuffer target = ByteBuffer.wrap(frame.rgb(), 0, 3 * region.width() * region.height());
    try (Workspace workspace = Workspace.take()) {
      RowWriter rows =
          RowWriter.to(
              target,
              DType.UINT8,
              ImageLayout.HWC,
              region.width(),
              region.height(),
              PixelTable.UNIT,
              workspace);
      FusedWriter.write(geometry.crop(region), rows, workspace);
    }
  }

  @Override
  public String inWords() {
    return geometry.toString();
  }
}
