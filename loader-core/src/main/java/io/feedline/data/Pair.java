package io.feedline.data;

/**
 * Two parts of a sample, as {@link Dataset#zip(Dataset)} puts them together. In a batch its entries
 * are {@code first} and {@code second}.
 *
 * @param first of the first dataset
 * @param second of the second dataset
 * @param <A> the first part
 * @param <B> the second part
 */
public record Pair<A, B>(A first, B second) {}
