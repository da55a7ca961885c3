/**
 * The common parts of several programs: generated images, a server of S3's API, and the display of
 * progress.
 */
package io.feedline.examples.shared;
