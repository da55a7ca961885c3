/**
 * Bearer tokens of OAuth 2.0 for the stores of Google and Azure: {@code Tokens} requests them,
 * keeps them until they are about to expire, and never prints them.
 */
@NullMarked
package io.feedline.formats.remote.internal.token;

import org.jspecify.annotations.NullMarked;
