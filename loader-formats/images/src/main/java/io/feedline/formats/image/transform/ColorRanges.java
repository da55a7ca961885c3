package io.feedline.formats.image.transform;

/**
 * The ranges of a color transform's random factors.
 *
 * @param hue turns of the hue, in circles
 */
record ColorRanges(
    UniformRange brightness, UniformRange contrast, UniformRange saturation, UniformRange hue) {

  ColorRanges withBrightness(UniformRange range) {
    return new ColorRanges(range, contrast, saturation, hue);
  }

  ColorRanges withContrast(UniformRange range) {
    return new ColorRanges(brightness, range, saturation, hue);
  }

  ColorRanges withSaturation(UniformRange range) {
    return new ColorRanges(brightness, contrast, range, hue);
  }

  ColorRanges withHue(UniformRange range) {
    return new ColorRanges(brightness, contrast, saturation, range);
  }

  @Override
  public String toString() {
    return "brightness=%s, contrast=%s, saturation=%s, hue=%s"
        .formatted(brightness, contrast, saturation, hue);
  }
}
