# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How autoprof's tests run: substitutions, and features for REQUIRES."""
import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "autoprof"
config.suffixes = [".test", ".cu", ".hip", ".cpp", ".c"]
config.excludes = ["Inputs", "unit", "CMakeLists.txt"]
config.test_format = lit.formats.ShTest(execute_external=False)
config.test_source_root = os.path.join(config.source_dir, "test")
config.test_exec_root = os.path.join(config.build_dir, "test")

# Another toolkit than the runtime was compiled with: lit -D cuda=FOLDER.
if "cuda" in lit_config.params:
    config.cuda_path = lit_config.params["cuda"]
    config.cuda_lib = os.path.join(config.cuda_path, "lib64")

bin_dir = os.path.join(config.build_dir, "bin")
lib_dir = os.path.join(config.build_dir, "lib")
examples = os.path.join(config.build_dir, "examples", "mlp_train")
path = [bin_dir, config.llvm_bin, os.path.join(config.cuda_path, "bin")]
# Programs that no package of scripts/packages.txt brings: tests that call these
# require a feature of the same name. A test that calls another one fails here,
# too, not only on machines that lack it.
optional_programs = ["ccache", "chromium", "pkg-config", "clang++-19"]
started_by_man = ["nroff", "col", "preconv", "tbl", "troff", "grotty", "less", "pager"]
other_pythons = [name for name in os.environ.get("AUTOPROF_TEST_PYTHONS", "").split(":") if name]
other_pythons += ["python3.%d" % minor for minor in range(9, 16)]
sys.path.insert(0, os.path.join(config.test_source_root, "Inputs"))
import packages
refused = os.path.join(config.test_exec_root, "refused-programs")
packages.refuse(packages.foreign(os.path.join(config.source_dir, "scripts", "packages.txt"), os.environ["PATH"]) -
                set(optional_programs + started_by_man + other_pythons + ["hipcc", "nvcc", "nvidia-smi", "aarch64-linux-gnu-ld"]), refused)
config.environment["PATH"] = os.pathsep.join(path + [refused, os.environ["PATH"]])
# An interpreter with PyTorch, which is too large for scripts/requirements.txt.
torch_python = os.environ.get("AUTOPROF_TEST_TORCH")
# Tests leave the user's cache alone.
config.environment["XDG_CACHE_HOME"] = os.path.join(config.test_exec_root, "cache")
for name in ("NO_COLOR", "CLICOLOR_FORCE", "COLUMNS"):
    config.environment.pop(name, None)
for name in list(config.environment):
    if name.startswith("AUTOPROF_") or name.startswith("CUDA_INJECTION"):
        del config.environment[name]

# The interpreter with the packages of scripts/requirements.txt, if set up.
venv_python = os.path.join(config.source_dir, "build", "venv", "bin", "python")
python = venv_python if os.path.exists(venv_python) else sys.executable

sanitizer = config.sanitize.split(",")[0]
# Cross-compiled: binfmt_misc has the programs run by qemu, with the libraries of
# the sysroot. Clang is this machine's, and cannot load the plugin.
cross = " --target=%s --sysroot=%s" % (config.target, config.sysroot) if config.target else ""
if cross:
    config.environment["QEMU_LD_PREFIX"] = config.sysroot
clang_cuda = (cross + " -Wno-unknown-cuda-version --cuda-path=" + config.cuda_path +
              " -isystem " + os.path.join(config.cuda_path, "include", "cccl"))
cuda_link = ("-L" + config.cuda_lib + " -Wl,-rpath," + config.cuda_lib +
             " -lcudart_static -ldl -lrt -pthread")

# %clang_cuda: compile CUDA as a user would; add -c, or %cuda_link to link.
config.substitutions += [
    ("%clang_cuda", os.path.join(config.llvm_bin, "clang++") + " " + clang_cuda),
    # The compilers of CMake projects.
    ("%cmake_clang", "-DCMAKE_CXX_COMPILER={0} -DCMAKE_CUDA_COMPILER={0} -DCUDAToolkit_ROOT={1} "
     "-DCMAKE_CUDA_ARCHITECTURES={2} '-DCMAKE_CUDA_FLAGS=-Wno-unknown-cuda-version --cuda-gpu-arch=sm_{2}'".format(
         os.path.join(config.llvm_bin, "clang++"), config.cuda_path, config.cuda_arch[3:])),
    ("%cmake_nvcc", "-DCMAKE_CXX_COMPILER=g++ -DCMAKE_CUDA_COMPILER=%s -DCMAKE_CUDA_ARCHITECTURES=%s" %
     (os.path.join(config.cuda_path, "bin", "nvcc"), config.cuda_arch[3:])),
    ("%clang_hip", os.path.join(config.llvm_bin, "clang++") + " -x hip --offload-arch=gfx90a -nogpulib" +
     # Which HIP's headers before 6.4 want, and clang 22 no longer defines.
     " -D__AMDGCN_WAVEFRONT_SIZE=64"),
    ("%clang_format", os.path.join(config.llvm_bin, "clang-format")),
    ("%clangxx", os.path.join(config.llvm_bin, "clang++") + cross +
     # A library with a sanitizer needs programs with it; UBSan comes with ASan.
     (" -fsanitize=" + sanitizer if config.sanitize_library else "")),
    ("%llvm_include", os.path.join(config.llvm_bin, os.pardir, "include")),
    ("%cuda_link", cuda_link),
    ("%cuda_path", config.cuda_path),
    ("%cuda_arch", config.cuda_arch),
    ("%cuda_lib", config.cuda_lib),
    ("%mlp_train_plain", os.path.join(examples, "plain", "mlp_train")),
    ("%mlp_train_instrumented", os.path.join(examples, "instrumented", "mlp_train")),
    ("%nvcc", os.path.join(config.cuda_path, "bin", "nvcc")),
    ("%plugin", os.path.join(lib_dir, "autoprof.so")),
    ("%runtime_inputs", os.path.join(config.test_source_root, "runtime", "Inputs")),
    ("%runtime", os.path.join(lib_dir, "libautoprof.so")),
    ("%include", os.path.join(config.build_dir, "include")),
    ("%python", python),
    ("%validate", python + " " + os.path.join(config.test_source_root, "Inputs", "validate.py")),
    ("%system_path", os.pathsep.join([refused, "/usr/bin", "/bin"])),
    ("%other_pythons", " ".join(other_pythons)),
    ("%torch_python", torch_python or python),
    ("%autoprof", os.path.join(bin_dir, "autoprof")),
    ("%root", config.source_dir),
    ("%build", config.build_dir),
]

if os.path.exists(os.path.join(config.cuda_path, "bin", "nvcc")):
    config.available_features.add("nvcc")
# Libraries beside the core of the toolkit, by the headers that tests include.
for library, header in (("cufft", "cufft.h"), ("cusolver", "cusolverDn.h"), ("cusparse", "cusparse.h")):
    if os.path.exists(os.path.join(config.cuda_path, "include", header)):
        config.available_features.add(library)
# To hide /usr/local/cuda from a test.
if shutil.which("unshare") and subprocess.run(
        ["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/usr/local"], capture_output=True).returncode == 0:
    config.available_features.add("mount-namespaces")
# Where clang finds HIP by itself.
if any(os.path.exists(rocm + "/include/hip/hip_runtime.h") for rocm in ("/opt/rocm", "/usr")):
    config.available_features.add("hip")
# Looked up, not imported: some take seconds to start.
found = subprocess.run([python, "-c", "import importlib.util as i, sys\n"
                        "print(*(m for m in sys.argv[1:] if i.find_spec(m)))",
                        "perfetto", "pandas", "duckdb", "hta", "jsonschema", "yaml"], capture_output=True, text=True)
config.available_features.update(found.stdout.split())
if subprocess.run([torch_python or python, "-c", "import importlib.util as i, sys\n"
                   "sys.exit(not all(map(i.find_spec, ('torch', 'setuptools'))))"]).returncode == 0:
    config.available_features.add("torch")
if "jsonschema" not in config.available_features:
    lit_config.note("JSON is not compared with its schemas: jsonschema is missing; scripts/setup.sh installs it")
config.available_features.add("llvm-%s" % config.llvm_version)
for program in optional_programs:
    if shutil.which(program):
        config.available_features.add(program)
if shutil.which("dpkg-shlibdeps"):
    config.available_features.add("dpkg")
if os.geteuid() == 0:
    config.available_features.add("root")
# Root can be another user only where that one may enter the file system at all.
as_other_user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "true"]
if os.geteuid() != 0 or subprocess.run(as_other_user, stderr=subprocess.DEVNULL).returncode == 0:
    config.available_features.add("other-user")
if "NoNewPrivs:\t0" in open("/proc/self/status").read() and not (
        os.statvfs(config.test_exec_root).f_flag & os.ST_NOSUID):
    config.available_features.add("setuid")
if config.sanitize_library:
    # The signals of programs remain theirs. A symbolizer, which a program would
    # start, cannot load the library: give it what a report says, module+address.
    # The memory of a thread that is just ending, as dlerror()'s, looks leaked.
    for name in ("ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"):
        config.environment.setdefault(name, "handle_segv=0:handle_abort=0:symbolize=0:halt_on_error=1:detect_leaks=0")
else:
    # Only programs with the same sanitizer can load a library with one: not
    # Python, the shell, or what gcc compiled.
    config.available_features.add("loads-anywhere")
    # A sanitizer replaces functions of the C library; a test's shim cannot, too.
    config.available_features.add("shims")
# A program has one sanitizer.
if not config.sanitize_library or sanitizer == "thread":
    config.available_features.add("thread-sanitizer")
if config.sanitize:
    config.environment.setdefault("UBSAN_OPTIONS", "halt_on_error=1:print_stacktrace=1")
else:
    # With ASan, a file compiled anew does not link in place of the first.
    config.available_features.add("relinks")
    # Sanitizers reserve terabytes of addresses.
    config.available_features.add("limits-addresses")
if shutil.which("nvidia-smi") and subprocess.run(
        ["nvidia-smi", "-L"], capture_output=True).stdout.startswith(b"GPU"):
    config.available_features.add("gpu")
