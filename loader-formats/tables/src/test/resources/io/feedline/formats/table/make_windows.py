"""Makes tables of series, and windows.json with the windows that Keras and pandas make of them.

    pip install tensorflow-cpu pandas pyarrow scikit-learn && python make_windows.py

series.*: three keys of 40, 25 and 7 rows, an hour apart. gaps.csv: the same with rows left out, texts as
times. A window is the list of its rows, each the list of its columns.
"""

import json
import pathlib

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import tensorflow as tf
from sklearn.preprocessing import MinMaxScaler, StandardScaler

HERE = pathlib.Path(__file__).parent
COLUMNS = ["load", "temperature"]
rng = np.random.default_rng(7)


def series(key, rows, area, start):
    return pd.DataFrame(
        {
            "sensor": key,
            "ts": pd.date_range(start, periods=rows, freq="1h", tz="UTC").as_unit("us"),
            "load": (rng.integers(-800, 800, rows) / 8).astype(np.float32),
            "temperature": rng.integers(-400, 400, rows) / 16,
            "holiday": rng.integers(0, 2, rows),
            "area": area,
        }
    )


frame = pd.concat(
    [
        series("a", 40, 1.5, "2024-01-01"),
        series("b", 25, 2.5, "2024-01-01T12:00"),
        series("c", 7, 3.5, "2024-01-02"),
    ],
    ignore_index=True,
)
table = pa.Table.from_pandas(frame, preserve_index=False)
pq.write_table(table, HERE / "series.parquet", row_group_size=16, data_page_size=64)
with pa.OSFile(str(HERE / "series.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as out:
    out.write_table(table, max_chunksize=10)
frame.to_csv(HERE / "series.csv", index=False)
left_out = [3, 10, 11, 12, 30, 47]
gaps = frame.drop(index=left_out).reset_index(drop=True)
gaps.assign(ts=gaps.ts.dt.tz_localize(None)).to_csv(HERE / "gaps.csv", index=False)


def keras(length, horizon, stride, rate):
    """As TensorFlow's tutorial on time series does: windows of all rows, split into past and future."""
    past, future = [], []
    for _, rows in frame.groupby("sensor"):
        if len(rows) > max(stride, rate):
            for window in tf.keras.utils.timeseries_dataset_from_array(
                rows[COLUMNS].to_numpy(np.float32),
                targets=None,
                sequence_length=length + horizon,
                sequence_stride=stride,
                sampling_rate=rate,
                batch_size=None,
            ):
                past.append(window[:length].numpy().tolist())
                future.append(window[length:, :1].numpy().tolist())
    return {"length": length, "horizon": horizon, "stride": stride, "rate": rate, "past": past, "target": future}


def keras_targets(length):
    """As Keras' documentation does for the next step: targets that begin behind the first window."""
    past, future = [], []
    for _, rows in frame.groupby("sensor"):
        if len(rows) > length:
            data = rows[COLUMNS].to_numpy(np.float32)
            for window, target in tf.keras.utils.timeseries_dataset_from_array(
                data[:-1], data[length:], sequence_length=length, batch_size=None
            ):
                past.append(window.numpy().tolist())
                future.append([target[:1].numpy().tolist()])
    return {"length": length, "horizon": 1, "stride": 1, "rate": 1, "past": past, "target": future}


def rolling(groups, rows):
    return [
        window[COLUMNS].to_numpy(np.float32).tolist()
        for _, group in groups
        for window in group.rolling(rows)
        if len(window) == rows
    ]


def resampled(fill):
    parts = []
    for key, rows in gaps.groupby("sensor"):
        hours = rows.set_index("ts")[COLUMNS].resample("1h")
        parts.append((key, hours.ffill() if fill is None else hours.asfreq(fill_value=fill)))
    return rolling(parts, 8)


def split(cuts, length, horizon):
    """The time of the first and the last row of each window, for windows whose horizon lies within a part."""
    bounds = [pd.Timestamp.min.tz_localize("UTC"), *map(pd.Timestamp, cuts), pd.Timestamp.max.tz_localize("UTC")]
    parts = [[] for _ in bounds[1:]]
    for key, rows in frame.groupby("sensor"):
        for window in rows.rolling(length + horizon):
            if len(window) == length + horizon:
                first, last = window.ts.iloc[length], window.ts.iloc[-1]
                for part, low, high in zip(parts, bounds, bounds[1:]):
                    if low <= first and last < high:
                        part.append([key, window.ts.iloc[0].isoformat()])
    return parts


CUTS = ["2024-01-01T20:00Z", "2024-01-02T04:00Z"]
runs = (gaps.groupby("sensor").ts.diff() != pd.Timedelta("1h")).cumsum()
# The rows that a window of the first part has: those before the cut, of series with a window there.
trained = frame[(frame.ts < pd.Timestamp(CUTS[0])) & frame.sensor.isin(["a", "b"])]
standard, least = StandardScaler().fit(trained[COLUMNS]), MinMaxScaler().fit(trained[COLUMNS])
(HERE / "windows.json").write_text(
    json.dumps(
        {
            "keras": [keras(6, 2, 1, 1), keras(5, 1, 3, 1), keras(4, 2, 2, 3), keras(7, 0, 6, 1), keras_targets(5)],
            "skipped": rolling(gaps.groupby(["sensor", runs]), 8),
            "repeated": resampled(None),
            "filled": resampled(-1.0),
            "cuts": CUTS,
            "split": split(CUTS, 6, 2),
            "standard": [standard.mean_.tolist(), standard.scale_.tolist()],
            "minMax": [least.data_min_.tolist(), least.data_range_.tolist()],
        }
    )
    + "\n"
)
