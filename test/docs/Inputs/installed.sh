#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# installed.sh FOLDER BUILD PLUGIN CUDA_LIB CLANG OPTION...: a folder of commands as
# they are where autoprof is installed: clang++-22 finds the plugin by its name
# and the CUDA toolkit and its libraries by itself.
set -eu
folder=$1 build=$2 plugin=$3 libraries=$4
shift 4
mkdir -p "$folder"
for program in autoprof autoprof-nvcc autoprof-source; do
  ln -sf "$build/bin/$program" "$folder/$program"
done
cat >"$folder/clang++-22" <<END
#!/usr/bin/env bash
exec $* -L'$libraries' "\${@/#-fplugin=autoprof/-fplugin=$plugin}"
END
chmod +x "$folder/clang++-22"
