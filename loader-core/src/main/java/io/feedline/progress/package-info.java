/**
 * Progress in a terminal: {@link io.feedline.progress.Progress} shows how far the epochs of a
 * loader are, {@link io.feedline.progress.TaskProgress} any task of many steps, and {@link
 * io.feedline.progress.TaskProgress.Figure} is what a program adds to the bar.
 *
 * <p>A bar is drawn on a terminal, with {@code me.tongfei:progressbar}, an optional dependency; a
 * line now and then is printed elsewhere, and where the library is missing. {@code BarLine} lays
 * the bar out for the width of the terminal, {@code Bar} is the one class that knows the library.
 * All goes to standard error.
 *
 * <p>It sees what users see of a loader, and nothing in loader-core knows it.
 */
@NullMarked
package io.feedline.progress;

import org.jspecify.annotations.NullMarked;
