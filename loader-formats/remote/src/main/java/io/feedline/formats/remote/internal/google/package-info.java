/**
 * Google Cloud Storage: its XML API as an {@link
 * io.feedline.formats.remote.internal.s3.Addressing}, application default credentials, and
 * resumable uploads.
 */
@NullMarked
package io.feedline.formats.remote.internal.google;

import org.jspecify.annotations.NullMarked;
