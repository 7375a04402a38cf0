// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the expressions of a body that are sites, and records what happens
// there.
#pragma once

#include "audit/extract/Destroys.h"
#include "audit/extract/FunctionFlow.h"

#include <map>
#include <set>

namespace autoprof::audit {

struct SiteInfo {
  int Number;
  const clang::Expr *E;
  const catalogue::Row *Row; ///< Null: a kernel.
  const clang::FunctionDecl *Callee;
  ElementUse Use = ElementUse::Unknown;
};

/// The sites of a body, in the order of the text.
class SitesOfBody {
public:
  SitesOfBody(Shared &Unit, const Scopes &BodyScopes, const Evaluator &Values);

  const SiteInfo *find(const clang::Expr *E) const;
  llvm::ArrayRef<SiteInfo> all() const { return Found; }

  /// The number of a site whose value is GPU data, or -1.
  int resultOf(const clang::Expr *E) const;
  /// Whether it is a copy that may write to host memory, or stores a result
  /// there.
  bool bringsToHost(const SiteInfo &Site, const State &S) const;

  /// The cells that copies, kernels and called functions may read or write.
  llvm::ArrayRef<CellKey> cells() const { return Cells; }
  int cellNumber(const CellKey &C) const;

  /// The function that is called, or that an instantiation may call; null for a
  /// call through a pointer.
  const clang::FunctionDecl *calleeOf(const clang::CallExpr *Call) const;

private:
  void add(const clang::Expr *E, const Scopes &BodyScopes);
  void addCell(const clang::Expr *Arg);
  void addPassed(const clang::Expr *Call);
  ElementUse useOf(const clang::Expr *Element, const Scopes &BodyScopes);

  Shared &Unit;
  const Evaluator &Values;
  std::vector<SiteInfo> Found;
  llvm::DenseMap<const clang::Expr *, unsigned> Index;
  /// Conversions and assignments of elements; the element access is the site.
  llvm::DenseSet<const clang::Expr *> Covered;
  std::vector<CellKey> Cells;
  std::map<CellKey, int> CellNumbers;
};

/// Whether an argument for a parameter of type `T` leads to memory that the
/// callee may read or write: a pointer, reference or container of data.
bool leadsToCell(const clang::Expr *Arg, clang::QualType T);

/// Whether the compiler writes the function. What it calls is not followed.
bool isImplicit(const clang::FunctionDecl *Callee);

class Recorder {
public:
  Recorder(Shared &Unit, Scopes &BodyScopes, const SitesOfBody &Sites,
           const Evaluator &Values, Function &Out);

  void enter(Block &B) {
    Current = &B;
    CurrentScope = -1;
  }
  void expression(const clang::Expr *E, const State &S);
  void flow(const std::string &Slot, Value V);
  void use(const Sources &Data, Use::Kind Kind, const std::string &TargetSlot,
           const std::string &SinkName, const clang::Expr *Node,
           unsigned Into = 0);
  void written(const CellKey &C, const clang::Expr *Node, const State &S);
  void destroyed(const clang::VarDecl *V, const State &S);
  void destroyedField(const clang::FieldDecl *F, const State &S);
  void destroyedBase(const clang::CXXBaseSpecifier *Base);
  void destroyedTemporary(const clang::CXXBindTemporaryExpr *E);
  void deleted(const clang::CXXDeleteExpr *E, const State &S);
  void dies(const clang::VarDecl *V, const clang::Stmt *Node);
  void finish();

private:
  void event(Event::Kind Kind, unsigned Index, clang::SourceLocation Loc);
  void site(const SiteInfo &Info, const State &S);
  void feeds(const SiteInfo &Info, const State &S);
  void passed(const clang::Expr *Call, const clang::FunctionDecl *Callee);
  void fillKernel(const SiteInfo &Info, const State &S, Site &Out);
  void fillArguments(const SiteInfo &Info, const State &S, Site &Out);
  void fillStream(const clang::Expr *E, const State &S, Site &Dest);
  /// Without a state, its arguments are not those of the expression.
  void userCall(const clang::FunctionDecl *Callee, const clang::Expr *E,
                const State *S, bool Virtual = false, bool Uncertain = false);
  std::string paramSlot(const clang::ValueDecl *D) const;
  std::string passedFunction(const clang::Expr *E) const;
  std::string objectNamed(const clang::Expr *E, unsigned Depth = 0) const;
  std::string holderOf(const clang::Expr *Handle, unsigned Depth = 0) const;
  int cellOf(const clang::Expr *E) const;
  audit::Call::Argument argument(const clang::Expr *E, const State &S) const;
  void operatorCall(const clang::FunctionDecl *Callee, const clang::Expr *E,
                    const State &S);
  void call(const clang::CallExpr *Call, const State &S);
  void access(const clang::CallExpr *Call, const clang::FunctionDecl *Callee,
              const State &S);
  void reads(const clang::Expr *E, const State &S);
  void touches(const clang::Expr *Object, const State &S, bool Writes);
  void touches(Value Memory, const clang::Expr *Named, bool Writes);
  void accesses(const clang::Expr *E);
  void accessed(const clang::Expr *Object);
  void decision(const clang::Expr *E, const State &S);
  /// Where an object is destroyed, and how it is named there.
  struct End {
    clang::SourceLocation Loc;
    int Scope;
    bool Uncertain = false; ///< Its content may have been moved.
    bool IsOwner = true;    ///< Not one of several shared owners.
  };
  void destroy(clang::QualType T, const std::string &Name, const Value &Holds,
               const clang::ValueDecl *Object, const End &At);
  void record(const std::vector<Destruction> &Parts, const End &At);
  void emptied(const clang::CallExpr *Call, const clang::FunctionDecl *Callee,
               const State &S);
  void throughPointer(const clang::CallExpr *Call, std::string Type,
                      const State &S);
  void hiddenSite(const catalogue::Row &Row, clang::SourceLocation Loc,
                  int Scope, const std::string &Name, const Value &Holds);
  int scopeOf(const clang::Expr *E) const;

  Shared &Unit;
  Scopes &BodyScopes;
  const SitesOfBody &Sites;
  const Evaluator &Values;
  Function &Out;
  Block *Current = nullptr;
  int CurrentScope = -1; ///< Of the next event.
  llvm::DenseMap<std::pair<const clang::Expr *, const clang::FunctionDecl *>,
                 unsigned>
      CallNumbers;
  /// Variables and fields whose content, or an element of it, is moved or
  /// returned.
  llvm::DenseSet<const clang::ValueDecl *> Moved, Returned;
  std::map<std::string, unsigned> Hidden; ///< By name and place.
  std::set<std::string> KnownUses;
  std::set<std::tuple<const Block *, std::string, bool>> KnownTouches;
  std::map<const clang::Expr *, const Scopes::Decision *> Decisions;
};

} // namespace autoprof::audit
