// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's libraries by name. bin/autoprof links none of them; a case calls
//
//   CALL(cudaMalloc)(&Pointer, Bytes);
//
// with the type from the toolkit's header and the address from the library that
// is found when it runs. A status other than success is kept (failure()), so
// cases do not need to check it. Only the worker opens libraries; one thread.
#ifndef AUTOPROF_CALIBRATE_LIBRARY_H
#define AUTOPROF_CALIBRATE_LIBRARY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace autoprof::calibrate {

struct Library {
  llvm::StringLiteral Name;   ///< As in Libraries.def.
  llvm::StringLiteral Prefix; ///< Of its functions; the longest one counts.
  llvm::ArrayRef<const char *> Files; ///< Newest first.
};

llvm::ArrayRef<Library> libraries();
/// The library of "cublasSdot_v2", by its prefix; null: none.
const Library *libraryOf(llvm::StringRef Function);
/// Of a name as in Libraries.def; null: none.
const Library *libraryNamed(llvm::StringRef Name);

/// Opens a library and finds the addresses of all functions that cases call; ""
/// or why it cannot be used. A second call returns the result of the first.
/// `NewestMajor`: of libcudart, do not try a later major version; 0: any.
std::string open(const Library &L, unsigned NewestMajor = 0);
/// The file that open() found, or "".
llvm::StringRef openedAs(const Library &L);

/// One function that some case calls; all of them form a list from the start
/// of the process.
struct Symbol {
  explicit Symbol(const char *Name);
  const char *Name;
  void *Address = nullptr;
  const Symbol *Next;
};
const Symbol *symbols();

/// The first failure since clearFailure(): "cudaMalloc: cudaErrorMemory...", or
/// "".
llvm::StringRef failure();
void clearFailure();
/// Keeps `Reason` if it is the first.
void fail(std::string Reason);
/// Opens the library of a function; false, and a failure, if it is not there.
bool find(const Symbol &S);
/// Keeps the failure of a function. "Not ready" from a query is not a failure,
/// and neither is access to another GPU that already is as requested.
void noteStatus(const Symbol &S, int Status);

namespace detail {
template <typename Type, typename Name> struct Function;
template <typename R, typename... P, typename Name>
struct Function<R (*)(P...), Name> {
  static inline Symbol S{Name::text()};
  R operator()(P... Arguments) const {
    if (!S.Address && !find(S))
      return static_cast<R>(1);
    R Status = reinterpret_cast<R (*)(P...)>(S.Address)(Arguments...);
    if (int(Status) != 0)
      noteStatus(S, int(Status));
    return Status;
  }
};
} // namespace detail

#define AUTOPROF_TEXT(X) #X
/// The name is expanded first: headers rename (cublasSdot -> cublasSdot_v2).
#define AUTOPROF_FUNCTION(NAME)                                                \
  ([] {                                                                        \
    struct Text {                                                              \
      static const char *text() { return AUTOPROF_TEXT(NAME); }                \
    };                                                                         \
    return ::autoprof::calibrate::detail::Function<decltype(&(NAME)), Text>(); \
  }())
#define CALL(NAME) AUTOPROF_FUNCTION(NAME)

} // namespace autoprof::calibrate

#endif // AUTOPROF_CALIBRATE_LIBRARY_H
