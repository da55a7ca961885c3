/**
 * The page that shows where the time of a run went.
 *
 * <pre>
 *   loader --RunRecord--&gt; run.json --RunReport--&gt; report.html
 * </pre>
 *
 * <p>{@link io.feedline.formats.report.RunReport} reads a {@link io.feedline.stats.RunRecord}, and
 * writes one HTML file that needs nothing else: {@code page.html}, {@code page.css}, {@code
 * page.js} and Chart.js, with the record in it. {@code RunPage} writes words and tables, which
 * stand without scripts; {@code page.js} draws the same figures. {@code RunWords} has the
 * sentences.
 *
 * <p>To add a chart: a {@code figure} with a canvas in {@code page.html}, a table in {@code
 * RunPage} with the same numbers, a function in {@code page.js}, and its unit on its axis.
 */
@NullMarked
package io.feedline.formats.report;

import org.jspecify.annotations.NullMarked;
