// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Sinks.h"

#include "audit/extract/Names.h"
#include "support/LLVMVersion.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

static bool isOutputStream(QualType T) {
  const CXXRecordDecl *Class = T.getNonReferenceType()->getAsCXXRecordDecl();
  return Class && Class->getIdentifier() &&
         (Class->getName().ends_with("stream"));
}

/// The object at the left end of `a << b << c`.
static const Expr *leftmost(const CXXOperatorCallExpr *Call) {
  const Expr *E = Call;
  while (const auto *Op =
             llvm::dyn_cast<CXXOperatorCallExpr>(E->IgnoreParenImpCasts())) {
    if (Op->getOperator() != OO_LessLess)
      break;
    E = Op->getArg(0);
  }
  return E->IgnoreParenImpCasts();
}

static std::string nameOf(const Expr *E) {
  if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(E))
    return qualifiedName(Ref->getDecl());
  return "a stream";
}

static bool namesALog(StringRef Name) {
  return Name.contains_insensitive("log") &&
         !Name.contains_insensitive("logit") &&
         !Name.contains_insensitive("login");
}

static std::optional<Sink> insertion(const CXXOperatorCallExpr *Call) {
  if (Call->getOperator() != OO_LessLess || Call->getNumArgs() != 2 ||
      !isOutputStream(Call->getType()))
    return std::nullopt;
  const Expr *Left = leftmost(Call);
  const std::string Name = nameOf(Left);
  const CXXRecordDecl *Class =
      Left->getType().getNonReferenceType()->getAsCXXRecordDecl();
  const bool IsLog =
      namesALog(Name) || Name == "std::clog" ||
      (Class && Class->getIdentifier() && namesALog(Class->getName()));
  return Sink{IsLog ? Use::Logged : Use::Printed, Name, 1};
}

std::optional<Sink> sinkOf(const CallExpr *Call, const FunctionDecl *Callee) {
  if (const auto *Op = llvm::dyn_cast<CXXOperatorCallExpr>(Call))
    return insertion(Op);
  if (!Callee)
    return std::nullopt;
  const std::string Name = catalogueName(Callee);
  // Position of the first value: after the stream and the format.
  const int First =
      StringSwitch<int>(Name)
          .Cases({"printf", "wprintf", "vprintf"}, 1)
          .Cases({"puts", "putchar", "perror"}, 0)
          .Cases({"fprintf", "fwprintf", "dprintf", "vfprintf"}, 2)
          .Cases({"fputs", "fputc", "putc"}, 0)
          .Cases({"std::print", "std::println"}, 1)
          .Cases({"fmt::print", "fmt::println"}, 1)
          .Case("syslog", 2)
          .Default(-1);
  if (First >= 0)
    return Sink{Name == "syslog" ? Use::Logged : Use::Printed, Name,
                unsigned(First)};
  StringRef N = Name;
  if (N.starts_with("spdlog::") &&
      (N.ends_with("::info") || N.ends_with("::debug") ||
       N.ends_with("::warn") || N.ends_with("::error") ||
       N.ends_with("::trace") || N.ends_with("::log")))
    return Sink{Use::Logged, Name, 0};
  return std::nullopt;
}

bool formatsInto(const FunctionDecl *Callee) {
  const std::string Name = catalogueName(Callee);
  return Name == "sprintf" || Name == "snprintf" || Name == "memcpy" ||
         Name == "memmove" || Name == "std::memcpy" || Name == "strcpy";
}

bool readsClock(const FunctionDecl *Callee) {
  const std::string Name = catalogueName(Callee);
  StringRef N = Name;
  return (N.starts_with("std::chrono::") && N.ends_with("::now")) ||
         N == "clock" || N == "std::clock" || N == "gettimeofday" ||
         N == "clock_gettime" || N == "omp_get_wtime" || N == "MPI_Wtime" ||
         N == "time" || N == "QueryPerformanceCounter";
}

} // namespace autoprof::audit
