/**
 * Progress in a terminal: {@link io.feedline.progress.Progress} shows the progress of a loader's
 * epochs, or of any task of many steps.
 *
 * <p>A bar needs {@code me.tongfei:progressbar}, an optional dependency, which only {@code Bar}
 * uses; without it, and elsewhere than on a terminal, a line is printed now and then.
 */
@NullMarked
package io.feedline.progress;

import org.jspecify.annotations.NullMarked;
