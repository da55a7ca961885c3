/**
 * Parts that stores of several formats share: names of classes, columns of tables, base classes.
 */
@NullMarked
package io.feedline.formats.store.internal.samples;

import org.jspecify.annotations.NullMarked;
