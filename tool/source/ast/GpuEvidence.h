// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evidence in a declaration that a function defined in another translation unit
// uses the GPU. A step loop often calls only such functions.
#ifndef AUTOPROF_SOURCE_AST_GPUEVIDENCE_H
#define AUTOPROF_SOURCE_AST_GPUEVIDENCE_H

#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"

namespace autoprof::source {

/// Whether `F` is the user's, and defined elsewhere (or, if virtual, perhaps
/// nowhere).
bool isDefinedElsewhere(const clang::FunctionDecl *F,
                        const clang::SourceManager &SM);

/// Whether `F` takes a CUDA object (cudaStream_t, cublasHandle_t, ncclComm_t,
/// ...), or is a member of a class that has one. Such a function counts as
/// using the GPU.
bool handlesCudaObjects(const clang::FunctionDecl *F,
                        const clang::SourceManager &SM);

} // namespace autoprof::source

#endif // AUTOPROF_SOURCE_AST_GPUEVIDENCE_H
