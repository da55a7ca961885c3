package io.feedline.formats.media;

/** The treatment of damaged packets: packets that cannot be decoded correctly. */
public enum DamagePolicy {
  /**
   * FFmpeg conceals damaged packets: it fills lost parts from their surroundings and repeats the
   * frame before a lost frame, as in players, PyAV and torchcodec.
   */
  CONCEAL,

  /** The read fails with an error that names file, stream and time. */
  FAIL
}
