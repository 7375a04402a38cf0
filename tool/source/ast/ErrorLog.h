// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading text that has errors.
// clang continues after an error, and most functions of such a text are parsed
// as if there were none. ErrorLog keeps the errors of a parse, and Damage
// decides which functions are intact. A function is intact if there is no error
// in its text, neither directly nor in a macro or file that it uses, and if
// clang's tree of it has no mark of an error elsewhere: an invalid declaration,
// or an expression that is only partly known. If a header is missing, what
// looks like a call may be a macro of that header, so a call of something
// undeclared counts as an error, too.
#pragma once

#include "source/project/Site.h"

#include "clang/AST/Decl.h"
#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"
#include <map>

namespace autoprof::source {

/// Prints nothing and keeps all errors of a parse.
class ErrorLog : public clang::DiagnosticConsumer {
public:
  struct Error {
    clang::SourceLocation Loc; ///< Invalid if the error has no place.
    unsigned Id;               ///< clang's number for this kind of error.
    std::string Line;          ///< "file:line".
    std::string Text;          ///< "file:line:column: words".
    std::string Missing;       ///< The file that an #include did not find.
  };

  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;

  std::vector<Error> All;
  bool IsFatal = false;     ///< The parse ended there.
  bool LacksHeader = false; ///< An #include found no file.
};

/// The parts of a translation unit that cannot be read because of errors.
struct Loss {
  unsigned Errors = 0; ///< 0: it was read completely.
  std::string First;   ///< The first error: "file:line:column: words".
  std::string Missing; ///< The file that it did not find, or "".
  /// An #include found no file, or there is an #error, perhaps because of
  /// __has_include: the text may be complete when a file appears.
  bool NeedsFiles = false;
  /// The functions that were not read; files are named by absolute paths.
  std::vector<Skipped> Functions;
};

/// A text that could not be read.
class UnreadText : public llvm::ErrorInfo<UnreadText> {
  std::string Message;

public:
  inline static char ID = 0;
  std::string Missing; ///< As Loss::Missing.

  UnreadText(std::string Message, std::string Missing)
      : Message(std::move(Message)), Missing(std::move(Missing)) {}
  void log(llvm::raw_ostream &OS) const override { OS << Message; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
};

/// The message to the user about a text that could not be read: the first error
/// that counts. An UnreadText.
llvm::Error firstOf(const Loss &Lost, const ErrorLog &Log);

/// Makes the parse continue after missing headers, and after any number of
/// errors.
void keepGoing(clang::DiagnosticsEngine &Diags);

class Damage {
public:
  /// To be created at the end of a translation unit. `TopLevel`: its
  /// declarations outside system headers. Errors in device functions, which are
  /// not read, do not count.
  Damage(const ErrorLog &Log, clang::ASTContext &Context,
         llvm::ArrayRef<clang::Decl *> TopLevel);

  bool any() const { return Lost.Errors != 0; }

  /// Whether no function is left to read: none of the main file, or if that has
  /// none, none of the user's headers.
  bool isTotal() const { return any() && (IsFatal || !Intact); }

  const Loss &loss() const { return Lost; }

  /// The first error in the text of `D`, or another problem with it; "" if it
  /// is intact. Lambdas and local classes are treated like the enclosing
  /// function.
  std::string whyNot(const clang::Decl *D) const;

private:
  /// For each file, the offsets of errors, with their numbers.
  using Places = std::map<clang::FileID, std::multimap<unsigned, size_t>>;

  void findPlaces(const ErrorLog &Log);
  void dropDeviceErrors(const ErrorLog &Log, clang::ASTContext &Context);
  void countFunctions(llvm::ArrayRef<clang::Decl *> TopLevel);
  std::vector<size_t> errorsIn(clang::SourceRange R) const;
  std::string examine(const clang::Decl *D) const;

  const ErrorLog &Log;
  const clang::SourceManager &SM;
  Places ErrorPlaces;
  bool IsFatal;
  bool Intact = false;
  Loss Lost;
  mutable llvm::DenseMap<const clang::Decl *, std::string> Known;
};

} // namespace autoprof::source
