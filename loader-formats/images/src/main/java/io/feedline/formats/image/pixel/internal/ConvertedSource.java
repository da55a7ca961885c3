package io.feedline.formats.image.pixel.internal;

import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import java.io.IOException;

/** An image in another mode. */
public record ConvertedSource(ImageSource parent, Conversion conversion) implements DerivedSource {

  @Override
  public ImageMode mode() {
    return conversion.target();
  }

  @Override
  public PixelRows decode(Region region) throws IOException {
    return new Rows(parent.decode(region), conversion);
  }

  @Override
  public ImageSource reduced(int divisor) {
    ImageSource small = parent.reduced(divisor);
    return small == null ? null : new ConvertedSource(small, conversion);
  }

  @Override
  public String inWords() {
    return "(%s, as %s)".formatted(parent.inWords(), conversion.target());
  }

  record Rows(PixelRows rows, Conversion conversion) implements DerivedRows {

    @Override
    public void read(int y, int count, int[] pixels, int offset, int stride) {
      rows.read(y, count, pixels, offset, stride);
      for (int i = 0; i < count; i++) {
        conversion.convert(pixels, offset + i * stride, rows.width());
      }
    }
  }
}
