/**
 * Progress in a terminal: {@link io.feedline.progress.Progress} shows how far the epochs of a
 * loader are, {@link io.feedline.progress.TaskProgress} any task of many steps, and {@link
 * io.feedline.progress.TaskProgress.Figure} is a figure that a program adds to the bar.
 *
 * <p>A bar is drawn on a terminal, with {@code me.tongfei:progressbar}, an optional dependency; a
 * line now and then is printed elsewhere, and where the library is missing. {@code BarLine} lays
 * the bar out for the width of the terminal, only {@code Bar} uses the library. All goes to
 * standard error.
 *
 * <p>The package uses only the public API of a loader, and no other package of loader-core uses it.
 */
@NullMarked
package io.feedline.progress;

import org.jspecify.annotations.NullMarked;
