/**
 * The same augmentation twice, slow and fast, for {@code feedline doctor --pipeline}. The option
 * takes a user's class on the class path, which has a constructor without parameters.
 */
package io.feedline.examples.gamma;
