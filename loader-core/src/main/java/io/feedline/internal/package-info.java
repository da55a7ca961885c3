/** Code shared by Feedline's modules: not for users, not in the Javadoc, changed without notice. */
@NullMarked
package io.feedline.internal;

import org.jspecify.annotations.NullMarked;
