// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/HostCalls.h"

#include "audit/extract/Names.h"
#include "support/LLVMVersion.h"

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

} // namespace autoprof::audit
