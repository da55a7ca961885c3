package io.feedline;

/** The end of a mixture of datasets; see {@link Dataset#mix}. */
public enum StoppingRule {
  /**
   * The mixture ends before the first sample that a dataset cannot give any more. No sample occurs
   * twice; some samples of the other datasets do not occur.
   */
  FIRST_EXHAUSTED,

  /**
   * The mixture ends with the sample that completes the last of the datasets. No sample is left
   * out; datasets that are complete earlier begin again from their first sample.
   */
  ALL_EXHAUSTED
}
