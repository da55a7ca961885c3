/**
 * An example of a user's own format, which uses only Feedline's public API.
 *
 * <p>{@link com.example.pack.PackFormat} describes the file; a line in {@code META-INF/services}
 * registers it. {@code PackStore} reads, and {@code PackWriter} writes. A test runs Feedline's
 * {@code StoreContract} on both.
 */
package com.example.pack;
