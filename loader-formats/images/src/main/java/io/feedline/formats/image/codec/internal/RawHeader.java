package io.feedline.formats.image.codec.internal;

import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.codec.ImageHeader.ColorSpace;
import io.feedline.formats.image.codec.ImageHeader.Orientation;
import io.feedline.formats.image.internal.RawRecord;
import io.feedline.formats.store.FormatException;
import io.feedline.formats.store.ImageFormat;

/** The beginning of a raw record: its size and its orientation. */
final class RawHeader {

  private RawHeader() {}

  static ImageHeader parse(HeaderBytes bytes) throws FormatException {
    int version = bytes.u16(RawRecord.VERSION_AT, "the version of the raw record");
    if (version != RawRecord.VERSION) {
      throw new FormatException(RawRecord.otherVersion(version));
    }
    return ImageHeader.of(
        ImageFormat.RAW,
        bytes.u32(RawRecord.WIDTH_AT, "the width of the raw record"),
        bytes.u32(RawRecord.HEIGHT_AT, "the height of the raw record"),
        ColorSpace.PLAIN,
        Orientation.ofTag(bytes.u8(RawRecord.ORIENTATION_AT, "the orientation of the raw record")));
  }
}
