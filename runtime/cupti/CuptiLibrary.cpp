// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cupti/CuptiLibrary.h"

#include <cstdlib>
#include <dlfcn.h>
#include <link.h>
#include <vector>

namespace autoprof::runtime {

// The folder of the libcudart that this process has loaded, or "".
static std::string runtimeFolder() {
  std::string Folder;
  dl_iterate_phdr(
      [](dl_phdr_info *Module, size_t, void *Data) -> int {
        std::string Path = Module->dlpi_name ? Module->dlpi_name : "";
        size_t Slash = Path.rfind('/');
        if (Slash == std::string::npos ||
            Path.compare(Slash + 1, 9, "libcudart") != 0)
          return 0;
        *static_cast<std::string *>(Data) = Path.substr(0, Slash);
        return 1;
      },
      &Folder);
  return Folder;
}

static std::vector<std::string> searchFolders() {
  std::vector<std::string> Folders;
  std::string Runtime = runtimeFolder();
  if (!Runtime.empty())
    for (const char *Relative :
         {"", "/../extras/CUPTI/lib64", "/../../../extras/CUPTI/lib64",
          // The last is the path in PyPI's nvidia-cuda-cupti.
          "/../../cuda_cupti/lib"})
      Folders.push_back(Runtime + Relative);
  for (const char *Name : {"CUDA_HOME", "CUDA_PATH"})
    // A library from here is run, so not in a setuid program.
    if (const char *Home = secure_getenv(Name))
      for (const char *Relative : {"/extras/CUPTI/lib64", "/lib64", "/lib"})
        Folders.push_back(std::string(Home) + Relative);
  for (const char *Relative : {"/extras/CUPTI/lib64", "/lib64", "/lib",
                               "/targets/" AUTOPROF_CUDA_TARGET "/lib"})
    Folders.push_back(std::string("/usr/local/cuda") + Relative);
  return Folders;
}

static void *findLibrary(uint32_t DriverVersion) {
  // A CUPTI that is newer than the driver does not work with it.
  std::vector<std::string> Names = {"libcupti.so.13", "libcupti.so.12"};
  if (DriverVersion && DriverVersion < 13000)
    Names.erase(Names.begin());
  for (const std::string &Name : Names)
    if (void *Library = dlopen(Name.c_str(), RTLD_NOW | RTLD_NOLOAD))
      return Library;
  for (const std::string &Name : Names)
    if (void *Library = dlopen(Name.c_str(), RTLD_NOW | RTLD_LOCAL))
      return Library;
  for (const std::string &Folder : searchFolders())
    for (const std::string &Name : Names)
      if (void *Library =
              dlopen((Folder + "/" + Name).c_str(), RTLD_NOW | RTLD_LOCAL))
        return Library;
  return nullptr;
}

bool CuptiLibrary::open(const std::string &Path, uint32_t DriverVersion,
                        std::string &Error) {
  void *Library = Path.empty() ? findLibrary(DriverVersion)
                               : dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Library) {
    Error = Path.empty() ? "libcupti was not found; install it, or set "
                           "AUTOPROF_CUPTI to its path"
                         : "AUTOPROF_CUPTI=" + Path + " cannot be opened";
    return false;
  }
  const char *Missing = nullptr;
#define AUTOPROF_RESOLVE(Name)                                                 \
  Name = reinterpret_cast<decltype(Name)>(dlsym(Library, #Name));
#define AUTOPROF_REQUIRE(Name)                                                 \
  AUTOPROF_RESOLVE(Name)                                                       \
  if (!Name)                                                                   \
    Missing = #Name;
  AUTOPROF_CUPTI_FUNCTIONS(AUTOPROF_REQUIRE)
  AUTOPROF_CUPTI_OPTIONAL(AUTOPROF_RESOLVE)
#undef AUTOPROF_REQUIRE
#undef AUTOPROF_RESOLVE
  if (Missing)
    Error = std::string("the libcupti in this process lacks ") + Missing +
            "; CUDA 12.0 or later is needed";
  return !Missing;
}

} // namespace autoprof::runtime
