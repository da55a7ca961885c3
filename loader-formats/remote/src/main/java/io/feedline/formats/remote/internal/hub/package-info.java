/**
 * The Hugging Face hub: repositories, revisions, files and tokens as an {@link
 * io.feedline.formats.remote.internal.s3.Addressing}.
 *
 * <p>To follow a change of the hub's API begin with {@code HubAddressing}, and with {@code StubHub}
 * of the tests.
 */
@NullMarked
package io.feedline.formats.remote.internal.hub;

import org.jspecify.annotations.NullMarked;
