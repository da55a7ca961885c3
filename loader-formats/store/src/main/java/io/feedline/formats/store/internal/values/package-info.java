/**
 * Values as other tools write them: NumPy's arrays, Python's floating-point numbers, sizes in bytes
 * as people type them. No public API.
 */
@NullMarked
package io.feedline.formats.store.internal.values;

import org.jspecify.annotations.NullMarked;
