/**
 * The page that shows where the time of a run went.
 *
 * <pre>
 *   loader --RunRecord--&gt; run.json --RunReport--&gt; report.html
 * </pre>
 *
 * <p>{@link io.feedline.formats.report.RunReport} reads a {@link io.feedline.stats.RunRecord}, and
 * writes one self-contained HTML file, made of {@code page.html}, {@code page.css}, {@code
 * page.js}, Chart.js and the record. {@code RunPage} writes words and tables, which need no
 * scripts; {@code page.js} draws the same figures. {@code RunWords} writes the sentences.
 *
 * <p>To add a chart, add a {@code figure} with a canvas to {@code page.html}, a table with the same
 * numbers to {@code RunPage}, and a function to {@code page.js}, which writes the unit on the axis.
 */
@NullMarked
package io.feedline.formats.report;

import org.jspecify.annotations.NullMarked;
