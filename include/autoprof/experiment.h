/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The replacements that `postpone` makes for calls (docs/experiment.md): a copy
 * to the host returns the value of the previous call, so that nobody waits for
 * its own; a synchronization does nothing. The program then works with old
 * values: this measures what a wait costs, and is not a way to remove it.
 *
 * No CUDA header is included, because this one comes before the user's. CUDA
 * functions are called only in templates, with an argument whose type depends
 * on a template parameter and belongs to the global namespace: so they are
 * looked up where the templates are used, after the user's code has included
 * CUDA. */
#ifndef AUTOPROF_EXPERIMENT_H
#define AUTOPROF_EXPERIMENT_H
#pragma GCC system_header

#include "probe.h"

#ifdef __cplusplus

struct CUevent_st;
struct CUstream_st;

/** Receives the result of cudaHostAlloc; in the global namespace, see above. */
struct autoprof_host_memory {
  void *bytes;
  operator void **() { return &bytes; }
};

extern "C++" {
namespace autoprof {

template <class Kind>
auto plain_copy(void *to, const void *from, unsigned long size, Kind kind)
    -> decltype(cudaMemcpy(to, from, size, kind)) {
  return cudaMemcpy(to, from, size, kind);
}

template <class Kind>
auto plain_copy(void *to, const void *from, unsigned long size, Kind kind,
                CUstream_st *stream)
    -> decltype(cudaMemcpyAsync(to, from, size, kind, stream)) {
  return cudaMemcpyAsync(to, from, size, kind, stream);
}

/** The copies that one call makes from one source on one stream. They go
 * alternately to two slots of pinned memory. Nothing is ever released: when
 * static objects are destroyed, CUDA may already be shut down. */
template <class Memory, class Event> struct postponed_source {
  const void *from;
  CUstream_st *stream;
  unsigned long size, calls;
  Memory slots;
  Event *arrived[2];

  bool open(const void *source, unsigned long bytes, CUstream_st *on) {
    bool good = static_cast<int>(cudaHostAlloc(slots, 2 * bytes, 0U)) == 0;
    for (Event *&event : arrived) /* 2: cudaEventDisableTiming */
      good =
          good && static_cast<int>(cudaEventCreateWithFlags(&event, 2U)) == 0;
    from = good ? source : 0;
    stream = on;
    size = bytes;
    return good;
  }

  template <class Kind>
  auto copy(void *to, Kind kind)
      -> decltype(plain_copy(to, from, size, kind, stream)) {
    const unsigned long now = calls % 2, last = calls ? 1 - now : now;
    char *bytes = static_cast<char *>(slots.bytes);
    auto error = plain_copy(bytes + now * size, from, size, kind, stream);
    if (static_cast<int>(error) == 0)
      error = cudaEventRecord(arrived[now], stream);
    if (static_cast<int>(error) == 0)
      error = cudaEventSynchronize(arrived[last]);
    if (static_cast<int>(error) == 0)
      __builtin_memcpy(to, bytes + last * size, size);
    ++calls;
    return error;
  }
};

/** A call `cudaMemcpy(...)` becomes `postponed<id>::cudaMemcpy(...)`; if a
 * macro expands to the call, an object of this type hides the function. */
template <unsigned long long id> struct postponed {
  template <class Kind>
  static auto cudaMemcpy(void *to, const void *from, unsigned long size,
                         Kind kind)
      -> decltype(plain_copy(to, from, size, kind)) {
    source *s = find(from, size, 0);
    return s ? s->copy(to, kind) : plain_copy(to, from, size, kind);
  }
  template <class Kind>
  static auto cudaMemcpyAsync(void *to, const void *from, unsigned long size,
                              Kind kind, CUstream_st *stream = 0)
      -> decltype(plain_copy(to, from, size, kind, stream)) {
    source *s = find(from, size, stream);
    return s ? s->copy(to, kind) : plain_copy(to, from, size, kind, stream);
  }

  /** cudaMemcpy as an object. */
  template <class Kind>
  auto operator()(void *to, const void *from, unsigned long size,
                  Kind kind) const
      -> decltype(plain_copy(to, from, size, kind)) {
    return cudaMemcpy(to, from, size, kind);
  }

private:
  typedef postponed_source<autoprof_host_memory, CUevent_st> source;

  /** Returns null if the copy is to be made as written, because CUDA has no
   * memory, or there are more sources than `known` has room for. */
  static source *find(const void *from, unsigned long size,
                      CUstream_st *stream) {
    static thread_local source known[16];
    for (source &s : known) {
      if (!s.from)
        return s.open(from, size, stream) ? &s : 0;
      if (s.from == from && s.stream == stream && s.size == size)
        return &s;
    }
    return 0;
  }
};

/** cudaMemcpyAsync as an object. */
template <unsigned long long id> struct postponed_async {
  template <class Kind>
  auto operator()(void *to, const void *from, unsigned long size, Kind kind,
                  CUstream_st *stream = 0) const
      -> decltype(plain_copy(to, from, size, kind, stream)) {
    return postponed<id>::cudaMemcpyAsync(to, from, size, kind, stream);
  }
};

/** The same as functions, for the clang plugin. */
template <unsigned long long id, class Kind>
auto postponed_copy(void *to, const void *from, unsigned long size, Kind kind)
    -> decltype(plain_copy(to, from, size, kind)) {
  return postponed<id>::cudaMemcpy(to, from, size, kind);
}
template <unsigned long long id, class Kind>
auto postponed_copy_async(void *to, const void *from, unsigned long size,
                          Kind kind, CUstream_st *stream = 0)
    -> decltype(plain_copy(to, from, size, kind, stream)) {
  return postponed<id>::cudaMemcpyAsync(to, from, size, kind, stream);
}

/** Replaces a call that returns an error code. */
template <unsigned long long id, class Error> inline Error removed() {
  return static_cast<Error>(0);
}

/** The same as an object that hides the function. */
template <class Error, class... Arguments> struct removed_function {
  Error operator()(Arguments...) const { return static_cast<Error>(0); }
};
template <unsigned long long id, class Error, class... Arguments>
removed_function<Error, Arguments...> remove_function(Error (*)(Arguments...)) {
  return removed_function<Error, Arguments...>();
}

} /* namespace autoprof */
} /* extern "C++" */

/** AP_POSTPONED(id) cudaMemcpy(...): returns the copy of the previous call. */
#define AP_POSTPONED(id) ::autoprof::postponed<id>::
/** AP_REMOVED(id) f(...) AP_REMOVED_END: success, without the call. */
#define AP_REMOVED(id) ::autoprof::removed<id, decltype(
#define AP_REMOVED_END )>()
/** The same for calls in macros, in the rest of the enclosing block. */
#define AP_POSTPONED_CALL(id, name) const ::autoprof::postponed<id> name = {};
#define AP_POSTPONED_ASYNC(id, name)                                           \
  const ::autoprof::postponed_async<id> name = {};
#define AP_REMOVED_CALL(id, name)                                              \
  const auto name = ::autoprof::remove_function<id>(::name);

#endif /* __cplusplus */
#endif /* AUTOPROF_EXPERIMENT_H */
