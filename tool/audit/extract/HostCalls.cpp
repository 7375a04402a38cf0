// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/HostCalls.h"

#include "audit/extract/Names.h"
#include "support/LLVMVersion.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

/// Whether it is "std::mutex", "std::condition_variable" or the like, including
/// the base classes of libstdc++ and libc++: "std::__mutex_base",
/// "std::__basic_future".
static bool isBlockingClass(StringRef Class) {
  return Class.contains("mutex") || Class.contains("condition_variable") ||
         Class.contains("future") || Class == "std::thread" ||
         Class == "std::jthread" || Class.contains("unique_lock") ||
         Class.contains("semaphore") || Class == "std::latch" ||
         Class == "std::barrier";
}

bool blocks(const FunctionDecl *Callee) {
  const std::string Name = catalogueName(Callee);
  const bool IsPlain =
      StringSwitch<bool>(Name)
          .Cases({"sleep", "usleep", "nanosleep", "clock_nanosleep"}, true)
          .Cases({"pthread_mutex_lock", "pthread_cond_wait"}, true)
          .Cases({"pthread_cond_timedwait", "pthread_join"}, true)
          .Cases({"sem_wait", "sem_timedwait", "mq_receive"}, true)
          .Cases({"accept", "accept4", "recv", "recvfrom", "recvmsg"}, true)
          .Cases({"select", "pselect", "poll", "ppoll"}, true)
          .Cases({"epoll_wait", "epoll_pwait"}, true)
          .Default(false);
  if (IsPlain)
    return Callee->isExternC();
  auto [Class, Method] = StringRef(Name).rsplit("::");
  if (Class == "std::this_thread" || Name == "std::lock")
    return Method != "get_id" && Method != "yield";
  return (Method == "lock" || Method == "wait" || Method == "wait_for" ||
          Method == "wait_until" || Method == "join" || Method == "get" ||
          Method == "acquire") &&
         Class.starts_with("std::") && isBlockingClass(Class);
}

/// Whether the name belongs to the API with this prefix: `glFinish`, but not
/// `global`.
static bool isOf(StringRef Name, StringRef Prefix) {
  return Name.consume_front(Prefix) && !Name.empty() &&
         llvm::isUpper(Name.front());
}

bool handsOver(const FunctionDecl *Callee) {
  if (!Callee->isExternC() || !Callee->getIdentifier())
    return false;
  const StringRef Name = Callee->getName();
  return isOf(Name, "gl") || isOf(Name, "egl") || isOf(Name, "vk") ||
         Name == "MPI_Barrier" || Name == "pthread_barrier_wait";
}

bool locks(const CXXConstructExpr *E) {
  const CXXRecordDecl *Class = E->getType()->getAsCXXRecordDecl();
  if (!Class || !E->getNumArgs() ||
      E->getConstructor()->isCopyOrMoveConstructor())
    return false;
  const std::string Name = qualifiedName(Class);
  // Not with a second argument: std::adopt_lock, std::defer_lock.
  return E->getNumArgs() == 1 &&
         (Name == "std::lock_guard" || Name == "std::unique_lock" ||
          Name == "std::scoped_lock" || Name == "std::shared_lock");
}

bool writesThrough(const CallExpr *Call, const FunctionDecl *Callee,
                   unsigned Argument) {
  static const llvm::StringSet<> First = {
      "memcpy",        "memmove",        "memset",      "strcpy", "strncpy",
      "std::memcpy",   "std::memmove",   "std::memset", "fread",  "std::fread",
      "std::fill",     "std::fill_n",    "std::iota",   "read",   "fgets",
      "std::generate", "std::generate_n"};
  static const llvm::StringSet<> Last = {"std::copy", "std::copy_n",
                                         "std::copy_backward", "std::move"};
  const std::string Name = catalogueName(Callee);
  if (First.contains(Name))
    return Argument == 0;
  return Last.contains(Name) && Call->getNumArgs() > 1 &&
         Argument + 1 == Call->getNumArgs();
}

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
