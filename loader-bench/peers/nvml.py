"""How busy a GPU is, by NVIDIA's management library: what io.feedline.bench.nvml.GpuMonitor is in Java.

Binds the library by ctypes, so that nothing needs to be installed, and measures as the other side of
a comparison does: the mean of the driver's samples, or of its present figure at the moments of polls
where a GPU gives no samples.
"""

import ctypes
import time

LIBRARY = "libnvidia-ml.so.1"
GPU_UTILIZATION_SAMPLES = 1
NOT_SUPPORTED = 3
NOT_FOUND = 6
# The driver takes no longer over a measurement, by NVML's manual.
LONGEST_PERIOD = 1.0


class NvmlError(Exception):
    """A GPU that cannot be watched, and why."""

    def __init__(self, message, code=None):
        super().__init__(message)
        self.code = code


class Value(ctypes.Union):
    _fields_ = [
        ("double", ctypes.c_double),
        ("int", ctypes.c_int),
        ("uint", ctypes.c_uint),
        ("ulong", ctypes.c_ulong),
        ("ulonglong", ctypes.c_ulonglong),
        ("longlong", ctypes.c_longlong),
        ("ushort", ctypes.c_ushort),
    ]


# By the numbers of nvmlValueType_t.
VALUE_TYPES = ["double", "uint", "ulong", "ulonglong", "longlong", "int", "ushort"]


class Sample(ctypes.Structure):
    _fields_ = [("micros", ctypes.c_ulonglong), ("value", Value)]


class Rates(ctypes.Structure):
    _fields_ = [("gpu", ctypes.c_uint), ("memory", ctypes.c_uint)]


def load(name):
    try:
        return ctypes.CDLL(name)
    except OSError as e:
        raise NvmlError(f"no {name}: {e}") from e


def bus_id(ordinal):
    """Where CUDA's GPU of this number is: the management library counts GPUs in another order."""
    cuda = load("libcuda.so.1")
    text = ctypes.create_string_buffer(32)
    device = ctypes.c_int()
    result = (
        cuda.cuInit(0)
        or cuda.cuDeviceGet(ctypes.byref(device), ordinal)
        or cuda.cuDeviceGetPCIBusId(text, len(text), device)
    )
    if result != 0:
        raise NvmlError(f"CUDA does not say where GPU {ordinal} is: code {result}")
    return text.value


class Monitor:
    """Watches CUDA's GPU of a number. The caller closes it."""

    def __init__(self, ordinal):
        self.place = bus_id(ordinal)
        self.library = load(LIBRARY)
        self.library.nvmlErrorString.restype = ctypes.c_char_p
        self.check(self.library.nvmlInit_v2(), "nvmlInit")
        try:
            self.device = ctypes.c_void_p()
            self.check(
                self.library.nvmlDeviceGetHandleByPciBusId_v2(self.place, ctypes.byref(self.device)),
                "nvmlDeviceGetHandleByPciBusId",
            )
            most = ctypes.c_uint(0)
            promised = self.get_samples(0, most, None)[0] == 0 and most.value > 0
            self.samples = (Sample * most.value)() if promised else None
            self.has_samples = promised
            self.last_seen = 0
            self.begin()
            self.poll()  # what was measured before does not count
            self.begin()
        except BaseException:
            self.library.nvmlShutdown()
            raise

    def check(self, result, call):
        if result != 0:
            words = self.library.nvmlErrorString(result).decode(errors="replace")
            raise NvmlError(f"{call} of GPU {self.place.decode()} failed: {words} ({result})", result)

    def get_samples(self, after, count, samples):
        kind = ctypes.c_int(0)
        result = self.library.nvmlDeviceGetSamples(
            self.device, GPU_UTILIZATION_SAMPLES, ctypes.c_ulonglong(after), ctypes.byref(kind),
            ctypes.byref(count), samples,
        )
        return result, kind.value

    def begin(self):
        self.sampled, self.polled, self.began = [], [], time.monotonic()

    def poll(self):
        """Takes in what the driver has measured; a few times a second, where it gives no samples."""
        if self.samples is not None:
            self.poll_samples()
        if not self.sampled:
            rates = Rates()
            result = self.library.nvmlDeviceGetUtilizationRates(self.device, ctypes.byref(rates))
            if result == NOT_SUPPORTED and self.samples is not None:
                return  # this GPU tells by samples alone
            self.check(result, "nvmlDeviceGetUtilizationRates")
            self.polled.append(rates.gpu)

    def poll_samples(self):
        count = ctypes.c_uint(len(self.samples))
        result, kind = self.get_samples(self.last_seen, count, self.samples)
        if result == NOT_FOUND:
            return  # nothing is newer
        self.check(result, "nvmlDeviceGetSamples")
        new = [sample for sample in self.samples[: count.value] if sample.micros > self.last_seen]
        self.sampled += [getattr(sample.value, VALUE_TYPES[kind]) for sample in new]
        self.last_seen = max([self.last_seen] + [sample.micros for sample in new])

    def utilization(self):
        """Percent, the mean since the last call; None if the driver has measured nothing."""
        self.poll()
        # Where samples do come, the present figure of a shorter time is one of the time before it.
        nothing = self.last_seen > 0 and time.monotonic() - self.began < LONGEST_PERIOD
        values = self.sampled or ([] if nothing else self.polled)
        if values:
            self.has_samples = values is self.sampled
        self.begin()
        return sum(values) / len(values) if values else None

    def close(self):
        self.library.nvmlShutdown()
