"use strict";
// Draws the charts of the page from the record in the page. RUN.md of loader-core describes the record.
(() => {
  const run = JSON.parse(document.getElementById("run").textContent);
  const steps = run.steps;
  const level = run.service_level;
  const sum = (list, from = 0, to = list.length) => {
    let total = 0;
    for (let i = from; i < to; i++) total += list[i];
    return total;
  };

  /** Returns a number in the format of the tables: two decimals below 10, no decimals from 100 on. */
  const number = value => {
    const size = Math.abs(value);
    return value.toLocaleString("en", {
      useGrouping: true, maximumFractionDigits: size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2
    }).replace(/,/g, "\u202f");
  };

  /** Returns the unit of time in which a value has one to three digits before the point. */
  const unitOf = seconds =>
    seconds >= 1 ? { name: "s", size: 1 } : seconds >= 1e-3 ? { name: "ms", size: 1e-3 } : { name: "us", size: 1e-6 };
  const time = seconds => {
    if (seconds === 0) return "0 s";
    if (seconds < 1e-6) return number(seconds * 1e9) + " ns";
    const unit = unitOf(seconds);
    return number(seconds / unit.size) + " " + unit.name;
  };

  // ---- common parts of the charts ---------------------------------------------------------------

  const color = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  const faint = (name, alpha) => color(name) + Math.round(255 * alpha).toString(16).padStart(2, "0");

  const axis = (title, more = {}) => ({
    type: "linear",
    title: { display: true, text: title, color: color("soft") },
    grid: { color: color("rule") },
    border: { color: color("rule") },
    ...more,
    ticks: { color: color("soft"), maxRotation: 0, autoSkipPadding: 12, callback: value => number(value), ...more.ticks }
  });

  const line = (label, data, name, more = {}) => ({
    label, data, borderColor: color(name), backgroundColor: color(name), borderWidth: 1.5, pointRadius: 0,
    // With room for a line at an end of its axis, which the frame would hide or cut in half.
    pointHoverRadius: 4, clip: 4, ...more
  });

  const options = (scales, more = {}) => ({
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    interaction: { mode: "index", intersect: false, ...more.interaction },
    scales,
    plugins: {
      legend: {
        position: "bottom",
        labels: {
          color: color("text"), usePointStyle: true, pointStyleWidth: 26, boxHeight: 7, padding: 12,
          // Draws dashed lines dashed in the legend too.
          generateLabels: chart => Chart.defaults.plugins.legend.labels.generateLabels(chart).map(label => {
            const dataset = chart.data.datasets[label.datasetIndex];
            return { ...label, lineDash: dataset.borderDash || [], lineWidth: dataset.pointStyle === "line" ? 2 : 0 };
          })
        }
      },
      tooltip: { ...more.tooltip }
    },
    indexAxis: more.indexAxis || "x"
  });

  // ---- the charts -------------------------------------------------------------------------------

  /** Returns the points of values over the steps; each value holds until the next value begins. */
  const overSteps = values => {
    const points = values.map((y, i) => ({ x: steps.first[i], y }));
    const last = values.length - 1;
    if (last >= 0) points.push({ x: steps.first[last] + steps.count[last], y: values[last] });
    return points;
  };

  const quantile = (values, q) => {
    const sorted = [...values].sort((a, b) => a - b);
    return sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] : 0;
  };

  const timeline = () => {
    const waits = steps.waited_seconds.map((waited, i) => waited / steps.count[i]);
    const computes = steps.compute_seconds.map((t, i) => steps.compute_count[i] ? t / steps.compute_count[i] : 0);
    const longest = steps.waited_max_seconds;
    // A few long steps must not flatten all other steps, so a mark shows a step that is beyond the scale.
    const most = Math.max(0, ...longest, ...computes.map((t, i) => t + waits[i]));
    const usual = 2 * Math.max(
      quantile(longest, .98), quantile(computes.map((t, i) => t + waits[i]), .98), level ? level.step_seconds : 0);
    const top = most > 2 * usual && usual > 0 ? usual : most;
    const unit = unitOf(top);
    const scaled = values => overSteps(values.map(t => t / unit.size));
    const beyond = longest
      .map((t, i) => ({ x: steps.first[i], y: top / unit.size, wait: t, i }))
      .filter(point => point.wait > top);
    const joined = steps.count.some(count => count > 1);
    const end = steps.first.length ? steps.first.at(-1) + steps.count.at(-1) : 1;
    const tooltip = {
      callbacks: {
        title: items => items.length ? "step " + number(items[0].parsed.x) : "",
        label: item => {
          const i = Math.min(item.dataIndex, waits.length - 1);
          if (item.dataset.label.startsWith("wait")) return "wait: " + time(waits[i]);
          if (item.dataset.label.startsWith("compute")) return "compute: " + time(computes[i]);
          if (item.dataset.type === "scatter") return "longest wait: " + time(item.raw.wait);
          return item.dataset.label.startsWith("t =") ? item.dataset.label : "longest wait: " + time(longest[i]);
        }
      }
    };
    const stepAxis = axis("step", { min: 0, max: end, ticks: { precision: 0 } });
    const usualMean = quantile(waits.map((t, i) => t + computes[i]), .9);
    if (joined && most > 20 * usualMean && usualMean > 0) {
      // A logarithmic scale: a linear scale would flatten the means or cut off the longest steps.
      const floor = 10 ** Math.floor(Math.log10(usualMean) - 2);
      const above = values => overSteps(values.map(t => Math.max(t, floor)));
      return {
        type: "line",
        data: {
          datasets: [
            line("wait for the batch, mean", above(waits), "wait", { stepped: true, pointStyle: "line" }),
            line("compute, mean", above(computes), "compute", { stepped: true, pointStyle: "line", borderDash: [6, 3] }),
            line("longest wait", above(longest), "longest", { stepped: true, borderWidth: 1, pointStyle: "line" }),
            ...(level ? [line("t = " + time(level.step_seconds),
              [{ x: 0, y: level.step_seconds }, { x: end, y: level.step_seconds }], "limit", { borderDash: [2, 2], pointStyle: "line" })] : [])
          ]
        },
        options: options({
          x: stepAxis,
          y: axis("time per step, logarithmic", {
            type: "logarithmic", min: floor, max: 10 ** Math.ceil(Math.log10(most)),
            ticks: { callback: value => Number.isInteger(Math.round(1e6 * Math.log10(value)) / 1e6) ? time(value) : null }
          })
        }, { tooltip })
      };
    }
    const datasets = [];
    if (beyond.length) {
      datasets.push(line("beyond the scale, up to " + time(most), beyond, "longest", {
        type: "scatter", pointStyle: "triangle", pointRadius: 7, pointHoverRadius: 9, clip: false
      }));
    }
    if (joined) {
      datasets.push(line("longest wait", scaled(longest), "longest", { stepped: true, borderWidth: 1, pointStyle: "line" }));
    }
    if (level) {
      const t = level.step_seconds / unit.size;
      datasets.push(line("t = " + time(level.step_seconds), [{ x: 0, y: t }, { x: end, y: t }], "limit",
        { borderDash: [6, 4], pointStyle: "line" }));
    }
    datasets.push(line("wait for the batch", scaled(waits), "wait",
      { stepped: true, fill: "origin", stack: "step", backgroundColor: faint("wait", .85), borderWidth: 0, pointStyle: "rect" }));
    datasets.push(line("compute", overSteps(computes.map((t, i) => (t + waits[i]) / unit.size)), "compute",
      { stepped: true, fill: "-1", backgroundColor: faint("compute", .6), borderWidth: 0, pointStyle: "rect" }));
    return {
      type: "line",
      data: { datasets },
      options: options({
        x: stepAxis,
        y: axis("time per step, " + unit.name, { min: 0, ...(top < most ? { max: top / unit.size } : {}), ticks: { includeBounds: false } })
      }, { tooltip })
    };
  };

  /** Divides the entries into at most "most" groups of neighbors. */
  const groups = most => {
    const n = steps.first.length;
    const size = Math.max(1, Math.ceil(n / most));
    const found = [];
    for (let from = 0; from < n; from += size) found.push([from, Math.min(n, from + size)]);
    return found;
  };

  /** Returns the time of a group of steps; steps with unknown compute time count with the mean of the others. */
  const seconds = (from, to) => {
    const known = sum(steps.compute_count, from, to);
    return sum(steps.waited_seconds, from, to)
      + (known ? sum(steps.compute_seconds, from, to) * sum(steps.count, from, to) / known : 0);
  };

  const throughput = () => {
    const points = groups(60)
      .filter(([from, to]) => sum(steps.compute_count, from, to) > 0 && seconds(from, to) > 0)
      .map(([from, to]) => ({ x: steps.at_seconds[from], y: sum(steps.samples, from, to) / seconds(from, to) }));
    const end = points.length ? steps.at_seconds.at(-1) : 1;
    if (points.length) points.push({ x: end, y: points.at(-1).y });
    const datasets = [line("samples/s", points, "compute", { stepped: true, pointStyle: "line" })];
    if (level) {
      const needed = level.batch_size / level.step_seconds;
      // A line far above the points would flatten them.
      const beyond = needed > 5 * Math.max(...points.map(point => point.y), 0) && points.length > 0;
      const label = (level.step_measured ? "without waiting: " : "needed, n / t: ") + number(needed) + " samples/s";
      datasets.push(line(label + (beyond ? ", beyond the scale" : ""),
        beyond ? [] : [{ x: 0, y: needed }, { x: end, y: needed }], "limit", { borderDash: [6, 4], pointStyle: "line" }));
    }
    return {
      type: "line",
      data: { datasets },
      options: options(
        { x: axis("time since the first epoch began, s", { min: 0, max: end, ticks: { includeBounds: false } }), y: axis("samples/s", { min: 0 }) },
        {
          interaction: { mode: "nearest", axis: "x" },
          tooltip: {
            callbacks: {
              title: items => items.length ? "after " + time(items[0].parsed.x) : "",
              label: item => item.datasetIndex === 0 ? number(item.parsed.y) + " samples/s" : item.dataset.label
            }
          }
        })
    };
  };

  const AT_ONCE = 1e-6;

  const waits = () => {
    // Two bars for each doubling of the time; the axis is the logarithm of seconds.
    const bars = new Map();
    run.waits_histogram.up_to_seconds.forEach((upTo, i) => {
      if (upTo > AT_ONCE) {
        const bar = Math.ceil(2 * Math.log2(upTo));
        bars.set(bar, (bars.get(bar) || 0) + run.waits_histogram.count[i]);
      }
    });
    const log = bar => bar / 2 * Math.log10(2);
    const numbers = [...bars.keys()].sort((a, b) => a - b);
    const points = [];
    const first = numbers.length ? numbers[0] : -12;
    const last = numbers.length ? numbers.at(-1) : 0;
    for (let bar = first; bar <= last; bar++) {
      points.push({ x: log(bar - 1), y: bars.get(bar) || 0, upTo: 2 ** (bar / 2) });
    }
    points.push({ x: log(last), y: 0 });
    const most = Math.max(1, ...bars.values());
    const t = level ? Math.log10(level.step_seconds) : NaN;
    const ends = [points[0].x, points.at(-1).x, ...(level ? [t] : [])];
    const datasets = [line("waits", points, "wait",
      { stepped: true, fill: "origin", backgroundColor: faint("wait", .85), borderWidth: 0, pointStyle: "rect" })];
    if (level) {
      datasets.push(line("t = " + time(level.step_seconds), [{ x: t, y: 0 }, { x: t, y: most * 1.08 }], "limit",
        { borderDash: [6, 4], borderWidth: 2, pointStyle: "line" }));
    }
    return {
      type: "line",
      data: { datasets },
      options: options({
        x: axis("time that a batch was waited for, logarithmic", {
          min: Math.floor(Math.min(...ends) * 2 - .2) / 2,
          max: Math.ceil(Math.max(...ends) * 2 + .2) / 2,
          afterBuildTicks: built => {
            built.ticks = [];
            for (let k = Math.ceil(built.min); k <= built.max; k++) built.ticks.push({ value: k });
          },
          ticks: { callback: value => time(10 ** value), autoSkip: true }
        }),
        y: axis("batches", { min: 0, max: most * 1.08, ticks: { precision: 0, includeBounds: false } })
      }, {
        interaction: { mode: "nearest", axis: "x" },
        tooltip: {
          callbacks: {
            title: () => "",
            label: item => item.datasetIndex === 1 ? item.dataset.label
              : item.raw.upTo ? number(item.raw.y) + " batches waited " + time(item.raw.upTo / Math.SQRT2) + " to " + time(item.raw.upTo) : ""
          }
        }
      })
    };
  };

  /** Returns a chart of horizontal bars, one for each name. */
  const bars = (names, datasets, title) => {
    datasets.forEach(each => Object.assign(each, { maxBarThickness: 28, pointStyle: "rect" }));
    const wrap = name => name.length > 14 ? name.split(" ").reduce((lines, word) => {
      const end = lines.length - 1;
      if (end >= 0 && (lines[end] + word).length < 14) lines[end] += " " + word; else lines.push(word);
      return lines;
    }, []) : name;
    return {
      type: "bar",
      data: { labels: names.map(wrap), datasets },
      options: options({
        x: axis(title, { stacked: true, min: 0 }),
        y: { stacked: true, grid: { display: false }, border: { color: color("rule") }, ticks: { color: color("text"), autoSkip: false } }
      }, { indexAxis: "y", interaction: { axis: "y" } })
    };
  };

  /** Returns a stage's time in the queue; earlier records do not contain it. */
  const queued = stage => stage.queued_seconds || 0;

  const stages = () => {
    const list = run.total.stages;
    const unit = unitOf(Math.max(...list.map(stage => stage.elapsed_seconds), 0));
    return bars(list.map(stage => stage.name), [
      { label: "on a processor", data: list.map(stage => stage.cpu_seconds / unit.size), backgroundColor: color("compute") },
      { label: "queued for a processor", data: list.map(stage => queued(stage) / unit.size), backgroundColor: color("queue") },
      {
        label: "waiting for storage or locks",
        data: list.map(stage => Math.max(0, stage.elapsed_seconds - stage.cpu_seconds - queued(stage)) / unit.size),
        backgroundColor: color("wait")
      }
    ], "time of all workers, " + unit.name);
  };

  const stalls = () => {
    const list = [...run.stalls.by_cause].sort((a, b) => b.waited_seconds - a.waited_seconds);
    const unit = unitOf(Math.max(...list.map(each => each.waited_seconds), 0));
    return bars(list.map(each => each.cause),
      [{ label: "waited in stalls", data: list.map(each => each.waited_seconds / unit.size), backgroundColor: color("wait") }],
      "waited, " + unit.name);
  };

  const occupancy = () => {
    const found = groups(60);
    const mean = (values, from, to) => {
      let total = 0;
      for (let i = from; i < to; i++) total += values[i] * steps.count[i];
      return total / sum(steps.count, from, to);
    };
    const points = share => found.map(([from, to]) => ({ x: steps.first[from], y: Math.min(100, 100 * share(from, to)) }));
    const datasets = [
      line("batches ready, of " + run.loader.prefetch,
        points((from, to) => mean(steps.ready_mean, from, to) / run.loader.prefetch), "ready", { pointStyle: "line" }),
      line("slots in use, of " + run.loader.slots,
        points((from, to) => mean(steps.slots_mean, from, to) / run.loader.slots), "slots",
        { pointStyle: "line", borderDash: [6, 3] })
    ];
    if (run.loader.workers > 0) {
      datasets.push(line("workers busy, of " + run.loader.workers,
        points((from, to) => sum(steps.work_seconds, from, to) / (run.loader.workers * seconds(from, to) || Infinity)),
        "busy", { pointStyle: "line", borderDash: [2, 2] }));
    }
    return {
      type: "line",
      data: { datasets },
      options: options(
        { x: axis("step", { min: 0, max: steps.first.length ? steps.first.at(-1) + steps.count.at(-1) : 1, ticks: { precision: 0, includeBounds: false } }), y: axis("occupancy, %", { min: -3, max: 103, afterBuildTicks: built => { built.ticks = [0, 20, 40, 60, 80, 100].map(value => ({ value })); } }) },
        {
          tooltip: {
            callbacks: {
              title: items => items.length ? "step " + number(items[0].parsed.x) : "",
              label: item => item.dataset.label + ": " + number(item.parsed.y) + "%"
            }
          }
        })
    };
  };

  // ---- drawing ----------------------------------------------------------------------------------

  const drawn = [];
  const draw = () => {
    drawn.splice(0).forEach(chart => chart.destroy());
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    Chart.defaults.font.size = 12;
    for (const [id, config] of Object.entries({ timeline, throughput, waits, stages, occupancy, stalls })) {
      drawn.push(new Chart(document.getElementById(id + "Chart"), config()));
    }
    document.documentElement.dataset.charts = drawn.length;
  };

  /** Sets the height of a figure to its number of bars. */
  const fit = (id, count) => {
    document.getElementById(id).parentElement.style.height = (6.5 + 2.6 * Math.max(1, count)) + "rem";
  };
  fit("stagesChart", run.total.stages.length);
  fit("stallsChart", run.stalls.by_cause.length);

  // Closes the tables, which are open without scripts, so that charts come first.
  const tables = document.querySelectorAll("main details");
  tables.forEach(each => { each.open = false; });
  draw();

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  let opened = [];
  addEventListener("beforeprint", () => {
    document.documentElement.dataset.print = "";
    opened = [...tables].filter(each => !each.open);
    opened.forEach(each => { each.open = true; });
    draw();
  });
  addEventListener("afterprint", () => {
    delete document.documentElement.dataset.print;
    opened.forEach(each => { each.open = false; });
    draw();
  });
})();
