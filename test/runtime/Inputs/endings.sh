#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# endings.sh RUNTIME READER...: runs ./host with each argument, with and
# without the runtime, compares the two, and reads the trace.
runtime=$1
shift
for what in five many threads exit-in-thread _exit quick_exit abort fork fork-first exec; do
  ./host "$what" > plain.out 2> /dev/null
  plain=$?
  env LD_PRELOAD="$runtime" AUTOPROF_OUTPUT="$what.pftrace" AUTOPROF_MODE=light ./host "$what" > recorded.out 2> recorded.err
  recorded=$?
  cat recorded.err
  if cmp -s plain.out recorded.out && [ $plain = $recorded ]; then
    echo "$what: same output, status $recorded"
  else
    echo "$what: differs, status $plain and $recorded"
  fi
  if [ -e "$what.pftrace" ]; then
    "$@" "$what.pftrace" > "$what.txt" || echo "$what: broken trace"
    echo "$what: $(ls "$what".*pftrace | wc -l) file, $(grep -c ^range "$what.txt") ranges, $(grep -c 'meta end' "$what.txt") end, $(grep -o '[0-9]* bytes left' "$what.txt")"
  fi
done
