// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The audit's model of one translation unit
// -----------------------------------------
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
#ifndef AUTOPROF_AUDIT_MODEL_H
#define AUTOPROF_AUDIT_MODEL_H

#include "catalogue/Facts.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace autoprof::audit {

/// A position in the original text. Line and Column start at 1; 0: no position.
struct Place {
  std::string File; ///< Absolute.
  unsigned Line = 0, Column = 0;
  unsigned Offset = 0; ///< In bytes, for fix-its.
};

/// Text that a fix-it may replace; Length 0: no text, because it is in a macro.
struct Range {
  Place Begin;
  unsigned Length = 0;
};

/// The possible values of a pointer, a stream, a handle or a number: bits of
/// one of the enumerations of catalogue/Facts.h, and slots that other functions
/// store to.
struct Value {
  uint32_t Mask = 0;
  bool Unknown = false;           ///< Anything: Mask and Slots are meaningless.
  std::vector<std::string> Slots; ///< Slots; sorted, no duplicates.
  Place Location;    ///< Place of the allocation or creation, if known.
  std::string Maker; ///< Its origin: "malloc", "std::vector".

  static Value fromMask(uint32_t Mask) { return {Mask, false, {}, {}, {}}; }
  static Value anything() { return {0, true, {}, {}, {}}; }
  static Value fromSlot(std::string Slot) {
    return {0, false, {std::move(Slot)}, {}, {}};
  }
  /// Whether nothing was ever stored.
  bool isNothing() const { return !Mask && !Unknown && Slots.empty(); }
};

/// The value that may be either. Keeps the first known place.
Value join(Value A, const Value &B);
bool operator==(const Value &A, const Value &B);

/// A number that is known, or that is known for each call: the value of a
/// parameter of the function plus an offset.
struct Number {
  bool Known = false;
  int Param = -1; ///< -1: the number is just the offset.
  int64_t Offset = 0;
};

/// What a condition needs of a parameter: that it is, or is not, this number.
struct Need {
  int Param = 0;
  int64_t Value = 0;
  bool IsEqual = true;
};

/// A loop or a condition around code. The parent is the next enclosing one of
/// the same function; -1: none.
struct Scope {
  enum Kind : uint8_t {
    Loop,
    Condition,      ///< A condition of none of the kinds below.
    DebugMacro,     ///< #ifdef DEBUG and the like.
    Verbose,        ///< if (verbose), if (logLevel > 1).
    ErrorPath,      ///< if (status != cudaSuccess), or a branch that gives up.
    EveryNth,       ///< if (i % 100 == 0), if (key == 'r').
    Once,           ///< if (i == 0), if (!handle) create(&handle).
    LeavesLoop,     ///< A branch that ends with `break`.
    LeavesFunction, ///< A branch that ends with `return`.
    Fails ///< The same, if it looks like a failure: callers stop, too.
  };
  int Parent = -1;
  Kind Class = Condition;
  Place Location;
  Place Decided;                ///< Where its condition begins, if it has one.
  std::string Text;             ///< The condition as written, shortened.
  std::optional<int64_t> Trips; ///< Maximum trip count of a loop, if known.
  Number TripsOfCall;           ///< The same, if it depends on a parameter.
  bool Polls = false;       ///< A loop that only polls whether the GPU is done.
  bool OverDevices = false; ///< The loop's variable selects the device.
  /// For a loop: its counter is multiplied, or goes through a list, so the loop
  /// tries sizes.
  bool Scales = false;
  /// For a loop: it counts, and its GPU work is the same each time, as far as
  /// its text shows.
  bool Repeats = false;
  unsigned End = 0; ///< Offset of its end, in the file of Location.
  /// For Once: the scope in which the code runs once; -1: the function's body,
  /// Ever: once per run of the program.
  int Until = Ever;
  /// For Condition: the slot of the boolean that it tests, and whether it tests
  /// for true. The values in that slot are made of flags::*.
  std::string Asks;
  bool AsksIfTrue = true;
  /// It is the code after a branch that leaves the loop: a condition only if
  /// what it asks for turns out to be seldom true.
  bool RunsOtherwise = false;
  /// For a condition: what it needs of parameters that keep their values.
  std::vector<Need> Needs;
  bool NeedsNoMore = false; ///< It holds whenever Needs are met.
  /// The query whose result its condition tests through a variable:
  /// "cudaStreamQuery", or "".
  std::string TestsQuery;

  static constexpr int Ever = -2;
};

/// The possible values of booleans in slots: bits of Value::Mask.
namespace flags {
enum : uint32_t {
  Seldom = 1u << 24, ///< True in every n-th iteration.
  Often = 1u << 25,  ///< Unknown.
  Never = 1u << 26   ///< Always false.
};
} // namespace flags

/// One argument of a site.
struct Arg {
  std::string Text; ///< As written.
  /// If it names a local variable that holds a Thrust policy, and neither that
  /// variable nor what its initializer names changes: the initializer, such as
  /// "thrust::cuda::par.on(s)".
  std::string Definition;
  Range Extent;
  Value Val;
  int Cell = -1; ///< The variable that it names or points into, or -1.
  std::optional<int64_t> Constant;
  /// It names a variable that the innermost enclosing loop changes.
  bool Moves = false;
  std::string Function; ///< USR of a function or lambda that is passed.
  /// It is a pointer through which the callee may write, and not volatile.
  bool MayWrite = false;
  bool IsDeviceVariable = false; ///< A __device__ variable that is not const.
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
  Range Whole; ///< The text of the call.
  /// The text to delete to remove an explicit wait: a statement whose result is
  /// not used.
  Range Removal;
  int Scope = -1;
  std::vector<Arg> Args;
  std::vector<KnownFact> Facts;
  /// The stream argument: as written ("": none), and its possible values.
  std::string Stream;
  Value StreamVal;
  /// For a local variable that is never assigned to, in a function that waits
  /// for the device: the text in which its name refers to it.
  Range StreamSeen;
  /// The wrapper macro that it is an argument of: "CHECK", or "".
  std::string Macro;
  /// The local variable that its result is stored in, or "".
  std::string ResultIn;
  bool Hidden = false; ///< It has no call in the text: a destructor.
  /// If it is written in the definition of a macro that is in a region of a
  /// debug macro: the name of the debug macro, and the place.
  std::string SwitchedOnBy;
  Place Written;
  std::string WrittenIn; ///< The macro.
  /// For an access to an element of GPU memory: the algorithm that found the
  /// element, or "thrust::device_ptr"; "": an element of a vector.
  std::string Element;
  /// See Call::Expression.
  unsigned Expression = 0;
};

/// A call of a user's function.
struct Call {
  /// The function that it may call; for a virtual call, the one named.
  std::string Callee;
  std::string Name; ///< "Trainer::step".
  Place Location;
  int Scope = -1;
  bool Virtual = false; ///< An overrider may be called instead.
  /// The function is passed on, and may or may not be called.
  bool Uncertain = false;
  bool EndsObject = false; ///< It calls a destructor or a deleter.
  /// It gets a stream or a library's handle, and its name does not suggest that
  /// it only creates, destroys, sets or queries something.
  bool UsesStream = false;
  /// The arguments that are whole numbers; others are not Known.
  std::vector<Number> Arguments;
  /// The arguments that are streams, as written; others are "".
  std::vector<std::string> Streams;
  /// An argument depends on the counter of the innermost loop around it.
  bool Varies = false;
  /// Its result is stored in a local variable that is only printed or logged.
  bool OnlyShown = false;
  /// Sites and calls of a function with the same number are in one expression,
  /// such as the arguments of one call: C++ leaves their order open. 0: in
  /// none.
  unsigned Expression = 0;
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
    SiteReached,    ///< Index: of Sites.
    CallMade,       ///< Index: of Calls.
    Read,           ///< Index: of Cells that an asynchronous copy may write.
    Written,        ///< Index: of Cells.
    Passed,         ///< Index: of Cells: passed to a user's function.
    Dies,           ///< Index: of Cells: the lifetime of its memory ends.
    Clock,          ///< The host's time is read.
    Blocks,         ///< It locks, sleeps, or waits for another thread.
    LaunchBlocking, ///< CUDA_LAUNCH_BLOCKING is set.
    HandsOver,  ///< Another thread, process or API may use results from here.
    Touched,    ///< Index: of Touches.
    Accessed,   ///< The host accesses memory that is no cell's.
    Awaits,     ///< It may block until another thread or process has sent or
                ///< done something: a condition variable, a socket.
    UnknownCall ///< A call of code that is not visible, outside system headers.
  };
  Kind Class = SiteReached;
  unsigned Index = 0;
  Place Location;
  bool ReadOnly = false; ///< For Passed: as a pointer to const.
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
};

/// An access of the host to memory that the GPU may share: managed memory,
/// pinned memory, or what a slot holds.
struct Touch {
  Value Memory;
  std::string Name; ///< What the access names: `table` in `table[i]`.
};

struct Function {
  std::string Usr;  ///< Clang's name for it, unique in a program.
  std::string Name; ///< "Trainer::step".
  Place Location;
  bool Internal = false; ///< Static: each translation unit has its own.
  bool Virtual = false;
  bool Unread = false; ///< It has errors, and nothing is known about it.
  std::vector<std::string> Overrides; ///< USRs.
  std::vector<std::string> Params;    ///< Names.
  std::vector<Scope> Scopes;
  std::vector<Site> Sites;
  std::vector<Call> Calls;
  std::vector<Use> Uses;
  std::vector<Cell> Cells;
  std::vector<Touch> Touches;
  /// Where return statements load the value that they return, without changing
  /// it: `sum` of `return sum;`.
  std::vector<Place> Returns;
  std::vector<Block> Blocks; ///< The first one is the entry.
};

/// A printf in a kernel, or in a device function that the kernel calls.
struct DevicePrint {
  std::string Kernel; ///< USR.
  std::string Name;   ///< Name of the kernel.
  Place Location;
};

struct Flow {
  std::string Slot;
  Value Val;
};

struct TranslationUnit {
  std::string MainFile; ///< Absolute.
  std::string Root;     ///< Paths are shown relative to this folder.
  std::vector<Function> Functions;
  std::vector<Flow> Flows;
  /// USRs of functions that it names but does not define.
  std::vector<std::string> Elsewhere;
  /// USRs of functions whose address it takes: their callers are unknown.
  std::vector<std::string> AddressTaken;
  /// Except those under a condition that suggests an error, or in a debug
  /// region.
  std::vector<DevicePrint> Prints;
  bool PerThreadStream = false; ///< Stream 0 is the per-thread stream.
  bool Hip = false;             ///< The unit is written for HIP.
};

/// Returns bytes for decode(), which are valid for one version of autoprof.
std::string encode(const TranslationUnit &TU);
/// Returns none if the bytes are damaged or of another version.
std::optional<TranslationUnit> decode(const std::string &Bytes);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_MODEL_H
