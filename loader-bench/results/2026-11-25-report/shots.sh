#!/usr/bin/env bash
# Takes pictures of a page with Chromium: ./shots.sh REPORT.html OUTDIR NAME [height]
set -euo pipefail
page=$(readlink -f "$1"); out=$2; name=$3; height=${4:-1600}
shot() { # suffix width height options...
  local suffix=$1 width=$2 tall=$3; shift 3
  chromium --headless --no-sandbox --disable-gpu --disable-background-networking --no-first-run \
    --hide-scrollbars --force-device-scale-factor=1 --virtual-time-budget=4000 \
    --window-size="$width,$tall" --screenshot="$out/$name-$suffix.png" "$@" "file://$page" 2>/dev/null
}
shot 1200-light 1200 "$height"
shot 1200-dark 1200 "$height" --blink-settings=preferredColorScheme=0
shot 500-light 500 "$height"
chromium --headless --no-sandbox --disable-gpu --disable-background-networking --no-first-run \
  --virtual-time-budget=4000 --no-pdf-header-footer --print-to-pdf="$out/$name.pdf" "file://$page" 2>/dev/null
pdftoppm -r 50 -png -f 1 -l 1 -singlefile "$out/$name.pdf" "$out/$name-print"
rm "$out/$name.pdf"
