/**
 * Files of any file system that any number of threads read by position. All reads of formats go
 * through {@link io.feedline.formats.store.internal.files.OpenFiles}: no reader opens a channel by
 * itself.
 */
@NullMarked
package io.feedline.formats.store.internal.files;

import org.jspecify.annotations.NullMarked;
