package io.feedline.formats.jpeg.internal;

/** The behavior of a {@link JpegDecoder} if the data of an image end too early or make no sense. */
public enum Damage {

  /** A {@link JpegException} that names the byte and the MCU. The default. */
  FAIL,

  /**
   * Keeps what can be read, and fills the rest with mid-gray blocks (all coefficients zero).
   *
   * <ul>
   *   <li>Data that end too early give what libjpeg gives: zero bits are read until the MCU is
   *       complete, and the MCUs after it are gray. So truncated files look as in libjpeg.
   *   <li>After an impossible code libjpeg reads on, with whatever the following bits happen to
   *       mean; here everything up to the next restart interval is gray.
   *   <li>Decoding resumes at the next restart marker, if the file has them, and lost or repeated
   *       markers are dealt with by libjpeg's rules (jpeg_resync_to_restart).
   * </ul>
   *
   * <p>Damaged headers, and files that {@link JpegImage#unsupported} names, still fail.
   */
  KEEP_READABLE
}
