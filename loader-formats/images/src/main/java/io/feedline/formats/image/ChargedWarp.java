package io.feedline.formats.image;

import io.feedline.formats.image.kernel.internal.Resampler;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.Region;
import io.feedline.internal.Charged;
import io.feedline.internal.ReadMeter;

/** A warp that a user's own transform added; statistics count its time for this transform. */
record ChargedWarp(WarpedSource warp, String stage) implements WarpedSource, Charged {

  /** Returns the function; statistics time its warps for the user's transform that runs now. */
  static PixelChanges.Filled of(PixelChanges.Filled warps) {
    String stage = ReadMeter.ownStage();
    return stage == null
        ? warps
        : (source, color) -> new ChargedWarp((WarpedSource) warps.of(source, color), stage);
  }

  @Override
  public ImageSource parent() {
    return warp.parent();
  }

  @Override
  public int width() {
    return warp.width();
  }

  @Override
  public int height() {
    return warp.height();
  }

  @Override
  public int fill() {
    return warp.fill();
  }

  @Override
  public void paint(Region region, Resampler painter) {
    warp.paint(region, painter);
  }

  @Override
  public String inWords() {
    return warp.inWords();
  }
}
