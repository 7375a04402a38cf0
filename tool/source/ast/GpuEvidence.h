// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a declaration shows about a function whose body is in another
// translation unit. A step loop often calls nothing but such functions.
#ifndef AUTOPROF_SOURCE_AST_GPUEVIDENCE_H
#define AUTOPROF_SOURCE_AST_GPUEVIDENCE_H

#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"

namespace autoprof::source {

/// Is `F` the user's, and defined elsewhere (or, if virtual, perhaps nowhere)?
bool isDefinedElsewhere(const clang::FunctionDecl *F,
                        const clang::SourceManager &SM);

/// Does `F` take a CUDA object (cudaStream_t, cublasHandle_t, ncclComm_t, ...),
/// or is it a member of a class that holds one? Such a function is counted as
/// using the GPU.
bool handlesCudaObjects(const clang::FunctionDecl *F,
                        const clang::SourceManager &SM);

} // namespace autoprof::source

#endif // AUTOPROF_SOURCE_AST_GPUEVIDENCE_H
