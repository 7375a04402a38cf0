// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One recording: moves the contents of the buffers of the program's threads and
// of CUPTI into the trace.
#pragma once

#include "runtime/control/Environment.h"
#include "runtime/control/Window.h"
#include "runtime/cupti/Cupti.h"
#include "runtime/cupti/WaitingCalls.h"
#include "runtime/stacks/Stacks.h"
#include "runtime/trace/Output.h"
#include "runtime/trace/RangeWriter.h"
#include "runtime/trace/Ring.h"
#include "runtime/trace/Trace.h"

#include <memory>
#include <string>

namespace autoprof::runtime {

/// Not thread-safe: the flush thread owns it.
class Session {
public:
  /// `Start`: zero of the trace's clock (CLOCK_MONOTONIC ns). The arguments
  /// must outlive the session.
  Session(const Settings &Chosen, Output &File, uint64_t Start)
      : Chosen(Chosen), File(File), Start(Start), Process(identify(Chosen)),
        Events(File, Process, Start) {
    compressIfWanted();
  }

  /// Moves all buffered records into the file. `Last`: the process ends, so
  /// take unfinished records too. Returns false if the file is gone.
  bool pump(const CuptiStatus &Status, bool Last);

  /// Copies the contents of the ring into a new file; returns its path, or ""
  /// and a sentence in `Problem`.
  std::string dump(std::string &Problem);

  /// Joins the halves of the ring; for when the file is closed.
  void join() { Kept.join(); }

private:
  static ProcessIdentity identify(const Settings &Chosen);
  void compressIfWanted();
  void writeTables();
  void writeProcess(const CuptiStatus &Status);
  void writeLoss(bool Always);
  void writeLeftOut(bool Always);
  void writeEnd();
  void writeWindow();
  void writeOwnCosts();
  void writeMachine();
  void repeatIfDue();
  void drainActivity(const CuptiStatus &Status, bool Last);
  void drainStacks();

  const Settings &Chosen;
  Output &File;
  const uint64_t Start;
  const ProcessIdentity Process; ///< Of the start: a chroot may hide /proc.
  Compressor Packer;
  Trace Events;
  Ring Kept{File, Chosen.Window.KeepBytes};
  RangeWriter Ranges{Events, waitingCallName};
  std::unique_ptr<ActivityDecoder> Decoder;
  std::string StatusSeen, LossSeen; ///< As last written.
  uint64_t PacketsSeen = 0;
  StepCount StepsWritten;
  uint64_t TablesSeen = 0, EdgesSeen = 0, ModulesSeen = 0;
  bool CostWritten = false, OwnWritten = false, MachineWritten = false;
  uint64_t BytesRepeated = 0; ///< Bytes of the trace at the last repeat().
};

} // namespace autoprof::runtime
