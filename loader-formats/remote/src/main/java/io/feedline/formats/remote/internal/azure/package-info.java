/**
 * Azure's blobs: addresses, listings and block blobs as an {@link
 * io.feedline.formats.remote.internal.s3.Addressing}, and the credentials that sign requests: a
 * key, a shared access signature, a token of Microsoft Entra.
 */
@NullMarked
package io.feedline.formats.remote.internal.azure;

import org.jspecify.annotations.NullMarked;
