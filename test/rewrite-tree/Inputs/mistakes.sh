# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Prints "[exit code] last line of standard error" for each mistake.
autoprof=$1
tree=$(pwd)/../tree

try() {
  local message code
  message=$("$autoprof" rewrite "$@" 2>&1 > /dev/null)
  code=$?
  echo "[$code] ${message##*$'\n'}"
}

try -p .
try -p . -o "$tree" --root missing
try -p . -o .
try -p . -o bad.cu
try -p . -o other
try -p . --ouput "$tree"
try -p nowhere -o "$tree"
alone=$(mktemp -d)
echo 'int x;' > "$alone/lone.cu"
try -o "$tree" "$alone/lone.cu"
rm -r "$alone"

try -p . -o /proc/tree
(
  trap '' XFSZ
  ulimit -f 4
  try -p . -o ../limited
)

try -o "$tree" -- nvcc -c bad.cu
sed -i '$d' compile_commands.json
echo ', {"directory": "'"$(pwd)"'", "file": "bad.cu", "command": "nvcc -c bad.cu"}]' >> compile_commands.json
"$autoprof" rewrite -p . -o ../some bad.cu src/main.cu > ../some.txt 2> /dev/null
echo "[$?]"
cat ../some.txt
