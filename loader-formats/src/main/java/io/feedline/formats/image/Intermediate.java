package io.feedline.formats.image;

import java.io.IOException;

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
  public PixelRows decode(Region region) throws IOException {
    return WorkspaceRows.of(
        workspace -> {
          PixelBuffer pixels = workspace.pixels();
          RowWriter target = RowWriter.to(pixels, region.width(), region.height(), Kernels.best());
          FusedWriter.write(geometry.crop(region), target, workspace);
          return pixels;
        });
  }

  @Override
  public String inWords() {
    return geometry.toString();
  }
}
