// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "doctor/Doctor.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace autoprof;
using doctor::Check;
using doctor::State;
namespace fs = llvm::sys::fs;

namespace {

const char Version580[] =
    "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  "
    "Release Build\nGCC version:  gcc version 13.3.0\n";
const char Version550[] =
    "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar 5\n";

/// A machine in a folder of its own.
class DoctorTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> Folder;
    ASSERT_FALSE(fs::createUniqueDirectory("doctor", Folder));
    M.Root = Folder.str().str();
    M.ProgramFolder = "/opt/autoprof/bin";
    M.Environment["PATH"] = "/usr/bin:/opt/autoprof/bin";
  }
  void TearDown() override { fs::remove_directories(M.Root); }

  void write(const std::string &Path, llvm::StringRef Text = "") {
    const std::string Whole = M.Root + Path;
    ASSERT_FALSE(fs::create_directories(llvm::sys::path::parent_path(Whole)));
    std::error_code E;
    llvm::raw_fd_ostream(Whole, E) << Text;
    ASSERT_FALSE(E);
  }
  void link(const std::string &Target, const std::string &Path) {
    const std::string Whole = M.Root + Path;
    ASSERT_FALSE(fs::create_directories(llvm::sys::path::parent_path(Whole)));
    ASSERT_FALSE(fs::create_link(M.Root + Target, Whole));
  }
  void makeDriver(const char *Version = Version580) {
    write("/proc/driver/nvidia/version", Version);
    write("/usr/lib/" AUTOPROF_MULTIARCH "/libcuda.so.1");
    write("/dev/nvidia0");
  }

  doctor::Machine M;
};

testing::AssertionResult is(const Check &C, State Expected,
                            llvm::StringRef Part) {
  if (C.Result == Expected &&
      llvm::StringRef(C.Finding + " -> " + C.Remedy).contains(Part) &&
      (Expected == State::Ok) == C.Remedy.empty())
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << doctor::name(C.Result).str() << ": "
                                     << C.Finding << " -> " << C.Remedy;
}

TEST_F(DoctorTest, NoGpuIsNoProblem) {
  write("/opt/autoprof/lib/libautoprof.so");
  write("/opt/autoprof/bin/autoprof-source");
  write("/opt/autoprof/bin/autoprof-nvcc");
  for (const Check &C : doctor::examine(M))
    EXPECT_NE(C.Result, State::Problem) << C.Name << ": " << C.Finding;
  EXPECT_TRUE(is(checkDriver(M), State::Warning, "no NVIDIA driver"));
  EXPECT_TRUE(is(checkCupti(M), State::Warning, "not found"));
}

TEST_F(DoctorTest, Installation) {
  EXPECT_TRUE(
      is(checkInstallation(M), State::Problem, "/opt/autoprof/lib/libautopr"));
  write("/opt/autoprof/lib/libautoprof.so");
  EXPECT_TRUE(is(checkInstallation(M), State::Warning, "autoprof-source"));
  write("/opt/autoprof/bin/autoprof-source");
  write("/opt/autoprof/bin/autoprof-nvcc");
  EXPECT_TRUE(is(checkInstallation(M), State::Warning, "substitute.so"));
  write("/opt/autoprof/lib/libautoprof-substitute.so");
  EXPECT_TRUE(is(checkInstallation(M), State::Warning, "probe.h"));
  write("/opt/autoprof/include/autoprof/probe.h");
  EXPECT_TRUE(is(checkInstallation(M), State::Ok, "/opt/autoprof"));
}

TEST_F(DoctorTest, Driver) {
  write("/proc/driver/nvidia/version", Version580);
  EXPECT_TRUE(is(checkDriver(M), State::Problem, "--gpus all"));
  makeDriver();
  EXPECT_TRUE(is(checkDriver(M), State::Ok, "driver 580.65.06, for CUDA 13"));
  makeDriver(Version550);
  EXPECT_TRUE(is(checkDriver(M), State::Ok, "driver 550.54.15, for CUDA 12"));
  makeDriver("NVRM version: NVIDIA UNIX x86_64 Kernel Module  470.57.02  x\n");
  EXPECT_TRUE(is(checkDriver(M), State::Problem, "525"));
}

TEST_F(DoctorTest, DriverInAFolderOfTheContainerRuntime) {
  write("/proc/driver/nvidia/version", Version580);
  write("/opt/nvidia/libcuda.so.1");
  M.Environment["LD_LIBRARY_PATH"] = "/nothing:/opt/nvidia";
  EXPECT_TRUE(is(checkDriver(M), State::Ok, "580"));
}

TEST_F(DoctorTest, Devices) {
  write("/proc/driver/nvidia/version", Version580);
  EXPECT_TRUE(is(checkDevices(M), State::Problem, "no /dev/nvidia0"));
  // A container may have others than the first.
  write("/dev/nvidia3");
  write("/dev/nvidia5");
  EXPECT_TRUE(is(checkDevices(M), State::Ok, "2 GPUs"));
}

TEST_F(DoctorTest, Cupti) {
  makeDriver();
  EXPECT_TRUE(is(checkCupti(M), State::Problem, "nvidia-cuda-cupti"));
  write("/usr/local/cuda/extras/CUPTI/lib64/libcupti.so.13");
  EXPECT_TRUE(is(checkCupti(M), State::Ok,
                 "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so.13"));
  // One that is newer than the driver does not work.
  makeDriver(Version550);
  EXPECT_TRUE(is(checkCupti(M), State::Problem, "only CUPTI 13"));
  write("/opt/cuda/lib64/libcupti.so.12");
  write("/opt/cuda/include/cuda.h");
  M.Environment["CUDA_HOME"] = "/opt/cuda";
  EXPECT_TRUE(is(checkCupti(M), State::Ok, "/opt/cuda/lib64/libcupti.so.12"));
  M.Environment["AUTOPROF_CUPTI"] = "/gone/libcupti.so";
  EXPECT_TRUE(is(checkCupti(M), State::Problem, "/gone/libcupti.so"));
}

TEST_F(DoctorTest, Toolkit) {
  EXPECT_TRUE(is(checkToolkit(M), State::Warning, "no CUDA toolkit"));
  write("/usr/local/cuda/include/cuda.h", "#define CUDA_VERSION 13000\n");
  EXPECT_TRUE(is(checkToolkit(M), State::Ok, "CUDA 13.0 in /usr/local/cuda"));
  // The one whose nvcc is in PATH comes first, also by way of links.
  write("/opt/cuda-11.8/bin/nvcc");
  write("/opt/cuda-11.8/include/cuda.h", "#define CUDA_VERSION 11080\n");
  link("/opt/cuda-11.8/bin/nvcc", "/usr/bin/nvcc");
  EXPECT_TRUE(is(checkToolkit(M), State::Warning, "CUDA 11.8"));
}

TEST_F(DoctorTest, AutoprofNvccInPathIsNoToolkit) {
  write("/opt/autoprof/bin/autoprof-nvcc");
  link("/opt/autoprof/bin/autoprof-nvcc", "/opt/autoprof/libexec/nvcc");
  M.Environment["PATH"] = "/opt/autoprof/libexec";
  EXPECT_TRUE(is(checkToolkit(M), State::Warning, "no CUDA toolkit"));
}

TEST_F(DoctorTest, Plugin) {
  EXPECT_TRUE(is(checkPlugin(M), State::Warning, "autoprof.so"));
  write("/opt/autoprof/lib/autoprof.so");
  EXPECT_TRUE(is(checkPlugin(M), State::Warning, "was not found"));
  const std::string Clang = "/usr/lib/llvm-" AUTOPROF_LLVM_MAJOR;
  write(Clang + "/bin/clang");
  EXPECT_TRUE(is(checkPlugin(M), State::Warning,
                 "-fplugin=/opt/autoprof/lib/autoprof.so"));
  EXPECT_TRUE(is(checkPlugin(M), State::Warning,
                 "'ln -s /opt/autoprof/lib/autoprof.so /usr/lib/llvm-"));
  write("/usr/lib/autoprof.so");
  link("/usr/lib/autoprof.so", Clang + "/lib/autoprof");
  EXPECT_TRUE(is(checkPlugin(M), State::Warning, "another installation's"));
  fs::remove(M.Root + Clang + "/lib/autoprof");
  link("/opt/autoprof/lib/autoprof.so", Clang + "/lib/autoprof");
  EXPECT_TRUE(is(checkPlugin(M), State::Ok, "-fplugin=autoprof"));
}

TEST_F(DoctorTest, PluginOfADebianPackage) {
  // It is in clang's folder only.
  const std::string Clang = "/usr/lib/llvm-" AUTOPROF_LLVM_MAJOR;
  write(Clang + "/bin/clang");
  write(Clang + "/lib/autoprof.so");
  link(Clang + "/lib/autoprof.so", Clang + "/lib/autoprof");
  EXPECT_TRUE(is(checkPlugin(M), State::Ok, Clang + "/lib/autoprof.so"));
}

TEST_F(DoctorTest, Environment) {
  EXPECT_TRUE(is(checkEnvironment(M), State::Ok, ""));
  M.Environment["CUDA_INJECTION64_PATH"] = "/opt/other.so";
  EXPECT_TRUE(is(checkEnvironment(M), State::Warning, "/opt/other.so"));
  M.Environment["AUTOPROF_DISABLE"] = "1";
  EXPECT_TRUE(is(checkEnvironment(M), State::Problem, "AUTOPROF_DISABLE"));
  M.Environment["AUTOPROF_DISABLE"] = "0";
  M.Environment.erase("CUDA_INJECTION64_PATH");
  EXPECT_TRUE(is(checkEnvironment(M), State::Ok, ""));
}

} // namespace
