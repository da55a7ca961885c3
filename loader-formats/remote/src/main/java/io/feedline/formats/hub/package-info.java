/**
 * The datasets of the Hugging Face hub, and the files of their configurations and splits. Users
 * call {@link io.feedline.formats.hub.HubSplits}. {@code DatasetCard} reads the configurations that
 * a repository's card names. {@code DataFiles} finds splits by the names of files, with patterns
 * that {@code Glob} matches. Nothing here reads data, and nothing knows whether a repository is
 * remote.
 *
 * <p>The rules are those of Hugging Face's {@code datasets}. To follow a change of the rules, run
 * {@code make_fixtures.py} of the tests with the new version of {@code datasets}, which has the
 * expected answers and the extensions.
 */
@NullMarked
package io.feedline.formats.hub;

import org.jspecify.annotations.NullMarked;
