/**
 * Figures of loaders for <a href="https://micrometer.io">Micrometer</a>, and so for Prometheus,
 * Datadog and the other systems that Micrometer writes to.
 *
 * <p>{@code io.micrometer:micrometer-core} is an optional dependency: a program that uses this
 * package adds that library. No other package of Feedline uses Micrometer or this package. The
 * package uses only the public {@link io.feedline.DataLoader#stats statistics} of a loader.
 */
@NullMarked
package io.feedline.micrometer;

import org.jspecify.annotations.NullMarked;
