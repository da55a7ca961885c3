/**
 * Google Cloud Storage: addresses and answers of its XML API as an {@link
 * io.feedline.formats.remote.internal.s3.Addressing}, Google's application default credentials, and
 * resumable uploads.
 */
@NullMarked
package io.feedline.formats.remote.internal.google;

import org.jspecify.annotations.NullMarked;
