# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# round_trips.sh AUTOPROF PYTHON RECORDINGS: each of them to JSON and back.
set -e
for recording in "$3"/*.pftrace.gz; do
  export=$(basename "$recording" .pftrace.gz).json.gz
  "$1" convert "$recording" "$export"
  "$2" "$(dirname "$0")/round_trip.py" "$1" "$recording" "$export" .
done
