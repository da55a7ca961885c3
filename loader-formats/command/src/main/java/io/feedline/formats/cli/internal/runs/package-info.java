/**
 * The commands that look at a run of a loader afterwards: {@code report}, which makes a page of its
 * record, and {@code trace}, which converts a flight recording for Perfetto.
 */
@NullMarked
package io.feedline.formats.cli.internal.runs;

import org.jspecify.annotations.NullMarked;
