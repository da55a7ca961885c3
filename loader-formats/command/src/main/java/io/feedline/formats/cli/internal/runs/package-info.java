/**
 * The implementation of the command {@code report}, which makes a page from the record of a run.
 */
@NullMarked
package io.feedline.formats.cli.internal.runs;

import org.jspecify.annotations.NullMarked;
