# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# baseline.sh RECORDINGS: three recordings, and their baseline.
set -eu
for i in 1 2 3; do gzip -dc "$1/mlp_d128_print.pftrace.gz" > "run$i.pftrace"; done
autoprof check --update run*.pftrace
