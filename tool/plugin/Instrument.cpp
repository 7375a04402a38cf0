// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plugin/Instrument.h"

#include "source/SiteFinder.h"
#include "source/project/UserFiles.h"
#include "source/syntax/DelayedConsumer.h"
#include "source/syntax/Weaver.h"

#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace clang;
using namespace autoprof::source;

namespace autoprof::plugin {

//===-- What the plugin writes on request ---------------------------------===//

template <typename PlaceT>
static void printPlace(const PlaceT &P, llvm::raw_ostream &OS) {
  OS << P.Location.File << ':' << P.Location.Line << ':' << P.Location.Column
     << ": " << P.Kind;
  if (!P.Callee.empty())
    OS << ' ' << P.Callee;
  if (!P.Function.empty())
    OS << " in " << P.Function;
}

static void printReason(const source::Skipped &S, StringRef Location,
                        llvm::raw_ostream &OS) {
  printPlace(S, OS);
  OS << ": " << Location << ": " << S.Reason << '\n';
}

/// Prints one line for each probe, in the order of the source, then one for
/// each place without a probe, and one for each probe that is missing in
/// `Text`, the emitted text.
static void printList(const source::Rewriting &R, const source::Rewriting &Text,
                      llvm::raw_ostream &OS) {
  for (const source::Site &S : R.Sites) {
    printPlace(S, OS);
    OS << " [" << source::hex(S.Id) << "]\n";
  }
  for (const source::Skipped &S : R.NotInstrumented)
    printReason(S, "not instrumented", OS);
  for (const source::Skipped &S : Text.NotInstrumented)
    if (llvm::none_of(R.NotInstrumented, [&](const source::Skipped &Known) {
          return std::tie(S.Location.File, S.Location.Line, S.Location.Column,
                          S.Callee) ==
                 std::tie(Known.Location.File, Known.Location.Line,
                          Known.Location.Column, Known.Callee);
        }))
      printReason(S, "not in the emitted text", OS);
}

/// Writes each rewritten file to `Folder`, under its path from the project
/// root; a file outside the root under its absolute path.
static llvm::Error writeFiles(const source::Rewriting &R, StringRef Folder,
                              const clang::FileManager &Files) {
  const source::Project Project(R.Root);
  for (const source::EditedFile &F : R.Files) {
    llvm::SmallString<256> Path(Folder);
    llvm::sys::path::append(Path, Project.relative(source::UserFiles::absolute(
                                      F.File.getName(), Files)));
    std::error_code Failure =
        llvm::sys::fs::create_directories(llvm::sys::path::parent_path(Path));
    if (!Failure) {
      llvm::raw_fd_ostream Out(Path, Failure);
      if (!Failure) {
        Out << F.rewritten();
        Out.close();
        Failure = Out.error();
        Out.clear_error();
      }
    }
    if (Failure)
      return llvm::createStringError("cannot write " + Path + ": " +
                                     Failure.message());
  }
  return llvm::Error::success();
}

/// Makes the compilation include `Header` before any other file.
static void includeFirst(Preprocessor &PP, StringRef Header) {
  std::string Text = PP.getPredefines();
  size_t Pos = Text.find("\n#include \"");
  Pos = Pos == std::string::npos ? Text.size() : Pos + 1;
  PP.setPredefines(Text.insert(Pos, ("#include \"" + Header + "\"\n").str()));
}

namespace {

class Instrumenter : public ASTConsumer {
public:
  Instrumenter(CompilerInstance &CI, const Arguments &Args)
      : CI(CI), Args(Args) {}

  /// A precompiled header replaces what the preprocessor had been given
  /// earlier.
  void Initialize(ASTContext &) override {
    includeFirst(CI.getPreprocessor(), Args.Rewrite.ProbeHeader);
    DelayedConsumer::install(CI, [this](llvm::ArrayRef<Decl *> TopLevel) {
      return finish(TopLevel);
    });
  }

private:
  DelayedConsumer::Changes finish(llvm::ArrayRef<Decl *> TopLevel);
  Rewriting emit(llvm::ArrayRef<Decl *> Users, SiteFinder &Finder);
  void fail(llvm::Error E);

  CompilerInstance &CI;
  const Arguments Args;
};

/// Reports the error like the compiler's own.
void Instrumenter::fail(llvm::Error E) {
  DiagnosticsEngine &Diags = CI.getDiagnostics();
  Diags.Report(Diags.getCustomDiagID(DiagnosticsEngine::Error, "autoprof: %0"))
      << llvm::toString(std::move(E));
}

/// Makes the insertions as text.
Rewriting Instrumenter::emit(llvm::ArrayRef<Decl *> Users, SiteFinder &Finder) {
  Rewriting Text = Finder.findAsText(Users);
  if (llvm::Error E = writeFiles(Text, Args.EmitFolder, CI.getFileManager()))
    fail(std::move(E));
  return Text;
}

/// Removes sites without a node in the tree: they have no probe, so the table
/// must not list them.
void dropWithoutNode(Rewriting &R, const std::set<uint64_t> &Missing) {
  llvm::erase_if(R.Sites, [&](Site &S) {
    if (!Missing.count(S.Id))
      return false;
    R.NotInstrumented.push_back(
        {S.Kind, S.Location, S.Function, S.Callee,
         "the syntax tree has no place for a probe there"});
    return true;
  });
}

/// The definition in probe.h that every file with it has: a file without probes
/// does not need it.
const Decl *hooks(const ProbeNodes &Nodes) {
  const Decl *D = Nodes.hooks();
  while (D && !llvm::isa<TranslationUnitDecl>(D->getLexicalDeclContext()))
    D = llvm::cast<Decl>(D->getLexicalDeclContext());
  return D;
}

DelayedConsumer::Changes Instrumenter::finish(llvm::ArrayRef<Decl *> TopLevel) {
  ASTContext &Context = CI.getASTContext();
  const SourceManager &SM = CI.getSourceManager();
  std::optional<ProbeNodes> Nodes = ProbeNodes::of(Context);
  if (!Nodes || CI.getDiagnostics().hasErrorOccurred())
    return {};
  std::vector<Decl *> Users;
  llvm::copy_if(TopLevel, std::back_inserter(Users), [&](const Decl *D) {
    return !SM.isInSystemHeader(D->getLocation());
  });
  SiteFinder Finder(CI, Args.Rewrite);
  SyntaxPlan Plan(SM, Finder.files());
  Rewriting Found = Finder.find(Users, Plan);
  Rewriting Text;
  if (!Args.EmitFolder.empty())
    Text = emit(Users, Finder);
  if (!Plan.empty()) {
    Weaver Weave(Context, Plan, *Nodes, CI.getCodeGenOpts().CoverageMapping);
    for (Decl *D : Users)
      Weave.weave(D);
  }
  dropWithoutNode(Found, Plan.notFound());
  // Not clang's own warnings, which -Werror makes errors.
  if (!CI.getDiagnostics().getIgnoreAllWarnings())
    for (const std::string &Line : Found.Warnings)
      llvm::errs() << Line << '\n';
  if (Args.List)
    printList(Found, Text, llvm::errs());
  DelayedConsumer::Changes Result;
  if (Found.Sites.empty())
    Result.Dropped = hooks(*Nodes);
  for (const std::string &Rows : tableRows(Found.Sites, Args.Rewrite.Step))
    Result.Added.push_back(
        Nodes->table(Rows, SM.getLocForEndOfFile(SM.getMainFileID())));
  return Result;
}

} // namespace

std::unique_ptr<ASTConsumer> makeInstrumenter(CompilerInstance &CI,
                                              const Arguments &Args) {
  return std::make_unique<Instrumenter>(CI, Args);
}

} // namespace autoprof::plugin
