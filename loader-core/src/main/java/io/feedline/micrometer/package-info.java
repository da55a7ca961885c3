/**
 * Figures of loaders for <a href="https://micrometer.io">Micrometer</a>, and so for Prometheus,
 * Datadog and whatever else it writes to.
 *
 * <p>{@code io.micrometer:micrometer-core} is an optional dependency: a program that uses this
 * package has it anyway. Nothing outside of the package knows it, or this package. It sees what
 * users see of a loader, its {@link io.feedline.DataLoader#stats statistics}.
 */
@NullMarked
package io.feedline.micrometer;

import org.jspecify.annotations.NullMarked;
