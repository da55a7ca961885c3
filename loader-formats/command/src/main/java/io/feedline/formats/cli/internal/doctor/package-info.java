/**
 * The command {@code doctor}, which loads given data on this machine, names the loader's
 * bottleneck, and tries changes.
 *
 * <p>A {@code Trial} runs the loader, whose record {@link io.feedline.stats.Bottleneck} judges;
 * {@code Proposals} names changes that may help, {@code Tries} makes it in turns with the loader as
 * it is; {@code DoctorText} prints the {@code Findings}.
 */
@NullMarked
package io.feedline.formats.cli.internal.doctor;

import org.jspecify.annotations.NullMarked;
