/**
 * The implementation of the command {@code plan}, which computes the rates that loading must reach,
 * before anything runs.
 *
 * <p>{@code Plan.of} computes a plan from a {@code Workload} and a {@code Storage}, which has the
 * figures of typical storages. {@code PlanText} prints the plan.
 */
@NullMarked
package io.feedline.formats.cli.internal.plan;

import org.jspecify.annotations.NullMarked;
