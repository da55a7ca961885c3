/**
 * Code that Feedline's modules share and users do not see: left out of the Javadoc, and changed
 * without notice.
 */
@NullMarked
package io.feedline.internal;

import org.jspecify.annotations.NullMarked;
