package io.feedline.formats.media;

/** The treatment of packets of a video or sound file that cannot be decoded correctly. */
public enum DamagePolicy {
  /**
   * FFmpeg conceals damaged packets: it fills lost parts from their surroundings and repeats the
   * frame before a lost frame, as in players, PyAV and torchcodec.
   */
  CONCEAL,

  /** An error that names file, stream and time. */
  FAIL
}
