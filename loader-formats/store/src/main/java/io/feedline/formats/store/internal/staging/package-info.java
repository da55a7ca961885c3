/** Outputs that exist only when they are whole, and the writers over them, each for one thread. */
@NullMarked
package io.feedline.formats.store.internal.staging;

import org.jspecify.annotations.NullMarked;
