"""Makes arrays.h5: what peers/make_hdf5.py makes, but 5 samples of 4 x 4 pixels.

    python3 make_arrays.py        (h5py 3.7, numpy 1.24)
"""
import os

import h5py
import numpy

with h5py.File(os.path.join(os.path.dirname(os.path.abspath(__file__)), "arrays.h5"), "w") as file:
    file["images"] = numpy.arange(5 * 4 * 4 * 3, dtype=numpy.uint8).reshape(5, 4, 4, 3)
    file["labels"] = numpy.arange(5, dtype=numpy.int64)
