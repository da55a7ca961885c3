package io.feedline.formats.image;

/** What turns encoded bytes into pixels. */
public enum ImageBackend {
  /**
   * For each image the fastest of those that are there: {@link #FEEDLINE} for the JPEGs that it
   * decodes, if this JVM computes pixels by vectors or the part that is wanted is small enough;
   * else {@link #OPENCV} where it is on the class path and loads; otherwise {@link #IMAGEIO}. A log
   * line says which.
   */
  AUTO,

  /**
   * Feedline's own decoder: JPEGs of 8 bits, Huffman-coded and sequential, as nearly all are, in
   * Java; pixels equal to Pillow's. It decodes only the part that is wanted, so it gains most from
   * crops, and from {@link ScanIndexStore scan indexes}. Images of any other kind are decoded as
   * with {@link #AUTO}.
   */
  FEEDLINE,

  /**
   * OpenCV through {@code org.bytedeco:opencv}: pixels equal to Pillow's, and the only one for
   * WebP. Asking for it where it is absent is an error.
   */
  OPENCV,

  /**
   * The JDK's {@code javax.imageio}: needs nothing, at half the speed or less. Its pixels differ
   * from Pillow's by as much as the JDK's libjpeg does: by nothing where the JDK links
   * libjpeg-turbo, by a few levels elsewhere.
   */
  IMAGEIO
}
