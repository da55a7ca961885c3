/** The names of this module's transforms in pipelines that are written as JSON. */
@NullMarked
package io.feedline.formats.image.pipeline.internal;

import org.jspecify.annotations.NullMarked;
