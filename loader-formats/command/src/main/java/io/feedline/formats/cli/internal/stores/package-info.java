/**
 * The commands that work on stores: {@code convert}, {@code inspect}, {@code verify}, {@code
 * index}, {@code show}.
 */
@NullMarked
package io.feedline.formats.cli.internal.stores;

import org.jspecify.annotations.NullMarked;
