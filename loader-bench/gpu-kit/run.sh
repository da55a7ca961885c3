#!/usr/bin/env bash
# Runs Feedline's GPU tests and benchmarks where gpu-kit/build has put this file: ./run.sh --help
set -uo pipefail

kit=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
self=$kit/$(basename "${BASH_SOURCE[0]}")

# The most valuable first: a call that is stopped keeps what it has.
first=(probe jni driver torch stream mutants copies mixing files files-torch records raw train train-torch)
then=(small small-torch scaling)
reserve=(exits sanitizer)
# With --minutes: STEP:SECONDS, the most valuable first, and the seconds that a machine with 16 processors and an H100
# needs for the step. A step is not begun in less time than that, and not ended before what is left has passed.
brief=(probe:5 jni:20 driver:10 torch:10 stream:20 copies:20 files@16:35 files-torch@16:35 mixing:15 files@2:35
  files-torch@2:35 records@2:35 raw@2:35 scaling:90 mutants:30 records@16:35 raw@16:35 files@8:35 files-torch@8:35
  train@16:35 train-torch@16:35 exits:20)

help() {
  cat <<'HELP'
./run.sh --out DIR [STEP ...] [options]

Forty minutes on a machine with a GPU: `./run.sh --out DIR` does the first fourteen steps in this order, the most
valuable first. Stop it when you like (Ctrl-C, TERM): DIR has each finished step and its figures, and a table.
The same call again does those of them that have not gone well yet; --work has what was unpacked and compiled, and must
be kept for that.

`./run.sh --out DIR --minutes 9` is for a machine that is lent for minutes: it orders steps by what they decide in a
second, compiles the native half while the driver's tests run, trains for --stretch seconds a figure instead of for
minutes, begins no step that would not end in time, and ends within the minutes. DIR then has four files, made anew
after each step: summary.txt, table.md, all.tar.gz (logs and figures) and the native half, which --jni takes on the
next machine.

  step         minutes                                                what it decides
  probe        10 s  disk, runtime, PyTorch, compiler, driver        what is missing here, and what to do about it
  jni          2     compiles DJL's native half for the PyTorch here  whether the steps with DJL can run
  driver       1     tests of the driver's binding, without DJL       whether the binding is right
  torch        1     tests of addresses and streams of PyTorch        whether a ring may copy into its tensors
  stream       2     tests of the whole way                           whether batches arrive, bit for bit
  mutants      2     tests with one order of calls left out           whether copies overlap, and a wrong order would show
  copies       2     copies by Feedline, PyTorch, and the ceiling     whether copies are as fast as they can be
  mixing       1     MixUp, CutMix, RandomErasing on the device       whether they give the host's numbers; their cost
  files        3     resnet50 on the pictures of the kit or --data    whether JPEGs feed this GPU
  files-torch  3     the same by PyTorch's DataLoader                 the denominator of that
  records      4     the same pictures as coefficient records        what decoding costs this training
  raw          4     the same as pixels                              what reading costs it, without decoding
  train        6     resnet50 on noise in memory                      the cost of loader and copies alone
  train-torch  6     the same by PyTorch's DataLoader                 the denominator of that

  small, small-torch  3 each   resnet18 on noise: many steps a second
  scaling             6        Throughput, torchvision's DataLoader and EmptyLoader with 1, 2, 4, 8, 16 workers
  exits               2        the process is ended in mid-epoch, ten times
  sanitizer           5        the tests of step torch under NVIDIA's compute-sanitizer
  table               1 s      makes DIR/table.md of the figures so far

Needs Linux on x86-64 and an NVIDIA driver; Python with a CUDA PyTorch and g++ for the steps behind jni. Needs no
JDK, Maven or network. Each step takes 9 minutes at most, and writes DIR/STEP.log; DIR/summary.txt says how each
ended. `all` means every step. A step whose requirement has not gone well yet runs that first; if it fails, the
step is left out, and says so: without the native half there are still copies and the driver's tests. A test that
fails is run again three times, alone. STEP@N is the step with N workers.

  --out DIR        where logs and figures go
  --work DIR       what is unpacked and compiled; kept. Default: $TMPDIR/feedline-gpu-kit
  --python COMMAND a Python with torch; for files also torchvision. Default: python3
  --jni FILE       a native half of DJL's engine that an earlier step jni has left in its --out
  --data DIR       pictures, DIR/CLASS/IMAGE; default: those in the kit
  --workers N      of each loader. Default: the processors
  --device cpu     a dry run without a GPU: the network is trained on the CPU, for a few small steps, and tests run
                   over a fake of the driver, which gcc compiles
  --seconds N      the most that a step may take. Default: 540
  --minutes N      the most that the call may take, all steps together; without STEPs: those of the brief order
  --stretch N      seconds of training by which a step with --minutes counts how busy the GPU is, with the loader
                   and without it. Default: 8

Exit code 0 if every step that was asked for went well, otherwise 1; 2 for options that make no sense.
HELP
}

fail() {
  echo "run.sh: $*" >&2
  exit 2
}

# ---- what the steps share ---------------------------------------------------------------------

say() { printf '\n== %s\n' "$*"; }

# Runs a command and shows it as one that can be given by hand; standard output is for figures.
run() {
  printf '\n$ %s\n' "$*" >&2
  "$@"
}

# Not possible on this machine: a step that ends so has not failed.
readonly NOT_HERE=3

flags=(--add-modules jdk.incubator.vector --enable-native-access=ALL-UNNAMED -Djava.awt.headless=true
  -Dai.djl.offline=true -DOPT_OUT_TRACKING=true)

# Whole or not at all: an earlier call may have been stopped in the middle of it.
unpack_runtime() {
  [[ -x $work/jre/bin/java ]] && return
  rm -rf "$work/unpacked" && mkdir -p "$work/unpacked" || return
  if command -v xz >/dev/null; then
    xz -dc "$kit/jre.tar.xz" | tar x -C "$work/unpacked" || return
  elif "$python" -c 'import lzma' 2>/dev/null; then
    "$python" -c 'import sys, tarfile; tarfile.open(sys.argv[1]).extractall(sys.argv[2])' "$kit/jre.tar.xz" "$work/unpacked" || return
  else
    fail "$kit/jre.tar.xz needs xz (package xz-utils) or a Python with lzma; $python has none. Or unpack it elsewhere, to $work/jre"
  fi
  rm -rf "$work/jre"
  mv "$work/unpacked/jre" "$work/jre"
}

# What DJL wants to know of the PyTorch that is here, without importing it, which takes many seconds.
describe_torch() {
  "$python" - <<'PYTHON'
import glob, importlib.util, os, re, runpy, shlex, sys
spec = importlib.util.find_spec("torch")
if spec is None or not spec.origin:
    sys.exit(1)
home = os.path.dirname(spec.origin)
version = runpy.run_path(os.path.join(home, "version.py"))
nvidia = glob.glob(os.path.join(os.path.dirname(home), "nvidia", "*", "lib"))
cuda = version.get("cuda")
config = os.path.join(home, "share", "cmake", "Torch", "TorchConfig.cmake")
# Since 2.7 it is 1 everywhere, and not written down any more.
abi = re.search(r"_GLIBCXX_USE_CXX11_ABI=(\d)", open(config).read() if os.path.exists(config) else "")
wanted = re.compile(r"lib(c10|c10_cuda|torch|torch_cpu|torch_cuda|torch_cuda_cpp|torch_cuda_cu|fbgemm|gomp.*)\.so.*")
libraries = os.path.join(home, "lib")
for name, value in {
    "torch_home": home,
    "torch_abi": abi.group(1) if abi else "1",
    "PYTORCH_LIBRARY_PATH": libraries,
    # DJL loads all that lies there, those included that only a Python process can load.
    "PYTORCH_LIBRARY_EXCLUSION": ",".join(
        sorted(file for file in os.listdir(libraries) if ".so" in file and not wanted.fullmatch(file))),
    "PYTORCH_VERSION": version["__version__"].split("+")[0],
    "PYTORCH_FLAVOR": "cu" + cuda.replace(".", "") if cuda else "cpu",
    "nvidia_libraries": ":".join(sorted(nvidia)),
}.items():
    print(f"{name}={shlex.quote(str(value))}")
PYTHON
}

# Sets the environment in which DJL finds PyTorch; false where Python has none.
use_torch() {
  local described
  described=$(describe_torch) || return
  eval "$described"
  export PYTORCH_LIBRARY_EXCLUSION PYTORCH_LIBRARY_PATH PYTORCH_VERSION PYTORCH_FLAVOR DJL_CACHE_DIR=$work/djl
  export LD_LIBRARY_PATH=$PYTORCH_LIBRARY_PATH${nvidia_libraries:+:$nvidia_libraries}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  engine=$(basename "$kit"/lib/pytorch-engine-*.jar .jar)
  native_half=$DJL_CACHE_DIR/pytorch/$PYTORCH_VERSION-$PYTORCH_FLAVOR-linux-x86_64/${engine#pytorch-engine-}-libdjl_torch.so
}

# Whether a step has gone well here; of jni, for the PyTorch that is here now.
went_well() {
  [[ -e $work/went-well/$1 ]] || return
  [[ $1 != jni ]] || { [[ -e ${native_half:-} && $(<"$work/went-well/jni") == "$PYTORCH_VERSION-$PYTORCH_FLAVOR" ]]; }
}

java() {
  run "$work/jre/bin/java" "${flags[@]}" "${java_options[@]}" -cp "$kit/lib/*" "$@"
}
java_options=()

# ---- tests ------------------------------------------------------------------------------------

# Runs the tests with a tag; each that fails once more, three times, alone and in a process of its own.
# In a dry run, the classes that run the same scenarios over a fake of the driver.
tests() { # TAG CLASS...
  local java_options=(-Dfeedline.gpu.required=true -Dorg.slf4j.simpleLogger.showDateTime=true) result=0 id
  if [[ $device == cpu ]]; then
    over_fake "${@:2}"
    return
  fi
  java io.feedline.gpu.GpuTests "$1" >"$work/tests" 2>&1 || result=1
  cat "$work/tests"
  if ((result)); then
    sed -n 's/^again: *//p' "$work/tests" | head -3 | while IFS= read -r id; do
      for attempt in 1 2 3; do
        say "again, alone, $attempt of 3: $id"
        java io.feedline.gpu.GpuTests "$id"
      done
    done
  fi
  return $result
}

# A driver is loaded once for all in a JVM, so each class has one of its own.
over_fake() {
  local class result=0
  command -v gcc >/dev/null || {
    echo "no gcc, which compiles the fake of the driver"
    return $NOT_HERE
  }
  rm -rf "$work/fake"
  mkdir -p "$work/fake/src/test" && cp -R "$kit/fake" "$work/fake/src/test/native" || return
  for class in "$@"; do
    LD_LIBRARY_PATH=$work/fake/fake-cuda${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
      java -Dfeedline.fake.home="$work/fake" io.feedline.gpu.GpuTests "[engine:junit-jupiter]/[class:io.feedline.gpu.$class]" ||
      result=1
  done
  return $result
}

# ---- figures ----------------------------------------------------------------------------------

# A step of training that falls back to ordinary copies is not what was to be measured.
train() { # OPTION...
  java io.feedline.bench.TrainStep --device "$device" --workers "$workers" "$@" >"$work/line" || return
  tee -a "$out/steps.jsonl" <"$work/line"
  if [[ $device == gpu ]] && ! grep -q '"transfer":"stream"' "$work/line"; then
    echo "FELL BACK: batches did not go through a copying stream; the log above says why"
    return 1
  fi
}

train_torch() { # OPTION...
  run "$python" "$kit/peers/train_step.py" --device "$device" --workers "$workers" "$@" >"$work/line" || return
  tee -a "$out/steps.jsonl" <"$work/line"
}

# What NVIDIA's own tool says of the GPU in the meantime, second by second: another witness.
witnessed() { # COMMAND...
  local witness= result=0
  if command -v nvidia-smi >/dev/null; then
    nvidia-smi dmon -s u -d 1 -o T >"$out/$FEEDLINE_STEP.dmon" 2>&1 &
    witness=$!
  fi
  "$@" || result=$?
  [[ -z $witness ]] || kill "$witness" 2>/dev/null
  return $result
}

# The same of either side, one after the other: float32, bytes, and what only one of them has. With --minutes
# what is fastest alone.
trainings() { # train|train_torch MODEL OPTION...
  local result=0 by=$1 model=$2
  shift 2
  if [[ $device == cpu ]]; then
    local tiny=(--model resnet18 "$@" --image-size 64 --batch-size 8 --steps 2 --rounds 2 --warm-up 0 --asks 2)
    "$by" "${tiny[@]}" || result=1
    "$by" "${tiny[@]}" --normalize-on-device || result=1
    return $result
  fi
  local each=(--model "$model" "$@" --rounds 5 --warm-up 1 --asks 50)
  local ahead=()
  [[ $by == train ]] || ahead=(--prefetch-to-device)
  if [[ -n $minutes ]]; then
    witnessed "$by" --model "$model" "$@" --rounds 3 --warm-up 1 --steps 10 --asks 20 --pin-memory --normalize-on-device \
      "${ahead[@]}" --busy-seconds "$stretch"
    return
  fi
  # What is not page-locked is of interest once; the GPU is watched, a minute each, where it gets the most.
  [[ $by == train_torch ]] || "$by" "${each[@]}" --busy-seconds 0 || result=1
  "$by" "${each[@]}" --pin-memory --busy-seconds 0 || result=1
  witnessed "$by" "${each[@]}" --pin-memory --normalize-on-device --busy-seconds 30 || result=1
  [[ $by == train ]] ||
    witnessed "$by" "${each[@]}" --pin-memory --normalize-on-device --prefetch-to-device --busy-seconds 30 || result=1
  return $result
}

pictures() {
  [[ -n $data ]] || {
    echo "no pictures: the kit was built without --data, and --data is not given here"
    return $NOT_HERE
  }
}

# ---- the steps ----------------------------------------------------------------------------------

declare -A needs=([torch]=jni [stream]=jni [mixing]=jni [train]=jni [small]=jni [files]=jni [records]=jni [raw]=jni
  [mutants]=jni [exits]=jni
  [sanitizer]=jni)

# One line each, what is here or what to do; all of it within seconds: nothing imports PyTorch, and
# what may hang has a time.
checks() {
  local place free problem
  for place in "$out" "$work"; do
    free=$(df -Pk "$place" 2>/dev/null | awk 'NR == 2 { print int($4 / 1024) }')
    if ((${free:-0} < 2048)); then
      echo "LOW   $place has ${free:-0} MB; runtime, PyTorch's headers and logs take up to 2 GB: give --work (and --out) a larger disk"
    else
      echo "ok    $place has $free MB"
    fi
  done
  echo "keep  $out and $work between calls: without them each call unpacks and compiles anew"
  if problem=$(timeout 10 "$work/jre/bin/java" -version 2>&1); then
    echo "ok    $(sed -n '1p' <<<"$problem")"
  else
    echo "STOP  the runtime does not start: $(tail -1 <<<"$problem"). Build the kit with --jdk of one that needs an older glibc (this is $(ldd --version 2>&1 | sed -n '1s/.* //p')), or put a JRE at $work/jre"
  fi
  if use_torch 2>/dev/null; then
    echo "ok    torch $PYTORCH_VERSION $PYTORCH_FLAVOR in $torch_home"
    [[ $PYTORCH_FLAVOR == cu* ]] ||
      echo "STOP  that torch has no CUDA: --python one that has"
    [[ -e $PYTORCH_LIBRARY_PATH/libtorch_cpu.so ]] ||
      echo "STOP  no libtorch_cpu.so in $PYTORCH_LIBRARY_PATH"
    if went_well jni; then
      echo "ok    native half for it, from an earlier call"
    elif [[ -n $jni ]]; then
      echo "ok    native half: --jni $jni, to be tried by step jni"
    elif [[ ! -d $kit/djl ]]; then
      echo "STOP  no native half, and no sources to compile: build the kit with --djl; copies and driver run without"
    elif [[ ! -e $torch_home/include/torch/script.h ]]; then
      echo "STOP  no headers in $torch_home/include: take torch of a wheel, or --jni a file that was compiled for it"
    elif ! command -v g++ >/dev/null; then
      echo "STOP  no g++: install it, or give --jni what another machine compiled; copies and driver run without"
    else
      echo "ok    $(g++ --version | head -1), to compile the native half with"
    fi
  else
    # A Python that is not whole (python3-minimal) fails otherwise.
    problem=$(describe_torch 2>&1 >/dev/null | tail -1)
    echo "STOP  $python has no torch${problem:+ ($problem)}: --python one that has; copies and driver run without"
  fi
  if problem=$(timeout 5 nvidia-smi -L 2>&1); then
    sed 's/^/ok    /' <<<"$problem"
  elif timeout 5 "$python" -c 'import ctypes; ctypes.CDLL("libcuda.so.1")' 2>/dev/null; then
    echo "?     libcuda.so.1 is here, and nvidia-smi is not or does not answer: step driver tells"
  else
    echo "STOP  no NVIDIA driver: neither nvidia-smi nor libcuda.so.1; in a container, start it with its GPUs"
  fi
  free=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print int($4 / 1024) }')
  # PyTorch's workers pass batches on there: 16 of them with floats take 2.5 GB.
  ((${free:-0} >= 2560)) || echo "LOW   /dev/shm has ${free:-0} MB: PyTorch's side may want fewer --workers"
  command -v compute-sanitizer >/dev/null || ls /usr/local/cuda*/bin/compute-sanitizer >/dev/null 2>&1 ||
    echo "-     no compute-sanitizer: step sanitizer is left out"
}

step_probe() {
  say "what is here"
  checks | tee "$out/probe.txt"
  say "machine"
  uname -a
  sed -n 's/^PRETTY_NAME=//p' /etc/os-release
  sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sort | uniq -c
  echo "$(nproc) processors for this process"
  free -g
  ldd --version 2>&1 | head -1
  "$python" --version
  if command -v nvidia-smi >/dev/null; then
    timeout 20 nvidia-smi
    timeout 20 nvidia-smi -q -d CLOCK,PERFORMANCE | head -60
    timeout 20 nvidia-smi topo -m
  fi
  say "in one screen"
  cat "$out/probe.txt"
}

step_copies() {
  java io.feedline.bench.HostToDevice >"$work/lines"
  local result=$?
  tee -a "$out/copies.jsonl" <"$work/lines"
  ((result != 2)) || return $NOT_HERE
  run "$python" "$kit/peers/train_step.py" --copies >"$work/lines" || result=1
  tee -a "$out/copies.jsonl" <"$work/lines"
  return $result
}

# A wrong result is a failure; its figures are kept.
step_mixing() {
  local tiny=()
  [[ $device == gpu ]] || tiny=(--image-size 64 --batch-size 8 --times 20 --batches 2 --rounds 3)
  java io.feedline.bench.DeviceTransforms --device "$device" "${tiny[@]}" >"$work/lines"
  local result=$?
  tee -a "$out/transforms.jsonl" <"$work/lines"
  return $result
}

# DJL has one for a few versions of PyTorch; the sources fit the others.
step_jni() {
  use_torch || {
    echo "$python has no torch"
    return $NOT_HERE
  }
  mkdir -p "$(dirname "$native_half")"
  if [[ -n $jni ]]; then
    cp "$jni" "$native_half"
  else
    [[ -d $kit/djl ]] || {
      echo "the kit was built without DJL's sources (--djl)"
      return $NOT_HERE
    }
    command -v g++ >/dev/null || {
      echo "no g++"
      return $NOT_HERE
    }
    compile_jni || return
    cp "$native_half" "$out/"
  fi
  # It loads, and a network takes a step.
  java io.feedline.bench.TrainStep --device "$device" --model resnet18 --image-size 32 --batch-size 2 --pictures 4 \
    --workers 0 --steps 1 --rounds 1 --warm-up 0 --asks 1 --busy-seconds 0
}

# Without USE_CUDA, which wants CUDA's own headers: it concerns the clearing of caches and streams of
# inference, and nothing here. What an earlier call has finished is kept.
compile_jni() {
  local objects=$work/objects/$PYTORCH_VERSION-$PYTORCH_FLAVOR-$engine standard file
  local options=(-O1 -fPIC -w "-D_GLIBCXX_USE_CXX11_ABI=$torch_abi" -I"$kit/djl" -I"$kit/djl/include"
    -I"$torch_home/include" -I"$torch_home/include/torch/csrc/api/include")
  mkdir -p "$objects"
  if [[ ! -e $objects/standard ]]; then
    # The headers of nearly all files, read once. Newer ones refuse the older standard, and say so on
    # their first lines. g++ 9 knows c++20 by this name only.
    printf '#include <torch/%s.h>\n' script torch >"$objects/torch.h"
    for standard in -std=c++17 -std=c++2a; do
      say "reading the headers of PyTorch $PYTORCH_VERSION, $standard"
      g++ $standard "${options[@]}" -Wfatal-errors -x c++-header "$objects/torch.h" -o "$objects/torch.h.gch" && break
    done || return
    echo "$standard" >"$objects/standard"
  fi
  say "compiling"
  for file in "$kit"/djl/*.cc; do
    [[ -e $objects/${file##*/}.o ]] || echo "${file##*/}"
  done | xargs -P "$(nproc)" -I FILE sh -c 'object=$1; shift; g++ "$@" -o "$object.partial" && mv "$object.partial" "$object"' \
    - "$objects/FILE.o" "$(<"$objects/standard")" "${options[@]}" -include "$objects/torch.h" -c "$kit/djl/FILE" || return
  run g++ -shared -o "$native_half.partial" "$objects"/*.o -L"$PYTORCH_LIBRARY_PATH" -ltorch -ltorch_cpu -lc10 \
    -Wl,-rpath,"$PYTORCH_LIBRARY_PATH" || return
  mv "$native_half.partial" "$native_half"
  rm -f "$objects/torch.h.gch" # 0.7 GB
  ls -l "$native_half"
}

step_driver() { tests cuda-driver internal.DriverOnFakeTest; }
step_torch() { tests cuda-torch TorchAbiOnFakeTest; }
step_stream() { tests cuda-stream StreamOnFakeTest; }
step_mutants() { tests cuda-mutants OrderOnFakeTest; }
step_exits() { tests cuda-exit ExitOnFakeTest; }

step_train() { trainings train resnet50; }
step_train-torch() { trainings train_torch resnet50; }
step_small() { trainings train resnet18; }
step_small-torch() { trainings train_torch resnet18; }
step_files() { pictures && trainings train resnet50 --data "$data"; }

# The pictures in another form, packed once.
packed() { # NAME OPTION
  pictures || return
  store=$work/$1-$(cksum <<<"$data" | cut -d' ' -f1)
  [[ -d $store ]] || java io.feedline.formats.cli.Feedline convert "$data" "$store" --to mds "$2"
}
step_records() { packed records --coefficients && trainings train resnet50 --data "$store"; }
step_raw() { packed raw --raw && trainings train resnet50 --data "$store"; }

step_files-torch() {
  pictures || return
  "$python" -c 'import torchvision' || {
    echo "$python has no torchvision"
    return $NOT_HERE
  }
  trainings train_torch resnet50 --data "$data"
}

step_scaling() {
  pictures || return
  run "$kit/results/measure" scaling --data "$data" --java17 "$work/jre/bin/java" --classpath "$kit/lib/*" \
    --python "$python" --out "$out" --work "$work/measure" --minutes 8 ${minutes:+--rounds 2}
}

step_sanitizer() {
  local sanitizer
  sanitizer=$(command -v compute-sanitizer || ls -d /usr/local/cuda*/bin/compute-sanitizer 2>/dev/null | head -1)
  [[ -n $sanitizer ]] || {
    echo "no compute-sanitizer"
    return $NOT_HERE
  }
  run "$sanitizer" --tool memcheck --error-exitcode 9 "$work/jre/bin/java" "${flags[@]}" -Dfeedline.gpu.required=true \
    -cp "$kit/lib/*" io.feedline.gpu.GpuTests cuda-torch
}

step_table() {
  {
    run "$python" "$kit/results/gpu_table.py" "$out" || return
    local each
    for each in "$out"/*-scaling; do
      [[ ! -d $each ]] || { echo && "$python" "$kit/results/scaling_table.py" "$each"; }
    done
  } | tee "$out/table.md"
}

# ---- one step, with a process and a time of its own -----------------------------------------------

if [[ -n ${FEEDLINE_STEP:-} ]]; then
  [[ $FEEDLINE_STEP == probe ]] || use_torch
  [[ $FEEDLINE_STEP != *@* ]] || workers=${FEEDLINE_STEP#*@}
  "step_${FEEDLINE_STEP%@*}"
  exit
fi

# ---- the command line -----------------------------------------------------------------------------

out=
work=${TMPDIR:-/tmp}/feedline-gpu-kit
python=python3
jni=
data=
workers=$(nproc)
device=gpu
seconds=540
minutes=
stretch=8
steps=()
while (($#)); do
  case $1 in
    --help | -h) help; exit ;;
    --out | --work | --python | --jni | --data | --workers | --device | --seconds | --minutes | --stretch)
      (($# > 1)) || fail "$1 needs a value"
      declare "${1#--}=$2"
      shift 2 ;;
    all) steps+=("${first[@]}" "${then[@]}" "${reserve[@]}" table); shift ;;
    -*) fail "not understood: $1; --help tells more" ;;
    *)
      declare -F "step_${1%@*}" >/dev/null || fail "no step ${1%@*}; --help lists them"
      [[ $1 != *@* || $1 =~ ^[^@]+@[1-9][0-9]*$ ]] || fail "STEP@N needs a number of workers, was $1"
      steps+=("$1")
      shift ;;
  esac
done
[[ -n $out ]] || fail "--out is needed; --help tells more"
[[ $device == gpu || $device == cpu ]] || fail "--device must be gpu or cpu, was $device"
[[ -z $minutes || $minutes =~ ^[1-9][0-9]*$ ]] || fail "--minutes must be 1 or more, was $minutes"
[[ $stretch =~ ^[1-9][0-9]*$ ]] || fail "--stretch must be 1 or more, was $stretch"
[[ -z $jni || -f $jni ]] || fail "--jni: no file $jni"
[[ -z $data || -d $data ]] || fail "--data must be a directory, was $data"
[[ -n $data || ! -d $kit/pictures ]] || data=$kit/pictures
command -v "$python" >/dev/null || fail "--python: no $python; one with a CUDA PyTorch is needed"
mkdir -p "$out" || fail "--out: cannot be made: $out"
mkdir -p "$work/went-well" "$work/tmp" || fail "--work: cannot be made: $work"
out=$(cd "$out" && pwd)
work=$(cd "$work" && pwd)
# What is left of the minutes counts from the call.
deadline=
if [[ -n $minutes ]]; then
  deadline=$((minutes * 60 - 10)) # to make the table and the archive
  result_dir=$out
  out=$work/out
  mkdir -p "$out"
fi
# A dry run decides nothing for a GPU.
well=ok
[[ $device == gpu ]] || well="ok, dry run"
declare -A least=()
for step in "${brief[@]}"; do
  least[${step%:*}]=${step#*:}
done
if ((${#steps[@]} == 0)); then
  # shellcheck disable=SC2206 # names without blanks
  wanted=("${first[@]}")
  [[ -z $minutes ]] || wanted=("${brief[@]%:*}")
  for step in "${wanted[@]}"; do
    grep -q "^$step: $well (" "$out/summary.txt" 2>/dev/null || steps+=("$step")
  done
  [[ -n $minutes ]] || steps+=(table)
fi
unpack_runtime || fail "cannot unpack the Java runtime into $work, which has $(df -Pk "$work" | awk 'NR == 2 { print int($4 / 1024) }') MB; --work is another place"
# What compilers and the JVM put aside goes where there is room.
export TMPDIR=$work/tmp
export out work python jni data workers device minutes stretch OMP_WAIT_POLICY=PASSIVE
use_torch 2>/dev/null

declare -A ended=() started=()
declare -A child=()

# With --minutes: all that there is so far, in four files.
gather() {
  [[ -n $minutes ]] || return 0
  (step_table) >"$out/table.log" 2>&1
  tar -czf "$result_dir/all.tar.gz.partial" -C "$out" --exclude='*.so' . && mv "$result_dir/all.tar.gz"{.partial,}
  local file
  for file in "$out"/summary.txt "$out"/table.md "$out"/*.so; do
    [[ ! -e $file ]] || cp "$file" "$result_dir/"
  done
}

# What has been measured is kept, and made a table.
stopped() {
  trap '' INT TERM HUP
  local step
  for step in "${!child[@]}"; do
    kill "${child[$step]}" 2>/dev/null
    wait "${child[$step]}" 2>/dev/null
    printf 'stopped in %s\n' "$step" | tee -a "$out/summary.txt"
  done
  ((${#child[@]})) || echo 'stopped between two steps' | tee -a "$out/summary.txt"
  if (step_table) >"$out/table.log" 2>&1; then
    cat "$out/table.md"
  else
    echo "no table: see table.log"
  fi
  gather
  printf 'in %s; the same call again does what is left\n' "${result_dir:-$out}"
  exit 130
}
trap stopped INT TERM HUP

# Begins a step in the background, so that a signal is answered at once.
start() {
  local step=$1 most=$seconds
  if [[ -n $deadline ]]; then
    local left=$((deadline - SECONDS))
    ((left >= most)) || most=$left
  fi
  echo "$step ..."
  rm -f "$work/went-well/$step"
  started[$step]=$SECONDS
  FEEDLINE_STEP=$step timeout -k 20 "$most" "$self" >"$out/$step.log" 2>&1 &
  child[$step]=$!
}

# Waits for a step that was begun, and tells how it ended.
finish() {
  local step=$1 code
  wait "${child[$step]}"
  code=$?
  unset "child[$step]"
  case $code in
    0)
      verdict=$well
      echo "${PYTORCH_VERSION:-}-${PYTORCH_FLAVOR:-}" >"$work/went-well/$step" ;;
    "$NOT_HERE") verdict="not possible here: $(grep -v -e '^$' -e '^--help' "$out/$step.log" | tail -1)" ;;
    124 | 137) verdict="FAILED: took longer than $((SECONDS - started[$step])) s" ;;
    *) verdict="FAILED, see $step.log" ;;
  esac
  tail -n 25 "$out/$step.log"
}

# Runs a step, and before it what it needs.
begin() {
  local step=$1 need=${needs[${1%@*}]:-} verdict left
  started[$step]=${started[$step]:-$SECONDS}
  if [[ -n $need && -z ${ended[$need]:-} ]] && ! went_well "$need"; then
    begin "$need"
  fi
  left=$((${deadline:-0} - SECONDS))
  if [[ -n $need ]] && ! went_well "$need"; then
    verdict="left out: it needs $need, which did not go well"
  elif [[ -n $deadline && -z ${child[$step]:-} ]] && ((left < ${least[$step]:-1})); then
    verdict="left out: $((left > 0 ? left : 0)) s are left, and it needs ${least[$step]:-1}"
  else
    [[ -n ${child[$step]:-} ]] || start "$step"
    finish "$step"
  fi
  ended[$step]=$verdict
  printf '%s: %s (%d s)\n' "$step" "$verdict" $((SECONDS - started[$step])) | tee -a "$out/summary.txt"
  gather
}

# The compiler leaves the GPU alone, and the driver's tests need no compiler's result.
beside() { [[ -n $minutes && $1 == jni && " ${steps[*]} " == *" driver "* ]]; }

result=0
for step in "${steps[@]}"; do
  [[ -z ${ended[$step]:-} ]] || continue
  if beside "$step"; then
    start jni
    begin driver
  fi
  begin "$step"
done
for step in "${steps[@]}"; do
  [[ ${ended[$step]} == "$well" ]] || result=1
done
gather
printf '\n%s\n' "in ${result_dir:-$out}:"
cat "$out/summary.txt"
exit $result
