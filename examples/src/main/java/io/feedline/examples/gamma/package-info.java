/**
 * The same augmentation twice, slow and fast, for {@code feedline doctor --pipeline}: a class of
 * one's own on the class path, with a constructor without parameters.
 */
package io.feedline.examples.gamma;
