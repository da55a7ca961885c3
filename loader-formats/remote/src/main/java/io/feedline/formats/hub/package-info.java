/**
 * The datasets of the Hugging Face hub: which files of a repository are a configuration's and a
 * split's. {@link io.feedline.formats.hub.HubSplits} is the face. {@code DatasetCard} reads what
 * the repository's card says, {@code DataFiles} what the names of its files tell, by patterns that
 * are {@code Glob}s. Nothing here reads data, and nothing knows whether a repository is remote.
 *
 * <p>The rules are those of Hugging Face's {@code datasets}. To follow a change of them run {@code
 * make_fixtures.py} of the tests with its new version, which has the answers and the extensions.
 */
@NullMarked
package io.feedline.formats.hub;

import org.jspecify.annotations.NullMarked;
