// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the audit knows of one translation unit
// --------------------------------------------
// Plain data, without a pointer into clang: it can be stored, read back, and
// merged with that of other translation units (Link.h). Rules read only the
// merged data, so the plugin, which sees one translation unit, and the
// project-wide audit share each of them.
//
// A function is reduced to what happens in it: sites (calls of the catalogue),
// calls of other functions, the loops and conditions around them (scopes), and
// the control flow between them (blocks of events).
//
// What one function decides and another uses goes through slots, named cells
// that the whole project shares:
//   P:<function>#i  what the i-th parameter points to, or is
//   O:<function>#i  what the function stores through its i-th parameter
//   R:<function>    what it returns
//   F:<field>       what a field holds, in any object
//   G:<variable>    what a global variable holds
// A Flow says "this value may be stored in that slot"; Link.cpp joins them.
#ifndef AUTOPROF_AUDIT_MODEL_H
#define AUTOPROF_AUDIT_MODEL_H

#include "catalogue/Facts.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace autoprof::audit {

/// A position in the original text. Line and Column are from 1; 0: nowhere.
struct Place {
  std::string File; ///< Absolute.
  unsigned Line = 0, Column = 0;
  unsigned Offset = 0; ///< In bytes, for fix-its.
};

/// Text that a fix-it may replace; Length 0: none may (inside a macro).
struct Range {
  Place Begin;
  unsigned Length = 0;
};

/// What a pointer, a stream, a handle or a number may be: bits of one of the
/// enumerations of catalogue/Facts.h, and what other functions store in slots.
struct Value {
  uint32_t Mask = 0;
  bool Unknown = false;           ///< Anything: Mask and From say nothing.
  std::vector<std::string> Slots; ///< Slots; sorted, no duplicates.
  Place Location;                 ///< Of the allocation or creation, if known.
  std::string Maker;              ///< "malloc", "std::vector": what made it.

  static Value fromMask(uint32_t Mask) { return {Mask, false, {}, {}, {}}; }
  static Value anything() { return {0, true, {}, {}, {}}; }
  static Value fromSlot(std::string Slot) {
    return {0, false, {std::move(Slot)}, {}, {}};
  }
  /// Nothing was ever stored.
  bool isNothing() const { return !Mask && !Unknown && Slots.empty(); }
};

/// Either of two. Keeps the first place that is known.
Value join(Value A, const Value &B);
bool operator==(const Value &A, const Value &B);

/// A number that is known, or is known where a parameter of the function is:
/// that one's value plus an offset.
struct Number {
  bool Known = false;
  int Param = -1; ///< -1: the number is the offset.
  int64_t Offset = 0;
};

/// A loop or a condition around code. The parent is the next one outwards, of
/// the same function; -1: none.
struct Scope {
  enum Kind : uint8_t {
    Loop,
    Condition,      ///< Of no kind below.
    DebugMacro,     ///< #ifdef DEBUG and the like.
    Verbose,        ///< if (verbose), if (logLevel > 1).
    ErrorPath,      ///< if (status != cudaSuccess), or a branch that gives up.
    EveryNth,       ///< if (i % 100 == 0), if (key == 'r').
    Once,           ///< if (i == 0), if (!handle) create(&handle).
    LeavesLoop,     ///< A branch that ends with `break`.
    LeavesFunction, ///< A branch that ends with `return`.
    Fails ///< The same, of what looks like a failure: callers stop, too.
  };
  int Parent = -1;
  Kind Class = Condition;
  Place Location;
  Place Decided;                ///< Where its condition begins, if it has one.
  std::string Text;             ///< The condition as written, shortened.
  std::optional<int64_t> Trips; ///< Of a loop: at most, if known.
  Number TripsOfCall;           ///< The same, where it depends on a parameter.
  bool Polls = false;       ///< A loop that only asks whether the GPU is done.
  bool OverDevices = false; ///< Its variable chooses the device.
  /// Of a loop: its counter is multiplied, or goes through a list. It tries
  /// sizes.
  bool Scales = false;
  /// Of a loop: it counts, and the GPU's work in it is the same each time, as
  /// far as its text tells.
  bool Repeats = false;
  unsigned End = 0; ///< Offset of its end, in the file of At.
  /// Of Once: the scope in which it happens once, -1 for the function's body,
  /// Ever for once in a run.
  int Until = Ever;
  /// Of Condition: the slot of the boolean that it asks for, and whether for
  /// its truth. What flows there is made of flags::*.
  std::string Asks;
  bool AsksIfTrue = true;

  static constexpr int Ever = -2;
};

/// What booleans in slots may be: bits of Value::Mask.
namespace flags {
enum : uint32_t {
  Seldom = 1u << 24, ///< True with every n-th iteration.
  Often = 1u << 25,  ///< Nothing is known of it.
  Never = 1u << 26   ///< False.
};
} // namespace flags

/// One argument of a site.
struct Arg {
  std::string Text; ///< As written.
  Range Extent;
  Value Val;
  int Cell = -1; ///< The variable that it is or points into, or -1.
  std::optional<int64_t> Constant;
  /// It names a variable that the innermost loop around changes.
  bool Moves = false;
  std::string Function; ///< USR, of a function or lambda handed over.
};

struct KnownFact {
  catalogue::Fact Subject;
  Value Val;
};

/// A call of the catalogue.
struct Site {
  uint64_t Id = 0;    ///< As in site tables (source/Site.h).
  std::string Row;    ///< Name of the catalogue's general row; "": a kernel.
  std::string Callee; ///< As a person writes it.
  std::string Kernel; ///< Its USR, of a launch.
  Place Location;
  Range Whole; ///< The call's text.
  /// What removes an explicit wait: a statement whose result nobody uses.
  Range Removal;
  int Scope = -1;
  std::vector<Arg> Args;
  std::vector<KnownFact> Facts;
  /// The stream that it is given: as written ("": none), and what it may be.
  std::string Stream;
  Value StreamVal;
  /// Of a local variable that is never assigned to, in a function that waits
  /// for the device: where its name stands for it.
  Range StreamSeen;
  std::string Macro;   ///< The wrapper it is an argument of: "CHECK", or "".
  bool Hidden = false; ///< Not written as a call: a destructor.
  /// It is written in the definition of a macro that stands in a region of a
  /// debug macro: that one's name, and where.
  std::string SwitchedOnBy;
  Place Written;
};

/// A call of a function of the user's.
struct Call {
  /// What it may call: one, or of a virtual call the one named.
  std::string Callee;
  std::string Name; ///< "Trainer::step".
  Place Location;
  int Scope = -1;
  bool Virtual = false;    ///< An override may be called instead.
  bool Uncertain = false;  ///< Handed over as a function; called or not.
  bool EndsObject = false; ///< Of a destructor, or of a deleter.
  /// It is given a stream or a library's handle, and its name does not say
  /// that it only creates, destroys, sets or asks for something.
  bool UsesStream = false;
  std::vector<Number> Arguments; ///< Whole numbers; others are not known.
};

/// Where data that a site brought back to the host, or a slot holds, goes.
struct Use {
  enum Kind : uint8_t {
    Printed,
    Logged,
    Branch,
    LoopCondition,
    Configures, ///< A launch's grid, block or shared memory.
    Feeds,      ///< A kernel or a library's call takes it: alpha, a count.
    Stored      ///< Into TargetSlot.
  };
  int Site = -1;    ///< Of this function; or
  std::string Slot; ///< when it is -1, what was in this slot.
  Kind Class = Stored;
  std::string TargetSlot, SinkName; ///< By: "printf".
  Place Location;
  int Scope = -1;
};

/// What happens in a function, in the order of control flow.
struct Event {
  enum Kind : uint8_t {
    SiteReached,    ///< Index: of Sites.
    CallMade,       ///< Index: of Calls.
    Read,           ///< Index: of Cells: what an asynchronous copy may write.
    Written,        ///< Index: of Cells.
    Passed,         ///< Index: of Cells: a function of the user's gets it.
    Dies,           ///< Index: of Cells: its memory ends.
    Clock,          ///< The host's time is read.
    Blocks,         ///< It locks, sleeps, or waits for another thread.
    LaunchBlocking, ///< CUDA_LAUNCH_BLOCKING is set.
    HandsOver,  ///< To another thread, process or API, which may use results.
    UnknownCall ///< Code that is not seen, outside system headers.
  };
  Kind Class = SiteReached;
  unsigned Index = 0;
  Place Location;
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
  bool Rebound = false; ///< It is made to point to other memory here.
};

struct Function {
  std::string Usr;  ///< Clang's name for it, unique in a program.
  std::string Name; ///< "Trainer::step".
  Place Location;
  bool Internal = false; ///< Static: other translation units have their own.
  bool Virtual = false;
  bool Unread = false; ///< It has errors, and nothing is known of it.
  std::vector<std::string> Overrides; ///< USRs.
  std::vector<std::string> Params;    ///< Names.
  std::vector<Scope> Scopes;
  std::vector<Site> Sites;
  std::vector<Call> Calls;
  std::vector<Use> Uses;
  std::vector<Cell> Cells;
  std::vector<Block> Blocks; ///< The first one is the entry.
};

/// A printf in a kernel, or in a device function that the kernel calls.
struct DevicePrint {
  std::string Kernel; ///< USR.
  std::string Name;   ///< Of the kernel.
  Place Location;
};

struct Flow {
  std::string Slot;
  Value Val;
};

struct TranslationUnit {
  std::string MainFile; ///< Absolute.
  std::string Root;     ///< What paths are shown relative to.
  std::vector<Function> Functions;
  std::vector<Flow> Flows;
  /// USRs of functions that it names and does not define.
  std::vector<std::string> Elsewhere;
  /// USRs of functions whose address it takes: who calls them is not known.
  std::vector<std::string> AddressTaken;
  /// Not those under a condition that says error, or in a debug region.
  std::vector<DevicePrint> Prints;
  bool PerThreadStream = false; ///< Stream 0 is the thread's own.
  bool Hip = false;             ///< It is written for HIP.
};

/// Bytes that decode() takes back; they hold for one version of autoprof.
std::string encode(const TranslationUnit &TU);
/// None when the bytes are damaged or of another version.
std::optional<TranslationUnit> decode(const std::string &Bytes);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_MODEL_H
