/**
 * Remote objects, and the requests that read and write them, by S3's API and other APIs over HTTP.
 *
 * <p>{@code HttpObjects} is the {@code ObjectReader} that sends requests to servers; a cache is an
 * {@code ObjectReader} that reads from it. {@code ObjectWrites} puts and deletes objects, and
 * uploads objects in parts. {@code HttpObjects} owns its {@code Requests} and is closed by its file
 * system. All types but builders are thread-safe.
 *
 * <p>To speak another API over HTTP, write an {@code Addressing}.
 */
@NullMarked
package io.feedline.formats.remote.internal.s3;

import org.jspecify.annotations.NullMarked;
