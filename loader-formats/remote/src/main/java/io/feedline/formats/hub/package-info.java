/**
 * The files of each configuration and split of datasets of the Hugging Face hub. Users call {@link
 * io.feedline.formats.hub.HubSplits}. {@code DatasetCard} reads the configurations that a
 * repository's card names. {@code DataFiles} finds splits by the names of files, with patterns that
 * {@code Glob} matches. This package reads no data, and treats local and remote repositories alike.
 *
 * <p>The rules are those of Hugging Face's {@code datasets}. To follow a change of the rules, run
 * {@code make_fixtures.py} of the tests with the new version of {@code datasets}: it writes the
 * expected answers of the tests and the list of extensions.
 */
@NullMarked
package io.feedline.formats.hub;

import org.jspecify.annotations.NullMarked;
