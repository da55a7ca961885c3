package io.feedline.formats.media;

/** A decision about packets of a video or sound file that cannot be decoded as they should. */
public enum DamagePolicy {
  /**
   * Frames are what FFmpeg makes of damaged packets: lost parts are filled from their surroundings,
   * lost frames repeat the frame before. As in players, PyAV and torchcodec.
   */
  CONCEAL,

  /** An error that names file, stream and time. */
  FAIL
}
