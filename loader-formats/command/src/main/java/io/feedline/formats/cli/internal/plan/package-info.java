/**
 * The command {@code plan}, which computes the rates that loading must reach, before anything runs.
 *
 * <p>{@code Plan.of} computes from a {@code Workload} and a {@code Storage}, whose typical figures
 * are in {@code Storage}; {@code PlanText} prints the result.
 */
@NullMarked
package io.feedline.formats.cli.internal.plan;

import org.jspecify.annotations.NullMarked;
