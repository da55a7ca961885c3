#!/usr/bin/env bash
# Runs Feedline's GPU tests and benchmarks where gpu-kit/build has put this file: ./run.sh --help
set -uo pipefail

kit=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
self=$kit/$(basename "${BASH_SOURCE[0]}")

first=(probe copies jni driver torch stream train train-torch)
then=(small small-torch files files-torch scaling)
reserve=(mutants exits sanitizer)

help() {
  cat <<'HELP'
./run.sh --out DIR [STEP ...] [options]

Needs Linux on x86-64, an NVIDIA driver, Python with a CUDA PyTorch, and g++. Needs no JDK, Maven or network.
Each step takes 9 minutes at most, and writes DIR/STEP.log; DIR/summary.txt says how each one ended.

  probe        what machine this is                                                          seconds
  copies       copies to the GPU by Feedline and by PyTorch, and what the machine can do     2 minutes
  jni          compiles the native half of DJL's engine against the PyTorch that is here     2 minutes
  driver       tests of the driver's binding, without DJL                                    seconds
  torch        tests of what is taken for granted of PyTorch and the driver together         seconds
  stream       tests of the whole way through a copying stream                               2 minutes
  train        training steps on noise, resnet50, by Feedline and DJL                        6 minutes
  train-torch  the same by PyTorch's DataLoader                                              6 minutes

  small, small-torch  resnet18 on noise: many steps a second                                 3 minutes each
  files, files-torch  resnet50 on the pictures of the kit, or of --data                      3 minutes each
  scaling             Throughput and EmptyLoader with 1, 2, 4, 8, 16 workers                 6 minutes

  mutants      the orders of calls are left out one by one, and a test has to find each      2 minutes
  exits        the process is ended in mid-epoch, ten times                                  2 minutes
  sanitizer    the tests of step torch under NVIDIA's compute-sanitizer                      minutes

Without a STEP: the first eight, in this order, and the table. `all` means every step. A step whose
requirement has not gone well yet runs that first; if it fails, the step is left out, and says so: without
the native half there are still copies and the driver's tests. A test that fails is run again three times,
alone. Whatever ran, `table` makes DIR/table.md of the figures so far.

  --out DIR        where logs and figures go
  --work DIR       what is unpacked and compiled; kept. Default: $TMPDIR/feedline-gpu-kit
  --python COMMAND a Python with torch; for files also torchvision. Default: python3
  --jni FILE       a native half of DJL's engine that an earlier step jni has left in its --out
  --data DIR       pictures, DIR/CLASS/IMAGE; default: those in the kit
  --workers N      of each loader. Default: the processors
  --device cpu     a dry run without a GPU: the network is trained on the CPU, for a few small steps
  --seconds N      the most that a step may take. Default: 540

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

unpack_runtime() {
  [[ -x $work/jre/bin/java ]] && return
  rm -rf "$work/jre"
  # Python is here anyway, and xz need not be.
  "$python" -c 'import sys, tarfile; tarfile.open(sys.argv[1]).extractall(sys.argv[2])' "$kit/jre.tar.xz" "$work"
}

# What DJL wants to know of the PyTorch that is here.
describe_torch() {
  "$python" - <<'PYTHON'
import glob, os, shlex, torch
home = os.path.dirname(torch.__file__)
nvidia = glob.glob(os.path.join(os.path.dirname(home), "nvidia", "*", "lib"))
cuda = torch.version.cuda
for name, value in {
    "torch_home": home,
    "torch_abi": int(torch._C._GLIBCXX_USE_CXX11_ABI),
    "PYTORCH_LIBRARY_PATH": os.path.join(home, "lib"),
    "PYTORCH_VERSION": torch.__version__.split("+")[0],
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
  export PYTORCH_LIBRARY_PATH PYTORCH_VERSION PYTORCH_FLAVOR DJL_CACHE_DIR=$work/djl
  export LD_LIBRARY_PATH=$PYTORCH_LIBRARY_PATH${nvidia_libraries:+:$nvidia_libraries}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  engine=$(basename "$kit"/lib/pytorch-engine-*.jar .jar)
  native_half=$DJL_CACHE_DIR/pytorch/$PYTORCH_VERSION-$PYTORCH_FLAVOR-linux-x86_64/${engine#pytorch-engine-}-libdjl_torch.so
}

java() {
  run "$work/jre/bin/java" "${flags[@]}" "${java_options[@]}" -cp "$kit/lib/*" "$@"
}
java_options=()

# ---- tests ------------------------------------------------------------------------------------

# Runs the tests with a tag; each that fails once more, three times, alone and in a process of its own.
tests() {
  local java_options=(-Dfeedline.gpu.required=true -Dorg.slf4j.simpleLogger.showDateTime=true) result=0 id
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

# The same of either side, one after the other: float32, bytes, and what only one of them has.
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
  # What is not page-locked is of interest once; the GPU is watched, a minute each, where it gets the most.
  [[ $by == train_torch ]] || "$by" "${each[@]}" --busy-seconds 0 || result=1
  "$by" "${each[@]}" --pin-memory --busy-seconds 0 || result=1
  "$by" "${each[@]}" --pin-memory --normalize-on-device --busy-seconds 30 || result=1
  [[ $by == train ]] ||
    "$by" "${each[@]}" --pin-memory --normalize-on-device --prefetch-to-device --busy-seconds 30 || result=1
  return $result
}

# What NVIDIA's own tool says of the GPU in the meantime, second by second: another witness.
witnessed() { # NAME COMMAND...
  local name=$1 witness= result=0
  shift
  if command -v nvidia-smi >/dev/null; then
    nvidia-smi dmon -s u -d 1 -o T >"$out/$name.dmon" 2>&1 &
    witness=$!
  fi
  "$@" || result=$?
  [[ -z $witness ]] || kill "$witness" 2>/dev/null
  return $result
}

pictures() {
  [[ -n $data ]] || {
    echo "no pictures: the kit was built without --data, and --data is not given here"
    return $NOT_HERE
  }
}

# ---- the steps ----------------------------------------------------------------------------------

declare -A needs=([torch]=jni [stream]=jni [train]=jni [small]=jni [files]=jni [mutants]=jni [exits]=jni
  [sanitizer]=jni)

step_probe() {
  say "machine"
  uname -a
  sed -n 's/^PRETTY_NAME=//p' /etc/os-release
  sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sort | uniq -c
  echo "$(nproc) processors for this process"
  free -g
  df -h /dev/shm "$work" # PyTorch's workers pass batches on in /dev/shm: 16 of them with floats take 2.5 GB
  say "driver"
  if command -v nvidia-smi >/dev/null; then
    nvidia-smi
    nvidia-smi -q -d CLOCK,PERFORMANCE | head -60
    nvidia-smi topo -m
  else
    echo "no nvidia-smi"
  fi
  say "Java"
  "$work/jre/bin/java" -version 2>&1
  ls "$kit/lib"
  say "compiler and loader of libraries"
  g++ --version 2>&1 | head -1
  ldd --version 2>&1 | head -1
  say "Python"
  "$python" --version
  "$python" -c 'import torch
print("torch", torch.__version__, "CUDA", torch.version.cuda, "cuDNN", torch.backends.cudnn.version())
print("GPUs:", [torch.cuda.get_device_properties(i) for i in range(torch.cuda.device_count())])'
  describe_torch
  "$python" -c 'import torchvision; print("torchvision", torchvision.__version__)'
  command -v compute-sanitizer || ls -d /usr/local/cuda*/bin/compute-sanitizer
  return 0
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

# DJL has one for a few versions of PyTorch; the sources fit the others.
step_jni() {
  use_torch || {
    echo "$python has no torch"
    return $NOT_HERE
  }
  mkdir -p "$(dirname "$native_half")" "$work/objects"
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

compile_jni() {
  local include=(-I"$kit/djl" -I"$kit/djl/include" -I"$torch_home/include" -I"$torch_home/include/torch/csrc/api/include")
  local options=(-O1 -fPIC -w "-D_GLIBCXX_USE_CXX11_ABI=$torch_abi" "${include[@]}")
  local standard=-std=c++17
  # Newer headers refuse the older standard, and say so on their first lines.
  echo '#include <torch/script.h>' | g++ $standard "${options[@]}" -fsyntax-only -x c++ - 2>/dev/null || standard=-std=c++20
  say "compiling for PyTorch $PYTORCH_VERSION, $standard"
  (cd "$kit/djl" && printf '%s\n' *.cc) |
    xargs -P "$(nproc)" -I FILE g++ $standard "${options[@]}" -c "$kit/djl/FILE" -o "$work/objects/FILE.o" || return
  run g++ -shared -o "$native_half.partial" "$work"/objects/*.o -L"$PYTORCH_LIBRARY_PATH" -ltorch -ltorch_cpu -lc10 \
    -Wl,-rpath,"$PYTORCH_LIBRARY_PATH" || return
  mv "$native_half.partial" "$native_half"
  ls -l "$native_half"
}

step_driver() { tests cuda-driver; }
step_torch() { tests cuda-torch; }
step_stream() { tests cuda-stream; }
step_mutants() { tests cuda-mutants; }
step_exits() { tests cuda-exit; }

step_train() { witnessed train trainings train resnet50; }
step_train-torch() { witnessed train-torch trainings train_torch resnet50; }
step_small() { trainings train resnet18; }
step_small-torch() { trainings train_torch resnet18; }
step_files() { pictures && trainings train resnet50 --data "$data"; }

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
    --python "$python" --out "$out" --work "$work/measure" --minutes 8
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

step_table() { run "$python" "$kit/results/gpu_table.py" "$out" | tee "$out/table.md"; }

# ---- one step, with a process and a time of its own -----------------------------------------------

if [[ -n ${FEEDLINE_STEP:-} ]]; then
  [[ $FEEDLINE_STEP == probe ]] || use_torch
  "step_$FEEDLINE_STEP"
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
steps=()
while (($#)); do
  case $1 in
    --help | -h) help; exit ;;
    --out | --work | --python | --jni | --data | --workers | --device | --seconds)
      (($# > 1)) || fail "$1 needs a value"
      declare "${1#--}=$2"
      shift 2 ;;
    all) steps+=("${first[@]}" "${then[@]}" "${reserve[@]}" table); shift ;;
    -*) fail "not understood: $1; --help tells more" ;;
    *)
      declare -F "step_$1" >/dev/null || fail "no step $1; --help lists them"
      steps+=("$1")
      shift ;;
  esac
done
[[ -n $out ]] || fail "--out is needed; --help tells more"
[[ $device == gpu || $device == cpu ]] || fail "--device must be gpu or cpu, was $device"
[[ -z $jni || -f $jni ]] || fail "--jni: no file $jni"
[[ -z $data || -d $data ]] || fail "--data must be a directory, was $data"
[[ -n $data || ! -d $kit/pictures ]] || data=$kit/pictures
command -v "$python" >/dev/null || fail "--python: no $python; one with a CUDA PyTorch is needed"
((${#steps[@]})) || steps=("${first[@]}" table)
mkdir -p "$out" "$work/went-well"
out=$(cd "$out" && pwd)
work=$(cd "$work" && pwd)
unpack_runtime || fail "cannot unpack the Java runtime into $work"
export out work python jni data workers device OMP_WAIT_POLICY=PASSIVE

declare -A ended=()

# Runs a step, and before it what it needs.
begin() {
  local step=$1 need=${needs[$1]:-} verdict code start=$SECONDS
  if [[ -n $need && ! -e $work/went-well/$need && -z ${ended[$need]:-} ]]; then
    begin "$need"
  fi
  if [[ -n $need && ! -e $work/went-well/$need ]]; then
    verdict="left out: it needs $need, which did not go well"
  else
    echo "$step ..."
    rm -f "$work/went-well/$step"
    FEEDLINE_STEP=$step timeout -k 20 "$seconds" "$self" >"$out/$step.log" 2>&1
    code=$?
    case $code in
      0)
        verdict=ok
        touch "$work/went-well/$step" ;;
      "$NOT_HERE") verdict="not possible here: $(grep -v -e '^$' -e '^--help' "$out/$step.log" | tail -1)" ;;
      124 | 137) verdict="FAILED: took longer than $seconds s" ;;
      *) verdict="FAILED, see $step.log" ;;
    esac
    tail -n 25 "$out/$step.log"
  fi
  ended[$step]=$verdict
  printf '%s: %s (%d s)\n' "$step" "$verdict" $((SECONDS - start)) | tee -a "$out/summary.txt"
}

result=0
for step in "${steps[@]}"; do
  [[ -n ${ended[$step]:-} ]] || begin "$step"
  [[ ${ended[$step]} == ok ]] || result=1
done
printf '\n%s\n' "in $out:"
cat "$out/summary.txt"
exit $result
