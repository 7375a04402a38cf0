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

int paramIndex(const VarDecl *V, const FunctionDecl *F) {
  const auto *P = llvm::dyn_cast_or_null<ParmVarDecl>(V);
  const unsigned I = P ? P->getFunctionScopeIndex() : 0;
  return P && F && I < F->getNumParams() && F->getParamDecl(I) == P ? int(I)
                                                                    : -1;
}

/// Whether clang's USR may be that of other functions as well: of other lambdas
/// in the same macro, of other instantiations.
static bool needsMangledName(const FunctionDecl *F) {
  if (F->isDependentContext())
    return false;
  if (F->isFunctionTemplateSpecialization())
    return true;
  for (const DeclContext *C = F->getDeclContext(); C; C = C->getParent())
    if (llvm::isa<FunctionDecl, ClassTemplateSpecializationDecl>(C) ||
        (llvm::isa<CXXRecordDecl>(C) &&
         llvm::cast<CXXRecordDecl>(C)->isLambda()))
      return true;
  return false;
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

std::string Names::mangled(const FunctionDecl *F) {
  ASTContext &Context = F->getASTContext();
  if (!Mangler)
    Mangler.reset(Context.createMangleContext());
  GlobalDecl Complete;
  if (const auto *Constructor = llvm::dyn_cast<CXXConstructorDecl>(F))
    Complete = GlobalDecl(Constructor, Ctor_Complete);
  else if (const auto *Destructor = llvm::dyn_cast<CXXDestructorDecl>(F))
    Complete = GlobalDecl(Destructor, Dtor_Complete);
  else
    Complete = GlobalDecl(F);
  // The compilation may go on, and must not fail because of a name.
  DiagnosticsEngine &Messages = Context.getDiagnostics();
  const bool Silent = Messages.getSuppressAllDiagnostics();
  Messages.setSuppressAllDiagnostics(true);
  std::string Result;
  llvm::raw_string_ostream OS(Result);
  Mangler->mangleName(Complete, OS);
  Messages.setSuppressAllDiagnostics(Silent);
  return Result;
}

const std::string &Names::usr(const NamedDecl *D) {
  D = llvm::cast<NamedDecl>(D->getCanonicalDecl());
  std::string &Known = Usrs[D];
  if (!Known.empty())
    return Known;
  const auto *F = llvm::dyn_cast<FunctionDecl>(D);
  llvm::SmallString<128> Buffer;
  if (F && needsMangledName(F))
    Known = mangled(F);
  else if (index::generateUSRForDecl(D, Buffer))
    Known = qualifiedName(D);
  else
    Known = Buffer.str().str();
  const Linkage Formal = D->getFormalLinkage();
  if (F ? !F->isExternallyVisible()
        : Formal == Linkage::Internal || Formal == Linkage::None ||
              Formal == Linkage::UniqueExternal)
    Known += "@" + MainFile;
  return Known;
}

std::string Names::slotOf(const ValueDecl *D) {
  if (const auto *Field = llvm::dyn_cast<FieldDecl>(D))
    return field(Field);
  const auto *V = llvm::dyn_cast<VarDecl>(D);
  return V && V->hasGlobalStorage() ? global(V) : "";
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
