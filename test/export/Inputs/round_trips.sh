# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# round_trips.sh AUTOPROF PYTHON RECORDINGS: each of them to both formats and back.
set -e
for recording in "$3"/*.pftrace.gz; do
  for format in json.gz sqlite; do
    export=$(basename "$recording" .pftrace.gz).$format
    "$1" convert "$recording" "$export"
    "$2" "$(dirname "$0")/round_trip.py" "$1" "$recording" "$export" .
  done
done
