// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry point for clang. Probes are added to the syntax tree after the
// translation unit is parsed and before code is generated for it. Only the host
// side gets probes, because they are host code.
#include "config/Suggestion.h"
#include "source/SiteFinder.h"
#include "source/syntax/DelayedConsumer.h"
#include "source/syntax/Weaver.h"
#include "support/LLVMVersion.h"

#include "clang/Basic/Version.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

using namespace clang;
using namespace autoprof::source;
using llvm::StringRef;

namespace autoprof::plugin {

namespace {

void fail(const CompilerInstance &CI, const llvm::Twine &Message) {
  DiagnosticsEngine &Diags = CI.getDiagnostics();
  Diags.Report(Diags.getCustomDiagID(DiagnosticsEngine::Error, "autoprof: %0"))
      << Message.str();
}

/// -fplugin-arg-autoprof-<name>=<value>.
struct Arguments {
  RewriteOptions Rewrite;
  bool List = false;
  bool NvccCompat = false; ///< Compile with autoprof/nvcc_compat.h.
  std::string EmitFolder;  ///< Empty: none.
};

//===-- What the plugin writes on request ---------------------------------===//

template <typename PlaceT>
void printPlace(const PlaceT &P, llvm::raw_ostream &OS) {
  OS << P.Location.File << ':' << P.Location.Line << ':' << P.Location.Column
     << ": " << P.Kind;
  if (!P.Callee.empty())
    OS << ' ' << P.Callee;
  if (!P.Function.empty())
    OS << " in " << P.Function;
}

void printReason(const source::Skipped &S, StringRef Location,
                 llvm::raw_ostream &OS) {
  printPlace(S, OS);
  OS << ": " << Location << ": " << S.Reason << '\n';
}

/// Prints one line for each probe, in the order of the source, then one for
/// each place without a probe, and one for each probe that is missing in
/// `Text`, the emitted text.
void printList(const source::Rewriting &R, const source::Rewriting &Text,
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
llvm::Error writeFiles(const source::Rewriting &R, StringRef Folder,
                       const clang::FileManager &Files) {
  const source::Project Project(R.Root);
  for (const source::EditedFile &F : R.Files) {
    llvm::SmallString<256> Path(Folder);
    llvm::sys::path::append(Path, Project.relative(source::UserFiles::absolute(
                                      F.File.getName(), Files)));
    if (std::error_code E = llvm::sys::fs::create_directories(
            llvm::sys::path::parent_path(Path)))
      return llvm::createStringError("cannot write " + Path + ": " +
                                     E.message());
    if (llvm::Error E = llvm::writeToOutput(Path, [&](llvm::raw_ostream &Out) {
          Out << F.rewritten();
          return llvm::Error::success();
        }))
      return E;
  }
  return llvm::Error::success();
}

/// Makes the compilation include `Header` before any other file. Messages count
/// the includes as lines of "<built-in>", from 1.
void includeFirst(Preprocessor &PP, StringRef Header) {
  std::string Text = PP.getPredefines();
  size_t Pos = Text.find("\n#include \"");
  Pos = Pos == std::string::npos ? Text.size() : Pos + 1;
  PP.setPredefines(
      Text.insert(Pos, ("#include \"" + Header + "\"\n#line 1\n").str()));
}

/// Includes autoprof/probe.h before everything else and, when the translation
/// unit is parsed, adds probes to its syntax tree. A translation unit with
/// errors does not change.
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

  CompilerInstance &CI;
  const Arguments Args;
};

/// Makes the insertions as text.
Rewriting Instrumenter::emit(llvm::ArrayRef<Decl *> Users, SiteFinder &Finder) {
  Rewriting Text = Finder.findAsText(Users);
  if (llvm::Error E = writeFiles(Text, Args.EmitFolder, CI.getFileManager()))
    fail(CI, llvm::toString(std::move(E)));
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

//===-- The action --------------------------------------------------------===//

/// <folder of this library>/../include/autoprof/<Name>, or "".
std::string header(StringRef Name) {
  static const char Anchor = 0;
  Dl_info Info;
  llvm::SmallString<256> Path;
  if (!dladdr(&Anchor, &Info) || llvm::sys::fs::real_path(Info.dli_fname, Path))
    return "";
  llvm::sys::path::remove_filename(Path);
  llvm::sys::path::append(Path, "..", "include", "autoprof", Name);
  llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return llvm::sys::fs::exists(Path) ? Path.str().str() : "";
}

/// The actions that compile or check a translation unit. The others make
/// precompiled headers and modules, whose text is not the program's, or print
/// something.
bool isCompilation(frontend::ActionKind Action) {
  switch (Action) {
  case frontend::EmitAssembly:
  case frontend::EmitBC:
  case frontend::EmitLLVM:
  case frontend::EmitLLVMOnly:
  case frontend::EmitCodeGenOnly:
  case frontend::EmitObj:
  case frontend::ParseSyntaxOnly:
    return true;
  default:
    return false;
  }
}

StringRef mainName(const CompilerInstance &CI) {
  return CI.getFrontendOpts().Inputs[0].getFile();
}

/// Why this input gets no probes, if the user should know.
StringRef unsupported(const CompilerInstance &CI) {
  if (!CI.getFrontendOpts().Inputs[0].isFile() || mainName(CI) == "-")
    return "standard input has no name that could identify its sites";
  if (CI.getLangOpts().ObjC || CI.getLangOpts().OpenCL)
    return "probes need C, C++, CUDA or HIP";
  const SourceManager &SM = CI.getSourceManager();
  const StringRef Text = SM.getBufferData(SM.getMainFileID());
  if (source::isModuleUnit(Text, CI.getLangOpts()))
    return "it is a module unit of C++20, before which autoprof/probe.h cannot "
           "be included";
  if (source::isAnnotated(Text))
    return "it already contains the probes of an annotated tree "
           "(autoprof/annotated.h)";
  return "";
}

bool isHostCompilation(const CompilerInstance &CI) {
  const FrontendOptions &Options = CI.getFrontendOpts();
  return isCompilation(Options.ProgramAction) && Options.Inputs.size() == 1 &&
         Options.Inputs[0].getKind().getFormat() == InputKind::Source &&
         !CI.getLangOpts().CUDAIsDevice &&
         !CI.getDiagnosticOpts().VerifyDiagnostics;
}

/// Includes it after clang's own CUDA headers and before the main file.
void includeCompat(CompilerInstance &CI) {
  const std::string Header = header("nvcc_compat.h");
  if (Header.empty())
    return fail(CI, "include/autoprof/nvcc_compat.h is missing next to the "
                    "plugin's folder; install autoprof again");
  Preprocessor &PP = CI.getPreprocessor();
  PP.setPredefines(PP.getPredefines() + "#include \"" + Header + "\"\n");
}

/// Makes `File` a dependency (-MD) of the output. The main file must be the
/// first dependency, so this one is added last, before the list is written.
class DependOn : public PPCallbacks {
  CompilerInstance &CI;
  std::string File;

public:
  DependOn(CompilerInstance &CI, std::string File)
      : CI(CI), File(std::move(File)) {}

  void EndOfMainFile() override { addDependency(CI, File); }
};

class InstrumentAction : public PluginASTAction {
public:
  ActionType getActionType() override { return AddBeforeMainAction; }

  bool ParseArgs(const CompilerInstance &CI,
                 const std::vector<std::string> &Args) override;

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef) override {
    if (Args.NvccCompat && CI.getLangOpts().CUDA && !CI.getLangOpts().HIP)
      includeCompat(CI);
    if (isHostCompilation(CI) && !ConfigFile.empty())
      CI.getPreprocessor().addPPCallbacks(
          std::make_unique<DependOn>(CI, ConfigFile));
    if (isEnabled(CI))
      return instrument(CI);
    return std::make_unique<ASTConsumer>();
  }

private:
  bool isEnabled(CompilerInstance &CI);
  std::unique_ptr<ASTConsumer> instrument(CompilerInstance &CI);

  Arguments Args;
  std::string ConfigFile; ///< The project's file, or "".
};

/// The major version of the host: 22 for "Ubuntu Clang 22.1.8 (++2026...)".
unsigned hostMajor() {
  const std::string Version = getClangFullCPPVersion();
  unsigned Major = 0;
  StringRef(Version).split("lang ").second.consumeInteger(10, Major);
  return Major;
}

/// The folder of the main file, "" without one.
std::string mainFolder(const CompilerInstance &CI) {
  const FrontendOptions &Options = CI.getFrontendOpts();
  if (Options.Inputs.size() != 1 || !Options.Inputs[0].isFile())
    return "";
  llvm::SmallString<256> Path(mainName(CI));
  llvm::sys::fs::make_absolute(Path);
  llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return llvm::sys::path::parent_path(Path).str();
}

/// Ends the compilation. Another version of clang lacks symbols that this
/// plugin uses, including those of its diagnostics, so nothing of clang is
/// called here.
[[noreturn]] void refuseHost(unsigned Major) {
  std::fprintf(stderr,
               "error: autoprof: this plugin was built for clang %d, and this "
               "is clang %u: compile with clang++-%d, or build autoprof with "
               "LLVM %u\n",
               LLVM_VERSION_MAJOR, Major, LLVM_VERSION_MAJOR, Major);
  std::_Exit(1);
}

llvm::Error unknownArgument(StringRef Name) {
  std::vector<StringRef> Names = {"list", "emit", "nvcc-compat"};
  for (const ConfigKey &K : configKeys())
    Names.push_back(K.Name);
  const std::string Closest = suggestion(Name, Names);
  return llvm::createStringError(
      "unknown argument '" + Name + "'" +
      (Closest.empty() ? "; known are " + llvm::join(Names, ", ") : Closest));
}

/// Arguments take precedence over the project's configuration. An error is one
/// sentence with the problem and the allowed values.
llvm::Expected<Arguments> parseArguments(const std::vector<std::string> &Args,
                                         Config Project) {
  Arguments Result;
  static_cast<Config &>(Result.Rewrite) = std::move(Project);
  for (StringRef Arg : Args) {
    const auto [Name, Value] = Arg.split('=');
    bool *Switch = Name == "list"          ? &Result.List
                   : Name == "nvcc-compat" ? &Result.NvccCompat
                                           : nullptr;
    if (const ConfigKey *Key = findConfigKey(Name)) {
      if (llvm::Error E = setConfig(*Key, Value, Result.Rewrite))
        return std::move(E);
    } else if (Switch && (Value == "on" || Value == "off")) {
      *Switch = Value == "on";
    } else if (Switch != nullptr) {
      return llvm::createStringError("invalid value '" + Value + "' for '" +
                                     Name + "'; use on or off");
    } else if (Name == "emit" && !Value.empty()) {
      Result.EmitFolder = Value.str();
    } else if (Name == "emit") {
      return llvm::createStringError("'emit' needs a folder: emit=DIR");
    } else {
      return unknownArgument(Name);
    }
  }
  return Result;
}

bool InstrumentAction::ParseArgs(const CompilerInstance &CI,
                                 const std::vector<std::string> &Given) {
  if (const unsigned Major = hostMajor(); Major != LLVM_VERSION_MAJOR)
    refuseHost(Major);
  const std::string Folder = mainFolder(CI);
  ConfigFile = findConfigFile(Folder);
  llvm::Expected<Config> Project = loadConfig(Folder);
  if (!Project) {
    fail(CI, toString(Project.takeError()));
    return false;
  }
  llvm::Expected<Arguments> Parsed = parseArguments(Given, std::move(*Project));
  if (!Parsed) {
    fail(CI, toString(Parsed.takeError()));
    return false;
  }
  Args = std::move(*Parsed);
  Args.Rewrite.LeaveAnnotated = true;
  return true;
}

/// Makes all decisions that need no parse.
bool InstrumentAction::isEnabled(CompilerInstance &CI) {
  std::optional<std::string> Disabled =
      llvm::sys::Process::GetEnv("AUTOPROF_DISABLE");
  if ((Disabled && !Disabled->empty() && *Disabled != "0") ||
      !isHostCompilation(CI))
    return false;
  StringRef Reason = unsupported(CI);
  if (!Reason.empty() && Args.List)
    llvm::errs() << mainName(CI) << ": not instrumented: " << Reason << '\n';
  return Reason.empty();
}

std::unique_ptr<ASTConsumer>
InstrumentAction::instrument(CompilerInstance &CI) {
  Args.Rewrite.ProbeHeader = header("probe.h");
  if (Args.Rewrite.ProbeHeader.empty())
    fail(CI, "include/autoprof/probe.h is missing next to the plugin's "
             "folder; install autoprof again");
  return std::make_unique<Instrumenter>(CI, Args);
}

} // namespace

} // namespace autoprof::plugin

static FrontendPluginRegistry::Add<autoprof::plugin::InstrumentAction>
    Registration("autoprof",
                 "puts probes around kernel launches and CUDA calls");
