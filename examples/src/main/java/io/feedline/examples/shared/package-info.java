/**
 * The parts that several programs share: images that they make, which exist as a whole or not at
 * all, a server of S3's API, and what is printed while a program works.
 */
package io.feedline.examples.shared;
