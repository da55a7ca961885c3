package io.feedline.sampler;

/**
 * The option of samplers that draw with replacement or without; not thread-safe.
 *
 * @param <B> the builder itself
 */
abstract class ReplacementOptions<B extends ReplacementOptions<B>> {
  private boolean replacement;

  ReplacementOptions(boolean replacement) {
    this.replacement = replacement;
  }

  @SuppressWarnings("unchecked")
  final B self() {
    return (B) this;
  }

  /**
   * Sets whether each position draws from all indices, whatever the others drew; by default as in
   * PyTorch.
   */
  public final B replacement(boolean replacement) {
    this.replacement = replacement;
    return self();
  }

  final boolean replacement() {
    return replacement;
  }
}
