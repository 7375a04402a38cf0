// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Destroys.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

/// How many of its first template arguments a class of the standard library
/// destroys objects of; 0: it owns none.
static unsigned ownedArguments(StringRef Class) {
  return llvm::StringSwitch<unsigned>(Class)
      .Cases({"std::vector", "std::deque", "std::list", "std::forward_list",
              "std::set", "std::multiset", "std::unordered_set"},
             1)
      .Cases({"std::unordered_multiset", "std::array", "std::optional",
              "std::stack", "std::queue", "std::priority_queue"},
             1)
      .Cases({"std::map", "std::multimap", "std::unordered_map",
              "std::unordered_multimap", "std::pair"},
             2)
      .Cases({"std::tuple", "std::variant"}, ~0u)
      .Default(0);
}

/// Of the standard library and of others such as boost.
static bool isSmartPointer(StringRef Class) {
  return Class.ends_with("_ptr") && !Class.ends_with("::weak_ptr");
}

static bool isOnlyOwner(StringRef Pointer) {
  return Pointer.ends_with("::unique_ptr") || Pointer.ends_with("::scoped_ptr");
}

namespace {

class Walker {
  Names &TheNames;
  std::vector<Destruction> &Out;
  llvm::SmallVector<const CXXRecordDecl *, 8> Way; ///< A list holds itself.

public:
  Walker(Names &TheNames, std::vector<Destruction> &Out)
      : TheNames(TheNames), Out(Out) {}

  void object(QualType T, const std::string &Name, const Value &Holds,
              const Callables &Deleters, bool Virtual, bool Shared) {
    while (const ArrayType *Array =
               T.isNull() ? nullptr : T->getAsArrayTypeUnsafe())
      T = Array->getElementType();
    const CXXRecordDecl *Class = T.isNull() ? nullptr : T->getAsCXXRecordDecl();
    Class = Class ? Class->getDefinition() : nullptr;
    if (!Class || Way.size() > 8 || llvm::is_contained(Way, Class))
      return;
    Way.push_back(Class);
    parts(Class, Name, Holds, Deleters, Virtual, Shared);
    Way.pop_back();
  }

private:
  void parts(const CXXRecordDecl *Class, const std::string &Name,
             const Value &Holds, const Callables &Deleters, bool Virtual,
             bool Shared) {
    const CXXDestructorDecl *Dtor = Class->getDestructor();
    if (Dtor)
      if (const catalogue::Row *Row = TheNames.row(Dtor, Class)) {
        Out.push_back({Row, nullptr, Name, Holds, Virtual, Shared});
        return;
      }
    if (TheNames.isSystem(Class))
      return owned(Class, Name, Holds, Deleters, Shared);
    if (Dtor && Dtor->isUserProvided()) {
      Out.push_back(
          {nullptr, Dtor, Name, Holds, Virtual && Dtor->isVirtual(), Shared});
      return;
    }
    for (const FieldDecl *Field : Class->fields())
      object(Field->getType(), Name + "." + Field->getNameAsString(),
             Value::fromSlot(TheNames.field(Field)), {}, false, Shared);
    for (const CXXBaseSpecifier &Base : Class->bases())
      object(Base.getType(), Name, Value::anything(), {}, false, Shared);
  }

  /// For classes of libraries: what they own.
  void owned(const CXXRecordDecl *Class, const std::string &Name,
             const Value &Holds, const Callables &Deleters, bool Shared) {
    const auto *Made = llvm::dyn_cast<ClassTemplateSpecializationDecl>(Class);
    if (!Made)
      return;
    const std::string Which = qualifiedName(Class);
    llvm::ArrayRef<TemplateArgument> Args = Made->getTemplateArgs().asArray();
    if (isSmartPointer(Which))
      return pointer(!isOnlyOwner(Which), Args, Name, Holds, Deleters);
    const unsigned Count =
        Class->isInStdNamespace() ? ownedArguments(Which) : ~0u;
    for (const TemplateArgument &A : Args.take_front(Count))
      if (A.getKind() == TemplateArgument::Pack)
        for (const TemplateArgument &Part : A.pack_elements())
          element(Part, Name, Shared);
      else
        element(A, Name, Shared);
  }

  void element(const TemplateArgument &A, const std::string &Name,
               bool Shared) {
    if (A.getKind() == TemplateArgument::Type)
      object(A.getAsType(), Name, Value::anything(), {}, false, Shared);
  }

  void pointer(bool Shared, llvm::ArrayRef<TemplateArgument> Args,
               const std::string &Name, const Value &Holds,
               Callables Deleters) {
    const QualType Deleter = !Shared && Args.size() > 1 &&
                                     Args[1].getKind() == TemplateArgument::Type
                                 ? Args[1].getAsType()
                                 : QualType();
    const CXXRecordDecl *Class =
        Deleter.isNull() ? nullptr
                         : Deleter.getNonReferenceType()->getAsCXXRecordDecl();
    if (Class && !TheNames.isSystem(Class))
      Deleters = callOperators(Class);
    for (const FunctionDecl *F : Deleters)
      if (const catalogue::Row *Row = TheNames.row(F, nullptr))
        Out.push_back({Row, nullptr, Name, Holds, false, Shared});
      else if (!TheNames.isSystem(F))
        Out.push_back({nullptr, F, Name, Holds, false, Shared});
    const bool Deletes =
        Deleters.empty() &&
        (Deleter.isNull() || (Class && TheNames.isSystem(Class)));
    if (Deletes && Args[0].getKind() == TemplateArgument::Type)
      object(Args[0].getAsType(), Name, Value::anything(), {}, true, Shared);
  }
};

} // namespace

std::vector<Destruction> destructionOf(QualType T, const std::string &Name,
                                       const Value &Holds,
                                       const Callables &Deleters,
                                       Names &TheNames) {
  std::vector<Destruction> Result;
  Walker(TheNames, Result).object(T, Name, Holds, Deleters, false, false);
  return Result;
}

static const CXXRecordDecl *classOf(const Expr *E) {
  const QualType T = E->getType();
  return T.isNull() ? nullptr : T.getNonReferenceType()->getAsCXXRecordDecl();
}

Callables deletersIn(const Stmt *S) {
  Callables Result;
  if (!S || llvm::isa<LambdaExpr>(S))
    return Result;
  if (const auto *Construct = llvm::dyn_cast<CXXConstructExpr>(S);
      Construct && Construct->getNumArgs() > 1)
    if (const CXXRecordDecl *Class = classOf(Construct);
        Class && isSmartPointer(qualifiedName(Class)))
      return callablesIn(Construct->getArg(1));
  for (const Stmt *Child : S->children())
    Result.append(deletersIn(Child));
  return Result;
}

const Expr *emptiedBy(const CallExpr *Call, const FunctionDecl *Callee) {
  const CXXRecordDecl *Class = objectClass(Call);
  if (!Class || !llvm::isa<CXXMethodDecl>(Callee) || !Class->isInStdNamespace())
    return nullptr;
  const std::string Which = qualifiedName(Class);
  if (!isSmartPointer(Which) && !ownedArguments(Which))
    return nullptr;
  const auto *Op = llvm::dyn_cast<CXXOperatorCallExpr>(Call);
  if (Op)
    return Op->getOperator() == OO_Equal ? Op->getArg(0) : nullptr;
  const auto *Member = llvm::dyn_cast<CXXMemberCallExpr>(Call);
  if (!Member)
    return nullptr;
  const bool MayHold = Which == "std::optional" || Which == "std::variant";
  const std::string Method = Callee->getNameInfo().getAsString();
  const bool Ends =
      llvm::StringSwitch<bool>(Method)
          .Cases({"reset", "clear", "pop_back", "pop_front"}, true)
          .Cases({"pop", "erase", "resize", "assign"}, true)
          .Cases({"remove", "remove_if", "operator="}, true)
          .Case("emplace", MayHold)
          .Default(false);
  return Ends ? Member->getImplicitObjectArgument() : nullptr;
}

} // namespace autoprof::audit
