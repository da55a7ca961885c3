package io.feedline.formats.image;

import io.feedline.formats.image.kernel.internal.Resampler;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.Region;
import io.feedline.internal.Charged;
import io.feedline.internal.ReadMeter;

/** A warp added by a user's transform; the time of painting counts for that transform's stage. */
record ChargedWarp(WarpedSource warp, String stage) implements WarpedSource, Charged {

  /**
   * Returns the warps, with their time counted for the current stage if the stage is the user's.
   */
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
