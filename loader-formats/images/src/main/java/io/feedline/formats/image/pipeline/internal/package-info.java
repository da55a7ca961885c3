/** The names of this module's transforms, by which a pipeline written as JSON is read again. */
@NullMarked
package io.feedline.formats.image.pipeline.internal;

import org.jspecify.annotations.NullMarked;
