/**
 * A format of one's own, written with public types of Feedline alone: what to copy for another one.
 *
 * <p>{@link com.example.pack.PackFormat} says what a file looks like and is found by its line in
 * {@code META-INF/services}, {@code PackStore} reads and {@code PackWriter} writes. A test runs
 * Feedline's {@code StoreContract} over them.
 */
package com.example.pack;
