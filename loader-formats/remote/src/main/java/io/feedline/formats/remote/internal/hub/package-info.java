/**
 * The Hugging Face hub: the addresses of repositories, their files, revisions and tokens, as an
 * {@link io.feedline.formats.remote.internal.s3.Addressing}.
 *
 * <p>To follow a change of its API begin with {@code HubAddressing}; tests have a hub of their own.
 */
@NullMarked
package io.feedline.formats.remote.internal.hub;

import org.jspecify.annotations.NullMarked;
