/**
 * The parts that commands share: options as mixins, sizes and times as people write them, progress,
 * output as text or JSON, exit codes.
 */
@NullMarked
package io.feedline.formats.cli.internal.command;

import org.jspecify.annotations.NullMarked;
