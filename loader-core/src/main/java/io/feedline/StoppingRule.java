package io.feedline;

/** The end of a mixture of datasets; see {@link Dataset#mix}. */
public enum StoppingRule {
  /**
   * Before the first sample that a dataset cannot give any more. No sample occurs twice; of the
   * other datasets some samples do not occur.
   */
  FIRST_EXHAUSTED,

  /**
   * With the sample by which each dataset has been given completely. No sample is left out; those
   * of the other datasets begin again from their first.
   */
  ALL_EXHAUSTED
}
