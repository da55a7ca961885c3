package io.feedline.formats.image;

import io.feedline.formats.image.kernel.internal.RowWriter;
import io.feedline.formats.image.kernel.internal.Workspace;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.DerivedRows;
import io.feedline.formats.image.pixel.internal.PixelBuffer;
import java.io.IOException;

/** The result of one image's operations as another's source, only while the other is written. */
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
  public ImageMode mode() {
    return geometry.source().mode();
  }

  @Override
  public PixelRows decode(Region region) throws IOException {
    Workspace workspace = Workspace.take();
    Rows rows = new Rows(workspace);
    try {
      RowWriter target =
          RowWriter.to(rows.pixels, region.width(), region.height(), geometry.kernels());
      FusedWriter.write(geometry.crop(region), target, workspace);
      return rows;
    } catch (IOException | RuntimeException | Error failed) {
      rows.close();
      throw failed;
    }
  }

  @Override
  public String inWords() {
    return geometry.toString();
  }

  /** The pixels in a workspace that no other code uses until these rows are closed. */
  private static final class Rows implements DerivedRows {
    private final Workspace workspace;
    private final PixelBuffer pixels;
    private boolean closed;

    Rows(Workspace workspace) {
      this.workspace = workspace;
      this.pixels = workspace.pixels();
    }

    @Override
    public PixelRows rows() {
      return pixels;
    }

    @Override
    public void read(int y, int rows, int[] to, int offset, int stride) {
      pixels.read(y, rows, to, offset, stride);
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        workspace.close();
      }
    }
  }
}
