/**
 * Code that Feedline's modules share and users do not see: left out of the Javadoc, and changed
 * without notice.
 */
package io.feedline.internal;
