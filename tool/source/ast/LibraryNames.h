// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps declarations of C++ libraries to their names in the catalogue, and
// decides whether a declaration belongs to the library at all.
#pragma once

#include "catalogue/Catalogue.h"

#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"
#include "clang/Basic/SourceManager.h"
#include <string>

namespace autoprof::source {

/// `thrust::device_vector::resize`: without template arguments, and without
/// inline and unnamed namespaces. A conversion operator is written as
/// `operator value_type`.
std::string libraryName(const clang::NamedDecl *D);

/// Whether `Loc` is in a system header, or in one of the library's own headers
/// that the user put on an ordinary search path.
bool isDeclaredByLibrary(clang::SourceLocation Loc, llvm::StringRef Library,
                         const clang::SourceManager &SM);

/// The row of a function or method, if it belongs to the library. `Object`: the
/// class of the object on which the method is called, or null.
const catalogue::Row *libraryRow(const clang::FunctionDecl *F,
                                 const clang::CXXRecordDecl *Object,
                                 const clang::SourceManager &SM);

/// The same for a name that only an instantiation resolves: the member `Name`
/// of `Class`.
const catalogue::Row *libraryRow(const clang::CXXRecordDecl *Class,
                                 llvm::StringRef Name,
                                 const clang::SourceManager &SM);

/// The class that a type refers to, through references, aliases and dependent
/// template arguments; null if it is not a class.
const clang::CXXRecordDecl *classOf(clang::QualType Type);

/// Whether the type shows that its data is on the GPU: a device_ptr, a policy
/// of Thrust's CUDA back end, an iterator over one. Also true if the type
/// depends on template parameters.
bool mayBeOnDevice(clang::QualType Type);

} // namespace autoprof::source
