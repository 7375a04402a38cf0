// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/ast/LibraryNames.h"

#include "catalogue/LibraryTraits.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::source {

namespace {

StringRef unqualified(const NamedDecl *D, std::string &Storage) {
  if (const auto *Constructor = llvm::dyn_cast<CXXConstructorDecl>(D))
    return Constructor->getParent()->getName();
  if (llvm::isa<CXXConversionDecl>(D))
    return "operator value_type";
  if (llvm::isa<CXXDestructorDecl>(D))
    return Storage =
               "~" + llvm::cast<CXXMethodDecl>(D)->getParent()->getName().str();
  if (const IdentifierInfo *Name = D->getIdentifier())
    return Name->getName();
  return Storage = D->getDeclName().getAsString();
}

/// The outermost named namespace, or "".
StringRef outermostNamespace(const Decl *D) {
  StringRef Name;
  for (const DeclContext *C = D->getDeclContext(); C; C = C->getParent())
    if (const auto *N = llvm::dyn_cast<NamespaceDecl>(C))
      Name = N->getName();
  return Name;
}

bool isAnyLibrarys(StringRef Namespace) {
  return llvm::any_of(catalogue::libraryTraits(), [Namespace](const auto &L) {
    return !L.Space.empty() && L.Space == Namespace;
  });
}

const catalogue::Row *rowOfLibrary(StringRef Name, SourceLocation Loc,
                                   const SourceManager &SM) {
  const catalogue::Row *Row = catalogue::lookup(Name);
  return Row && isDeclaredByLibrary(Loc, Row->Library, SM) ? Row : nullptr;
}

/// Goes from a class to the base that declares the method; the name that users
/// write is the most derived one in the catalogue.
const catalogue::Row *rowOfMethod(const CXXRecordDecl *Class,
                                  const CXXRecordDecl *Declaring,
                                  StringRef Name, const SourceManager &SM) {
  if (isAnyLibrarys(outermostNamespace(Class)))
    if (const catalogue::Row *Row = rowOfLibrary(
            libraryName(Class) + "::" + Name.str(), Class->getLocation(), SM))
      return Row;
  const CXXRecordDecl *Definition = Class->getDefinition();
  if (!Definition || Class->getCanonicalDecl() == Declaring)
    return nullptr;
  for (const CXXBaseSpecifier &Base : Definition->bases())
    if (const CXXRecordDecl *B = classOf(Base.getType()))
      if (const catalogue::Row *Row = rowOfMethod(B, Declaring, Name, SM))
        return Row;
  return nullptr;
}

} // namespace

std::string libraryName(const NamedDecl *D) {
  std::string Storage, Name = unqualified(D, Storage).str();
  for (const DeclContext *C = D->getDeclContext(); C; C = C->getParent()) {
    const auto *N = llvm::dyn_cast<NamespaceDecl>(C);
    if (N ? !N->isInlineNamespace() && !N->isAnonymousNamespace()
          : llvm::isa<RecordDecl>(C))
      Name = llvm::cast<NamedDecl>(C)->getName().str() + "::" + Name;
  }
  return Name;
}

bool isDeclaredByLibrary(SourceLocation Loc, StringRef Library,
                         const SourceManager &SM) {
  Loc = SM.getExpansionLoc(Loc);
  if (SM.isInSystemHeader(Loc))
    return true;
  const PresumedLoc Presumed = SM.getPresumedLoc(Loc);
  if (Presumed.isInvalid() || SM.isInMainFile(Loc))
    return false;
  const StringRef Path = Presumed.getFilename();
  return llvm::any_of(catalogue::libraryTraits(), [&](const auto &L) {
    return L.Name == Library &&
           (Path.contains(L.Path) || Path.starts_with(L.Path.drop_front()));
  });
}

const catalogue::Row *libraryRow(const FunctionDecl *F,
                                 const CXXRecordDecl *Object,
                                 const SourceManager &SM) {
  const DeclContext *Context = F->getDeclContext()->getRedeclContext();
  if (Context->isTranslationUnit()) {
    const IdentifierInfo *Name = F->getIdentifier();
    return Name ? rowOfLibrary(Name->getName(), F->getLocation(), SM) : nullptr;
  }
  if (!isAnyLibrarys(outermostNamespace(F)))
    return nullptr;
  const auto *Method = llvm::dyn_cast<CXXMethodDecl>(F);
  if (!Method)
    return rowOfLibrary(libraryName(F), F->getLocation(), SM);
  std::string Storage;
  return rowOfMethod(Object ? Object : Method->getParent(),
                     Method->getParent()->getCanonicalDecl(),
                     unqualified(Method, Storage), SM);
}

const catalogue::Row *libraryRow(const CXXRecordDecl *Class, StringRef Name,
                                 const SourceManager &SM) {
  return rowOfMethod(Class, nullptr, Name, SM);
}

const CXXRecordDecl *classOf(QualType Type) {
  if (Type.isNull())
    return nullptr;
  Type = Type.getNonReferenceType().getCanonicalType();
  if (const CXXRecordDecl *Class = Type->getAsCXXRecordDecl())
    return Class;
  const auto *Template = Type->getAs<TemplateSpecializationType>();
  const auto *Class = Template
                          ? llvm::dyn_cast_or_null<ClassTemplateDecl>(
                                Template->getTemplateName().getAsTemplateDecl())
                          : nullptr;
  return Class ? Class->getTemplatedDecl() : nullptr;
}

namespace {
class DeviceSearch {
  llvm::SmallPtrSet<const CXXRecordDecl *, 16>
      Seen; ///< A base may name its derived class.

public:
  bool find(QualType Type) {
    if (Type.isNull() || Type->isDependentType())
      return true;
    const CXXRecordDecl *Class = classOf(Type);
    return Class && Seen.insert(Class).second &&
           (isDevices(Class) || inArguments(Class) || inBases(Class));
  }

private:
  static bool isDevices(const CXXRecordDecl *Class) {
    // The namespace of the back end, and the policies of RMM.
    for (const DeclContext *C = Class->getDeclContext(); C; C = C->getParent())
      if (const auto *N = llvm::dyn_cast<NamespaceDecl>(C))
        if (N->getName() == "cuda_cub" || N->getName() == "rmm")
          return true;
    return Class->getIdentifier() && (Class->getName() == "device_ptr" ||
                                      Class->getName() == "device_reference");
  }

  bool inArguments(const CXXRecordDecl *Class) {
    const auto *S = llvm::dyn_cast<ClassTemplateSpecializationDecl>(Class);
    return S && llvm::any_of(S->getTemplateArgs().asArray(),
                             [this](const TemplateArgument &A) {
                               return A.getKind() == TemplateArgument::Type &&
                                      find(A.getAsType());
                             });
  }

  bool inBases(const CXXRecordDecl *Class) {
    const CXXRecordDecl *Definition = Class->getDefinition();
    return Definition && llvm::any_of(Definition->bases(),
                                      [this](const CXXBaseSpecifier &Base) {
                                        return find(Base.getType());
                                      });
  }
};
} // namespace

bool mayBeOnDevice(QualType Type) { return DeviceSearch().find(Type); }

} // namespace autoprof::source
