// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The devices of libtorch's tensors.
// A tensor has the kind of memory of its device: Device for CUDA, Pageable (or
// Pinned) for the CPU. A c10::Device, a device type and tensor options have the
// kind of the tensors that are made with them. An operation puts its result
// where its arguments are; libtorch refuses to mix devices, except for numbers
// on the CPU, so one argument on a CUDA device decides.
#pragma once

#include "audit/Model.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace autoprof::audit {

/// Whether it is at::Tensor, c10::Device, c10::DeviceType, or
/// c10::TensorOptions.
bool hasTensorDevice(clang::QualType T);

/// The value of an expression of such a type that is a constant, a construction
/// or a call of libtorch; none for others. `ValueOf` evaluates its operands.
std::optional<Value>
tensorDevice(const clang::Expr *E, const clang::ASTContext &Context,
             llvm::function_ref<Value(const clang::Expr *)> ValueOf);

/// The tensor on which a call of libtorch operates, or null.
const clang::Expr *tensorOf(const clang::Expr *Call);

/// The expression that determines where the result of `t.to(...)` is: a device,
/// options or another tensor; `t` if it only changes the type.
const clang::Expr *targetOf(const clang::Expr *Call);

/// Whether the indices contain a comparison of tensors: a mask.
bool holdsMask(const clang::Expr *Call);

/// Whether the function computes tensors from tensors. Creating and reshaping
/// them queues no work.
bool computesTensors(const clang::FunctionDecl *Callee);

} // namespace autoprof::audit
