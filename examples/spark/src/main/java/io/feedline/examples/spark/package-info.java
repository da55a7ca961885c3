/**
 * Inference and training inside the tasks of Spark: programs to copy from. DJL runs in the tasks; a
 * network is sent to them as bytes.
 */
package io.feedline.examples.spark;
