// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On which device the tensors of libtorch are
// -------------------------------------------
// A tensor has the kind of memory of its device: Device for CUDA, Pageable (or
// Pinned) for the CPU. A c10::Device, a device type and tensor options have
// the kind that tensors made with them will have. An operation puts its result
// where its arguments are; libtorch refuses to mix them, but for numbers on the
// CPU, so that one argument on a CUDA device decides.
#ifndef AUTOPROF_AUDIT_EXTRACT_TENSORS_H
#define AUTOPROF_AUDIT_EXTRACT_TENSORS_H

#include "audit/Model.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace autoprof::audit {

/// at::Tensor, c10::Device, c10::DeviceType, c10::TensorOptions.
bool hasTensorDevice(clang::QualType T);

/// Of an expression of such a type that is a constant, a construction or a call
/// of libtorch; none for others. `ValueOf` evaluates what it is made from.
std::optional<Value>
tensorDevice(const clang::Expr *E, const clang::ASTContext &Context,
             llvm::function_ref<Value(const clang::Expr *)> ValueOf);

/// The tensor that a call of libtorch works on, or null.
const clang::Expr *tensorOf(const clang::Expr *Call);

/// What `t.to(...)` says of the place of its result: a device, options or
/// another tensor; `t` when it only changes the type.
const clang::Expr *targetOf(const clang::Expr *Call);

/// Do the indices hold a comparison of tensors: a mask?
bool holdsMask(const clang::Expr *Call);

/// Does the function compute tensors from tensors? Making them and looking at
/// them in another shape queues no work.
bool computesTensors(const clang::FunctionDecl *Callee);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_TENSORS_H
