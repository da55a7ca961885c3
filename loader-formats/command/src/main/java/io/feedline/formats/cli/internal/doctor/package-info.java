/**
 * The implementation of the command {@code doctor}, which loads given data on this machine, names
 * the loader's bottleneck, and tries changes.
 *
 * <p>{@code Trial} runs the loader, and {@link io.feedline.stats.Bottleneck} finds the bottleneck
 * in its record. {@code Proposals} names changes that may help, and {@code Tries} measures them in
 * turns with the unchanged loader. {@code DoctorText} prints the {@code Findings}.
 */
@NullMarked
package io.feedline.formats.cli.internal.doctor;

import org.jspecify.annotations.NullMarked;
