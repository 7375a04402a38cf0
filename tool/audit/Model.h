// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The audit's model of one translation unit.
// Plain data, without pointers into clang: it can be stored, read back, and
// merged with that of other translation units (Link.h). Rules read only the
// merged data, so the plugin, which sees one translation unit, and the
// project-wide audit use the same rules.
//
// A function is reduced to what happens in it: sites (calls of the catalogue),
// calls of other functions, the loops and conditions around them (scopes), and
// the control flow between them (blocks of events).
//
// Facts that one function determines and another uses go through slots, named
// cells that the whole project shares:
//   P:<function>#i  what the i-th parameter is or points to
//   O:<function>#i  what the function stores through its i-th parameter
//   R:<function>    what the function returns
//   F:<field>       what a field holds, in any object
//   G:<variable>    what a global variable holds
// A Flow means "this value may be stored in that slot"; Link.cpp joins them.
#pragma once

#include "catalogue/Facts.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace autoprof::audit {

/// The name of a file. A model has hundreds of thousands of places in few
/// files, so each name is kept once, as long as the process runs. Names are
/// made in one thread.
class FileName {
  static const std::string None;
  const std::string *Text = &None;

public:
  FileName() = default;
  FileName(llvm::StringRef Text);
  FileName(const std::string &Text) : FileName(llvm::StringRef(Text)) {}
  FileName(const char *Text) : FileName(llvm::StringRef(Text)) {}

  const std::string &str() const { return *Text; }
  operator const std::string &() const { return *Text; }
  operator llvm::StringRef() const { return *Text; }
  bool empty() const { return Text->empty(); }
  friend bool operator==(FileName A, FileName B) { return A.Text == B.Text; }
  friend bool operator!=(FileName A, FileName B) { return A.Text != B.Text; }
  friend bool operator<(FileName A, FileName B) { return *A.Text < *B.Text; }
  friend std::string operator+(FileName A, llvm::StringRef B) {
    return *A.Text + B.str();
  }
};

/// A position in the original text. Line and Column start at 1; 0: no position.
struct Place {
  FileName File; ///< Absolute.
  unsigned Line = 0, Column = 0;
  unsigned Offset = 0; ///< In bytes.
};

/// The possible values of a pointer, a stream, a handle or a number: bits of
/// one of the enumerations of catalogue/Facts.h, and slots that other functions
/// store to.
struct Value {
  uint32_t Mask = 0;
  bool Unknown = false;           ///< Anything: Mask and Slots are meaningless.
  std::vector<std::string> Slots; ///< Slots; sorted, no duplicates.
  Place Location; ///< Place of the allocation or creation, if known.

  static Value fromMask(uint32_t Mask) { return {Mask, false, {}, {}}; }
  static Value anything() { return {0, true, {}, {}}; }
  static Value fromSlot(std::string Slot) {
    return {0, false, {std::move(Slot)}, {}};
  }
  /// Whether nothing was ever stored.
  bool isNothing() const { return !Mask && !Unknown && Slots.empty(); }
};

/// The value that may be either. Keeps the first known place.
Value join(Value A, const Value &B);
bool operator==(const Value &A, const Value &B);

/// What the source computes: a number, a truth value or whether a pointer is
/// null, as far as it is followed. A path gives parameters their values, so a
/// condition or a trip count may be known on one path and not on another
/// (walk/Evaluate.h).
struct Term {
  enum Kind : uint8_t {
    Opaque,   ///< Anything, and perhaps another value at each evaluation.
    Element,  ///< The same: of an array or a list. Parts: its index.
    Constant, ///< Number.
    NonNull,  ///< The address of something: true, and not 0.
    Status,   ///< Whether a call of the GPU's API failed. False: it did not.
    Param,    ///< Number: a parameter that keeps its value in the function.
    Local,    ///< A variable that is not followed. Number: the innermost loop
              ///< (index of Function::Scopes) that changes it; -1: none does.
    Counter,  ///< The same, if the loop only counts it or goes through a list
              ///< with it: each run of the loop takes the same values.
    Usually,  ///< Number, unless a condition has given the part another value.
    Depends,  ///< Not followed, but the same as long as the parts are.
    Slot,     ///< Name: a field or a global variable, "F:..." or "G:...".
    Result,   ///< Name: what a function of the project returns (its USR);
              ///< Parts: the arguments.
    Not,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    BitAnd,
    Both,   ///< Two or more parts: &&.
    Either, ///< The same: ||.
    Less,
    Equal,
    Least, ///< The smallest of the parts.
    Most
  };
  Kind Class = Opaque;
  int64_t Number = 0;
  std::string Name;
  std::vector<Term> Parts;

  static constexpr const char *Environment = "E:"; ///< A slot; null if unset.
  static Term constant(int64_t N) { return {Constant, N, {}, {}}; }
  static Term of(Kind K, std::vector<Term> Parts) {
    return {K, 0, {}, std::move(Parts)};
  }
  bool isOpaque() const { return Class == Opaque || Class == Element; }
};
bool operator==(const Term &A, const Term &B);

/// What an operation of two numbers gives; none if it is not defined.
std::optional<int64_t> compute(Term::Kind Operation, int64_t A, int64_t B);

/// A loop or a condition around code. The parent is the next enclosing one of
/// the same function; -1: none.
struct Scope {
  enum Kind : uint8_t {
    Loop,
    Condition,
    Error, ///< if (status != cudaSuccess), or a branch that gives up: it
           ///< throws, ends the program, or returns an error; a handler.
    Once   ///< Once per run of the program: call_once, a static variable.
  };
  /// How code under a condition always ends.
  enum Exit : uint8_t {
    Stays,
    EndsIteration, ///< `continue`.
    EndsLoop,      ///< `break`.
    EndsCall       ///< `return`.
  };
  int Parent = -1;
  Kind Class = Condition;
  Exit Ends = Stays;
  Place Location;
  Place Decided;    ///< Where its condition begins, if it has one.
  std::string Text; ///< The condition as written, shortened.
  /// For a condition: what holds in it. For a loop: the largest number of its
  /// iterations.
  Term When;
  /// For a condition: it is the code after a branch that ends the iteration or
  /// the call, which Left says; otherwise Stays.
  Exit Left = Stays;
  unsigned End = 0; ///< Offset of its end, in the file of Location.
};

/// One argument of a site.
struct Arg {
  std::string Text; ///< As written.
  Value Val;
  int Cell = -1; ///< The variable that it names or points into, or -1.
  Term Number;   ///< If it is a number, or a pointer that may be null.
  /// It is a pointer through which the callee may write, and not volatile.
  bool MayWrite = false;
  /// If it is a stream or an event: the object that has or returns it, as
  /// Call::On.
  std::string Of;
};

struct KnownFact {
  catalogue::Fact Subject;
  Value Val;
};

/// A call of the catalogue.
struct Site {
  uint64_t Id = 0;    ///< As in site tables (source/project/Site.h).
  std::string Row;    ///< Name of the catalogue's general row; "": a kernel.
  std::string Callee; ///< As a user would write it.
  std::string Kernel; ///< USR of the kernel, for a launch.
  Place Location;
  bool IsStatement = false; ///< Its result is not used.
  int Scope = -1;
  std::vector<Arg> Args;
  std::vector<KnownFact> Facts;
  /// The stream argument: as written ("": none), and its possible values.
  std::string Stream;
  Value StreamVal;
  std::string StreamOf; ///< As Arg::Of.
  bool Hidden = false;  ///< It has no call in the text: a destructor.
};

/// A call of a user's function.
struct Call {
  /// The function that it may call; for a virtual call, the one named.
  std::string Callee;
  std::string Name; ///< "Trainer::step".
  Place Location;
  int Scope = -1;
  bool Virtual = false; ///< An overrider may be called instead.
  /// The object of which it calls a member, if the caller always means the same
  /// one by that: "this", "this.stream", "#worker" (a variable of the caller),
  /// or "G:..."; otherwise "". After "~" in place of "." or "#", another name
  /// may mean the same object.
  std::string On;
  /// USR of the class that the object has or is derived from, if it is not the
  /// one that declares the member.
  std::string Object;
  /// The function is passed on, and may or may not be called.
  bool Uncertain = false;
  bool EndsObject = false; ///< It calls a destructor or a deleter.
  /// It gets a stream or a library's handle, and its name does not suggest that
  /// it only creates, destroys, sets or queries something.
  bool UsesStream = false;
  /// For a call through a pointer or a std::function: the canonical type of the
  /// function, "void (int)"; Callee is "". It may call every function of
  /// TranslationUnit::Stored with this type.
  std::string Through;
  /// The field, global variable or parameter that holds the pointer, or "":
  /// then only what it is assigned or given may be called, if that is known.
  std::string ThroughSlot;
  /// What each argument is; only of calls whose callee the project defines.
  struct Argument {
    Term Number;        ///< If it is a number, or a pointer that may be null.
    Value Val;          ///< If it is a pointer, a stream or a handle.
    int Cell = -1;      ///< The variable that it names or points into, or -1.
    std::string Handle; ///< If it is a stream or an event: as written.
    std::string Of;     ///< As Arg::Of.
    /// If it is a function, a lambda or a std::function: its USR, or the
    /// caller's parameter that it is; "": not known.
    std::string Function;
  };
  std::vector<Argument> Arguments;
};

/// A use of data that a site brought back to the host, or that a slot holds.
struct Use {
  enum Kind : uint8_t {
    Printed,
    Logged,
    Branch,
    LoopCondition,
    Configures, ///< A launch's grid, block or shared memory.
    Feeds,      ///< Input of a kernel or a library call: alpha, a count.
    Stored      ///< Stored in TargetSlot.
  };
  int Site = -1;    ///< Index of the site in this function; or,
  std::string Slot; ///< if Site is -1, the slot that held the data.
  Kind Class = Stored;
  /// SinkName: the function that prints it, such as "printf".
  std::string TargetSlot, SinkName;
  Place Location;
  int Scope = -1;
  /// If Slot is what a called function returned or stored through a parameter,
  /// or TargetSlot its parameter: the call, as its offset in the file plus 1.
  /// 0: any call. What one call is given does not leave from another.
  unsigned From = 0, Into = 0;
};

/// An event in a function, in the order of control flow.
struct Event {
  enum Kind : uint8_t {
    SiteReached, ///< Index: of Sites.
    CallMade,    ///< Index: of Calls.
    Read,        ///< Index: of Cells that an asynchronous copy may write.
    Written,     ///< Index: of Cells.
    Passed,      ///< Index: of Cells: passed to a user's function.
    Dies,        ///< Index: of Cells: the lifetime of its memory ends.
    Clock,       ///< The host's time is read.
    Blocks,      ///< It locks, sleeps, or waits for another thread or process.
    HandsOver,   ///< Another thread, process or API may use results from here.
    Touched,     ///< Index: of Touches.
    Accessed,    ///< The host accesses memory that is no cell's.
    UnknownCall ///< A call of code that is not visible, outside system headers.
  };
  Kind Class = SiteReached;
  unsigned Index = 0;
  Place Location;
  int Scope = -1; ///< The innermost one around it.
  /// For Touched; for Passed: as a pointer to const.
  bool ReadOnly = false;
};

struct Block {
  std::vector<Event> Events;
  std::vector<unsigned> Next; ///< None: the function returns.
  bool GivesUp = false; ///< It ends the program, throws or returns an error.
};

/// A variable whose memory copies or kernels read or write.
struct Cell {
  std::string Name;
  Place Location;
  bool Local = false;   ///< Its memory ends with its scope.
  bool Rebound = false; ///< The function makes it point to other memory.
  int Param = -1;       ///< The parameter that it is, or -1.
  std::string Slot;     ///< The field or global variable that it is, or "".
};

/// An access of the host to memory that the GPU may share: managed memory,
/// pinned memory, or what a slot holds.
struct Touch {
  Value Memory;
};

struct Flow {
  std::string Slot;
  Value Val;
};

/// Gives a field or a global variable that is a number, a truth value or a
/// pointer another value.
struct Assignment {
  enum Kind : uint8_t {
    Computes,
    Copies, ///< What a parameter or another field has.
    Begins  ///< Where an object is made.
  };
  std::string Slot;
  Term Value; ///< Opaque if it is not followed.
  Kind Class = Computes;
  /// Under a condition that asks for something else, or by name: an option.
  bool Sometimes = false;
  bool IsFlag = false; ///< The slot is a truth value.
  int Scope = -1;      ///< The innermost one around it.
};
bool operator==(const Assignment &A, const Assignment &B);

struct Function {
  /// Unique in a program: each instantiation of a template, and each explicit
  /// specialization, has its own.
  std::string Usr;
  std::string Name; ///< "Trainer::step".
  Place Location;
  bool Unread = false; ///< It has errors, and nothing is known about it.
  std::vector<std::string> Overrides; ///< USRs.
  std::string Class; ///< USR of the class of a virtual function, or "".
  std::vector<Scope> Scopes;
  std::vector<Site> Sites;
  std::vector<Call> Calls;
  std::vector<Use> Uses;
  std::vector<Cell> Cells;
  std::vector<Touch> Touches;
  Term Result; ///< What it returns, if its only statement returns that.
  std::string ResultOf; ///< If that is a stream or an event: as Arg::Of.
  std::vector<Assignment> Assigns;
  std::vector<Block> Blocks; ///< The first one is the entry.
  std::vector<Flow> Flows;   ///< What it stores in slots.
};

/// A function or a lambda whose address is taken, or which is stored.
struct StoredFunction {
  std::string Type; ///< As Call::Through, or Call::ThroughSlot.
  std::string Usr;
};

/// A class with virtual functions.
struct Class {
  std::string Usr;
  std::vector<std::string> Bases; ///< USRs.
  bool Abstract = false;          ///< There are no objects of it.
};

struct TranslationUnit {
  std::string MainFile; ///< Absolute.
  std::string Root;     ///< Paths are shown relative to this folder.
  /// Units that were read with one SharedFunctions share those of headers.
  std::vector<std::shared_ptr<const Function>> Functions;
  std::vector<Flow> Flows; ///< Of variables and fields that are initialized.
  /// The same for numbers and truth values; static variables begin with 0.
  std::vector<Assignment> Initial;
  /// USRs of functions that it names but does not define.
  std::vector<std::string> Elsewhere;
  std::vector<StoredFunction> Stored;
  std::vector<Class> Classes;
  bool PerThreadStream = false; ///< Stream 0 is the per-thread stream.
  bool Hip = false;             ///< The unit is written for HIP.
};

/// An event of a function, by its block and its position in the block.
struct EventRef {
  unsigned Block, Index;
};

/// The events of a site or a call; more than one if clang duplicates code.
std::vector<EventRef> eventsOf(const Function &F, Event::Kind Kind,
                               unsigned Index);

/// The functions of all units of a project: what is the same in many, such as
/// those of headers, is kept once. By a hash of their bytes.
using SharedFunctions =
    std::map<std::pair<uint64_t, uint64_t>, std::shared_ptr<const Function>>;

/// Returns bytes for decode(), which are valid for one version of autoprof.
std::string encode(const TranslationUnit &TU);
/// Returns none if the bytes are damaged or of another version.
std::optional<TranslationUnit> decode(const std::string &Bytes,
                                      SharedFunctions &Known);

} // namespace autoprof::audit
