// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between autoprof's measuring process and the code that nvcc compiles on the
// user's machine (the .cu files here). It needs no header of CUDA or of
// autoprof. The functions are called with the stream of the case, and time what
// they pass to time(); one thread.
#ifndef AUTOPROF_CALIBRATE_COMPILED_TIMER_H
#define AUTOPROF_CALIBRATE_COMPILED_TIMER_H

#include <exception>

namespace autoprof::calibrate {

struct Timer {
  void *Stream; ///< A cudaStream_t, non-blocking.
  void *Bench;  ///< Goes with each call of the functions below.
  /// Runs and times Call(Argument) after the requested work.
  void (*Time)(void *Bench, void (*Call)(void *), void *Argument);
  /// Keeps why the case failed.
  void (*Fail)(void *Bench, const char *Why);

  /// A status of the CUDA runtime.
  void check(int Status, const char *Why) const {
    if (Status)
      Fail(Bench, Why);
  }

#ifdef __cpp_exceptions
  /// Exceptions end here: the callers do not handle them.
  template <typename F> void guarded(F Call) const {
    try {
      Call();
    } catch (const std::exception &E) {
      Fail(Bench, E.what());
    }
  }

  template <typename F> void time(F Call) const {
    struct Both {
      const Timer *This;
      F *Call;
    } Argument = {this, &Call};
    Time(
        Bench,
        [](void *P) {
          auto *B = static_cast<Both *>(P);
          B->This->guarded(*B->Call);
        },
        &Argument);
  }
#endif
};

/// The type of every function exported by the .cu files.
using CompiledCase = void (*)(const Timer &);

} // namespace autoprof::calibrate

/// Defines one of them.
#define AUTOPROF_CASE(NAME, ...)                                               \
  extern "C" void autoprof_##NAME(const ::autoprof::calibrate::Timer &T) {     \
    T.guarded([&] { __VA_ARGS__; });                                           \
  }

#endif // AUTOPROF_CALIBRATE_COMPILED_TIMER_H
