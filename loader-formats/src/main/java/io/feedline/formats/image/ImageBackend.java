package io.feedline.formats.image;

/** Which library turns encoded bytes into pixels. */
public enum ImageBackend {
  /** OpenCV where it is on the class path and loads, otherwise ImageIO; a log line says which. */
  AUTO,

  /**
   * OpenCV through {@code org.bytedeco:opencv}: the fastest, pixels equal to Pillow's, and the only
   * one for WebP. Asking for it where it is absent is an error.
   */
  OPENCV,

  /**
   * The JDK's {@code javax.imageio}: needs nothing, at half the speed or less. Its pixels differ
   * from Pillow's by as much as the JDK's libjpeg does: by nothing where the JDK links
   * libjpeg-turbo, by a few levels elsewhere.
   */
  IMAGEIO
}
