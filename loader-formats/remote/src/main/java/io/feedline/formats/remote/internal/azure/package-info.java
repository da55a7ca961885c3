/**
 * Azure's blob storage: addresses, listings and uploads as an {@link
 * io.feedline.formats.remote.internal.s3.Addressing}, and the credentials that sign requests: a
 * key, a shared access signature, or a token of Microsoft Entra.
 */
@NullMarked
package io.feedline.formats.remote.internal.azure;

import org.jspecify.annotations.NullMarked;
