// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of the machine that is examined.
#ifndef AUTOPROF_DOCTOR_PATHS_H
#define AUTOPROF_DOCTOR_PATHS_H

#include "doctor/Doctor.h"

namespace autoprof::doctor {

bool exists(const Machine &M, const std::string &Path);
/// "" where it cannot be read.
std::string contents(const Machine &M, const std::string &Path);
/// The target of a link, without Root; the path itself if it is not a link.
std::string resolved(const Machine &M, const std::string &Path);
/// "" where it is not set.
std::string variable(const Machine &M, const std::string &Name);
/// The folders of a variable like PATH.
std::vector<std::string> foldersOf(const Machine &M, const std::string &Name);
/// The first of `Names` in `Folders`, folder by folder; "" without one.
std::string findIn(const Machine &M, const std::vector<std::string> &Folders,
                   const std::vector<std::string> &Names);
/// Where the dynamic linker looks.
std::vector<std::string> libraryFolders(const Machine &M);
/// Toolkits by CUDA_HOME, CUDA_PATH, nvcc in PATH, and the usual place.
std::vector<std::string> toolkits(const Machine &M);

/// The driver's version, as 580; 0: none is loaded.
unsigned driverBranch(const Machine &M);
/// Its whole version, as "580.65.06".
std::string driverVersion(const Machine &M);
/// The newest CUDA that a driver of this branch runs: 13, 12 or 11.
unsigned newestCuda(unsigned Branch);

} // namespace autoprof::doctor

#endif // AUTOPROF_DOCTOR_PATHS_H
