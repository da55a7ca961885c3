/**
 * The command {@code doctor}, which measures how fast this machine loads given data and says what
 * holds it up.
 *
 * <p>It measures ({@code ReadProbe}, {@code DecodeProbe}, {@code Trial}), judges ({@code
 * Diagnosis}, from figures alone, with a {@code LoaderModel}), and prints ({@code DoctorText},
 * {@code DoctorJson}).
 */
@NullMarked
package io.feedline.formats.cli.internal.doctor;

import org.jspecify.annotations.NullMarked;
