/**
 * Bearer tokens of OAuth 2.0, as Google's and Azure's stores take them: who asks for them, how long
 * they are kept, and that nothing prints them.
 */
@NullMarked
package io.feedline.formats.remote.internal.token;

import org.jspecify.annotations.NullMarked;
