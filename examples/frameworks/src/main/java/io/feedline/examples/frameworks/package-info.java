/** Batches for frameworks other than DJL: programs to copy from. */
package io.feedline.examples.frameworks;
