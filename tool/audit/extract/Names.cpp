// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Names.h"

#include "catalogue/LibraryTraits.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Index/USRGeneration.h"
#include "llvm/Support/Path.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

const FunctionDecl *pattern(const FunctionDecl *F) {
  if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern())
    F = Pattern;
  return F->getCanonicalDecl();
}

/// The class of a template argument if it can be called, or null.
static const CXXRecordDecl *callableIn(const TemplateArgument &A) {
  if (A.getKind() != TemplateArgument::Type)
    return nullptr;
  const CXXRecordDecl *Class =
      A.getAsType().getNonReferenceType()->getAsCXXRecordDecl();
  const bool Calls = Class && Class->hasDefinition() &&
                     llvm::any_of(Class->methods(), [](const CXXMethodDecl *M) {
                       return M->getOverloadedOperator() == OO_Call;
                     });
  return Calls ? Class : nullptr;
}

static void addCallables(llvm::ArrayRef<TemplateArgument> Args,
                         llvm::SmallVectorImpl<const CXXRecordDecl *> &Out) {
  for (const TemplateArgument &A : Args)
    if (A.getKind() == TemplateArgument::Pack)
      addCallables(A.pack_elements(), Out);
    else if (const CXXRecordDecl *Class = callableIn(A))
      Out.push_back(Class);
}

/// The classes among the template arguments of the function or of its class
/// that can be called.
static llvm::SmallVector<const CXXRecordDecl *, 2>
callables(const FunctionDecl *F) {
  llvm::SmallVector<const CXXRecordDecl *, 2> Result;
  if (const TemplateArgumentList *Args = F->getTemplateSpecializationArgs())
    addCallables(Args->asArray(), Result);
  if (const auto *Class =
          llvm::dyn_cast<ClassTemplateSpecializationDecl>(F->getDeclContext()))
    addCallables(Class->getTemplateArgs().asArray(), Result);
  return Result;
}

const FunctionDecl *writtenDecl(const FunctionDecl *F) {
  return callables(F).empty() ? pattern(F) : F->getCanonicalDecl();
}

/// "thrust::", "cub::DeviceReduce::".
static std::string scopeName(const DeclContext *Context) {
  std::string Result;
  for (; Context && !Context->isTranslationUnit();
       Context = Context->getParent()) {
    if (const auto *Space = llvm::dyn_cast<NamespaceDecl>(Context);
        Space && (Space->isInline() || Space->isAnonymousNamespace()))
      continue;
    if (const auto *Named = llvm::dyn_cast<NamedDecl>(Context);
        Named && Named->getIdentifier())
      Result = Named->getName().str() + "::" + Result;
  }
  return Result;
}

std::string qualifiedName(const NamedDecl *D) {
  return scopeName(D->getDeclContext()) + D->getDeclName().getAsString();
}

std::string catalogueName(const FunctionDecl *F, const CXXRecordDecl *Object) {
  std::string Scope;
  if (Object && llvm::isa<CXXMethodDecl>(F))
    Scope = qualifiedName(Object) + "::";
  else
    Scope = scopeName(F->getDeclContext());
  // Constructors and destructors have the name of their class without template
  // arguments.
  const auto *Method = llvm::dyn_cast<CXXMethodDecl>(F);
  if (Method && llvm::isa<CXXConstructorDecl, CXXDestructorDecl>(F)) {
    const CXXRecordDecl *Class = Object ? Object : Method->getParent();
    return Scope + (llvm::isa<CXXDestructorDecl>(F) ? "~" : "") +
           Class->getName().str();
  }
  if (llvm::isa<CXXConversionDecl>(F))
    return Scope + "operator value_type";
  return Scope + F->getDeclName().getAsString();
}

const CXXRecordDecl *objectClass(const CallExpr *Call) {
  const Expr *Object = nullptr;
  if (const auto *Member = llvm::dyn_cast<CXXMemberCallExpr>(Call))
    Object = Member->getImplicitObjectArgument();
  else if (const auto *Operator = llvm::dyn_cast<CXXOperatorCallExpr>(Call);
           Operator && Operator->getNumArgs() &&
           llvm::isa_and_nonnull<CXXMethodDecl>(Operator->getDirectCallee()))
    Object = Operator->getArg(0);
  if (!Object)
    return nullptr;
  // A member of a base class is reached by an implicit conversion.
  QualType T = Object->IgnoreParenImpCasts()->getType();
  if (T->isPointerType())
    T = T->getPointeeType();
  return T->getAsCXXRecordDecl();
}

bool Names::isSystem(const Decl *D) const {
  return SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation()));
}

const std::string &Names::usr(const NamedDecl *D) {
  if (const auto *F = llvm::dyn_cast<FunctionDecl>(D))
    D = writtenDecl(F);
  else
    D = llvm::cast<NamedDecl>(D->getCanonicalDecl());
  std::string &Known = Usrs[D];
  if (!Known.empty())
    return Known;
  llvm::SmallString<128> Buffer;
  if (index::generateUSRForDecl(D, Buffer))
    Buffer = qualifiedName(D);
  Known = Buffer.str().str();
  // Lambdas of one function would all have the same name.
  if (const auto *F = llvm::dyn_cast<FunctionDecl>(D))
    for (const CXXRecordDecl *Class : callables(F))
      if (Class->isLambda())
        Known += "@" + std::to_string(SM.getFileOffset(
                           SM.getExpansionLoc(Class->getLocation())));
  if (D->getFormalLinkage() == Linkage::Internal ||
      D->getFormalLinkage() == Linkage::None ||
      D->getFormalLinkage() == Linkage::UniqueExternal)
    Known += "@" + MainFile;
  return Known;
}

std::string Names::field(const FieldDecl *F) {
  // Several programs of a project may have classes of the same name.
  const FieldDecl *Written = F;
  if (const auto *Class = llvm::dyn_cast<CXXRecordDecl>(F->getParent()))
    if (const CXXRecordDecl *Pattern = Class->getTemplateInstantiationPattern())
      for (const FieldDecl *Same : Pattern->fields())
        if (Same->getFieldIndex() == F->getFieldIndex())
          Written = Same;
  PresumedLoc Presumed =
      SM.getPresumedLoc(SM.getExpansionLoc(Written->getLocation()));
  StringRef File = Presumed.isValid()
                       ? llvm::sys::path::filename(Presumed.getFilename())
                       : "";
  return "F:" + usr(Written) + "@" + File.str() + ":" +
         std::to_string(Presumed.isValid() ? Presumed.getLine() : 0);
}

/// Headers of CUDA and HIP, which are not system headers if the user put them
/// on an -I path.
static bool isCudaHeader(StringRef Path) {
  StringRef Name = llvm::sys::path::filename(Path);
  for (const catalogue::LibraryTraits &L : catalogue::libraryTraits())
    if (L.Space.empty() && Name.starts_with(L.Path.drop_front()) &&
        Name.ends_with(".h"))
      return true;
  return Path.contains("/thrust/") || Path.contains("/cub/") ||
         Path.contains("/hip/");
}

const catalogue::Row *Names::row(const FunctionDecl *F,
                                 const CXXRecordDecl *Object) {
  auto [It, New] = Rows.try_emplace({F, Object}, nullptr);
  if (!New)
    return It->second;
  SourceLocation Loc = SM.getExpansionLoc(F->getLocation());
  const bool Declared = SM.isInSystemHeader(Loc) ||
                        isCudaHeader(SM.getPresumedLoc(Loc).isValid()
                                         ? SM.getPresumedLoc(Loc).getFilename()
                                         : "");
  if (!Declared)
    return nullptr;
  const catalogue::Row *Row = catalogue::lookup(catalogueName(F, Object));
  if (!Row && Object)
    Row = catalogue::lookup(catalogueName(F));
  return Rows[{F, Object}] = Row;
}

} // namespace autoprof::audit
