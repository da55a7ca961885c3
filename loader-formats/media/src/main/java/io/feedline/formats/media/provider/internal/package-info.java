/** The services of this module, which other modules find by {@link java.util.ServiceLoader}. */
@NullMarked
package io.feedline.formats.media.provider.internal;

import org.jspecify.annotations.NullMarked;
