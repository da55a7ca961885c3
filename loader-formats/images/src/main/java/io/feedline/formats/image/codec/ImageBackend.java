package io.feedline.formats.image.codec;

/** The library that decodes images. */
public enum ImageBackend {
  /**
   * For each image the fastest of those that are there: an {@link ImageDecoder} that was added for
   * it; {@link #FEEDLINE} for PNG, BMP, PNM and nearly all TIFFs, and for the JPEGs that it
   * decodes, if this JVM computes pixels by vectors or the part that is wanted is small enough;
   * else {@link #OPENCV} where it is on the class path and loads; otherwise {@link #IMAGEIO}. A log
   * line says so where ImageIO decodes for want of OpenCV.
   */
  AUTO,

  /**
   * Feedline's own decoder: JPEGs of 8 bits, Huffman-coded and sequential, as nearly all are, in
   * Java; pixels equal to Pillow's. It decodes only the part that is wanted, so it gains most from
   * crops, and from scan indexes ({@code ImageDataset.withScanIndexBytes}). Also PNG, BMP, PNM,
   * coefficient records, and TIFF. Images of any other kind are decoded as with {@link #AUTO}.
   */
  FEEDLINE,

  /**
   * OpenCV, which the artifact {@code io.feedline:loader-opencv} brings along, for JPEG, WebP, and
   * TIFF of YCbCr: pixels equal to Pillow's, and the only decoder of WebP. Other formats are
   * decoded as with {@link #FEEDLINE}. Where it is absent, making an image with it throws {@link
   * IllegalStateException}.
   */
  OPENCV,

  /**
   * The JDK's {@code javax.imageio} for JPEG: needs nothing, at half the speed or less. Other
   * formats are decoded as with {@link #FEEDLINE}. Its pixels differ from Pillow's by as much as
   * the JDK's libjpeg does: by nothing where the JDK links libjpeg-turbo, by a few levels
   * elsewhere.
   */
  IMAGEIO
}
