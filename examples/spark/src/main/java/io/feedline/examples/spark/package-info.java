/**
 * Examples of inference and training inside the tasks of Spark. DJL runs in the tasks, which
 * receive the network as bytes.
 */
package io.feedline.examples.spark;
