/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The only file that instrumented code includes. It includes nothing, needs no
 * library at link time, and compiles as C++11 and later, and as C with GNU
 * extensions, with clang and with nvcc's host compilers.
 *
 * How a program and the runtime find each other
 * ---------------------------------------------
 * While no runtime is in the process, `autoprof_hooks_v1` is null, and a probe
 * is one load and one branch. Each instrumented translation unit has an ELF
 * note (section .note.autoprof, owner "autoprof", type 1) with
 *
 *     int32   distance from this field to the module's autoprof_hooks_v1
 *     char[]  the unit's site table, NUL-terminated (see AP_TABLE)
 *
 * The runtime walks the PT_NOTE segments of the loaded modules
 * (dl_iterate_phdr), reads the tables and stores its own hook table into each
 * autoprof_hooks_v1. So the program refers to no symbol of the runtime: the
 * runtime may be linked, preloaded, or opened by the driver long after the
 * program's constructors ran, and executables need not export anything.
 * Notes are kept by --gc-sections, by strip, and by LTO. */
#ifndef AUTOPROF_PROBE_H
#define AUTOPROF_PROBE_H
#pragma GCC system_header

#ifdef __cplusplus
extern "C" {
#endif

/** The requests of autoprof/autoprof.h. */
enum autoprof_request { AUTOPROF_START, AUTOPROF_STOP, AUTOPROF_STEP };

/** The runtime's side of a probe. Plain C ABI; every function is thread-safe,
 * never throws, and may be called at any time until the process ends. The
 * functions have an attribute instead of a macro for `noexcept`, because clang
 * does not expand macros of this file in preprocessed input. */
struct autoprof_hooks {
  /** Size in bytes of the runtime's table; later versions append fields. */
  unsigned long size;
  /** Called before the call at site `id`. Returns a token for site_end (a
   * CLOCK_MONOTONIC time in ns, or 0 if this call is not recorded). */
  unsigned long long (*site_begin)(unsigned long long id)
      __attribute__((nothrow));
  /** Called on the same thread at the end of the site's full expression. */
  void (*site_end)(unsigned long long id, unsigned long long token)
      __attribute__((nothrow));
  /** The same for ranges: a function's body or one iteration of a loop. */
  unsigned long long (*range_begin)(unsigned long long id)
      __attribute__((nothrow));
  void (*range_end)(unsigned long long id, unsigned long long token)
      __attribute__((nothrow));
  /** Handles a request. Returns 1 if there is a recorder, else 0. */
  int (*control)(enum autoprof_request what);
};

/** One pointer per module (executable or shared object); null if there is no
 * runtime. Written only by the runtime, once, with release order. */
__attribute__((weak, used, visibility("hidden")))
const struct autoprof_hooks *autoprof_hooks_v1 = 0;

/** One active probe: the counterpart in C of site_scope and range_scope. The
 * clang plugin, which adds no text to a program, calls these functions in both
 * languages, those that end a probe as cleanups of a variable. `nodebug`
 * (clang's; gcc ignores it) keeps debuggers from stepping into them. */
struct autoprof_scope {
  const struct autoprof_hooks *hooks;
  unsigned long long id, token;
};

static __inline__
    __attribute__((unused, nothrow, nodebug)) struct autoprof_scope
    autoprof_site_begin(unsigned long long id) {
  struct autoprof_scope scope = {0, 0, 0};
  scope.hooks = __atomic_load_n(&autoprof_hooks_v1, 2 /* acquire */);
  scope.id = id;
  if (__builtin_expect(scope.hooks != 0, 0))
    scope.token = scope.hooks->site_begin(id);
  return scope;
}

static __inline__ __attribute__((unused, nothrow, nodebug)) void
autoprof_site_end(struct autoprof_scope *scope) {
  if (__builtin_expect(scope->hooks != 0, 0))
    scope->hooks->site_end(scope->id, scope->token);
  scope->hooks = 0;
}

static __inline__
    __attribute__((unused, nothrow, nodebug)) struct autoprof_scope
    autoprof_range_begin(unsigned long long id) {
  struct autoprof_scope scope = {0, 0, 0};
  scope.hooks = __atomic_load_n(&autoprof_hooks_v1, 2 /* acquire */);
  scope.id = id;
  if (__builtin_expect(scope.hooks != 0, 0))
    scope.token = scope.hooks->range_begin(id);
  return scope;
}

static __inline__ __attribute__((unused, nothrow, nodebug)) void
autoprof_range_end(struct autoprof_scope *scope) {
  if (__builtin_expect(scope->hooks != 0, 0))
    scope->hooks->range_end(scope->id, scope->token);
}

/** Probes the destructor of a variable: the result is stored in a variable
 * declared before it, whose cleanup is autoprof_site_end(). */
static __inline__
    __attribute__((unused, nothrow, nodebug)) struct autoprof_scope
    autoprof_destruction(unsigned long long id) {
  struct autoprof_scope scope = {0, 0, 0};
  scope.id = id;
  return scope;
}

/** Begins that probe: the cleanup of a variable declared after the probed one,
 * which holds the address of the scope. */
static __inline__ __attribute__((unused, nothrow, nodebug)) void
autoprof_destruction_begin(struct autoprof_scope **scope) {
  (*scope)->hooks = __atomic_load_n(&autoprof_hooks_v1, 2 /* acquire */);
  if (__builtin_expect((*scope)->hooks != 0, 0))
    (*scope)->token = (*scope)->hooks->site_begin((*scope)->id);
}

#ifdef __cplusplus
} /* extern "C" */

/** __ATOMIC_ACQUIRE, which clang does not define for preprocessed input. Not a
 * macro, because clang does not expand macros there either. */
enum { AUTOPROF_ACQUIRE = 2 };

/* A header that includes this one may itself be included in extern "C". */
extern "C++" {
namespace autoprof {

/** Brackets one site: created before the call and destroyed at the end of the
 * full expression, so that a single insertion puts begin and end around a call.
 * end() ends it earlier. */
class site_scope {
  const autoprof_hooks *hooks_;
  unsigned long long id_, token_;

public:
  __attribute__((nodebug)) site_scope(unsigned long long id) noexcept
      : hooks_(__atomic_load_n(&autoprof_hooks_v1, AUTOPROF_ACQUIRE)), id_(id),
        token_(0) {
    if (__builtin_expect(hooks_ != 0, 0))
      token_ = hooks_->site_begin(id_);
  }
  site_scope(const site_scope &) = delete;
  site_scope &operator=(const site_scope &) = delete;
  __attribute__((nodebug)) ~site_scope() { end(); }
  __attribute__((nodebug)) void end() noexcept {
    if (__builtin_expect(hooks_ != 0, 0))
      hooks_->site_end(id_, token_);
    hooks_ = 0;
  }
};

/** Brackets the destructor of a variable: this object is declared before the
 * variable, and so destroyed after it, and a destruction_start is declared
 * after the variable, and so destroyed before it. */
class destruction {
  const autoprof_hooks *hooks_;
  unsigned long long id_, token_;

public:
  __attribute__((nodebug)) explicit destruction(unsigned long long id) noexcept
      : hooks_(0), id_(id), token_(0) {}
  destruction(const destruction &) = delete;
  destruction &operator=(const destruction &) = delete;
  __attribute__((nodebug)) void begin() noexcept {
    hooks_ = __atomic_load_n(&autoprof_hooks_v1, AUTOPROF_ACQUIRE);
    if (__builtin_expect(hooks_ != 0, 0))
      token_ = hooks_->site_begin(id_);
  }
  __attribute__((nodebug)) ~destruction() {
    if (__builtin_expect(hooks_ != 0, 0))
      hooks_->site_end(id_, token_);
  }
};

class destruction_start {
  destruction &site_;

public:
  __attribute__((nodebug)) explicit destruction_start(
      destruction &site) noexcept
      : site_(site) {}
  destruction_start(const destruction_start &) = delete;
  destruction_start &operator=(const destruction_start &) = delete;
  __attribute__((nodebug)) ~destruction_start() { site_.begin(); }
};

/** Brackets a function body or one loop iteration, as a variable of its scope.
 */
class range_scope {
  const autoprof_hooks *hooks_;
  unsigned long long id_, token_;

public:
  __attribute__((nodebug)) explicit range_scope(unsigned long long id) noexcept
      : hooks_(__atomic_load_n(&autoprof_hooks_v1, AUTOPROF_ACQUIRE)), id_(id),
        token_(0) {
    if (__builtin_expect(hooks_ != 0, 0))
      token_ = hooks_->range_begin(id_);
  }
  range_scope(const range_scope &) = delete;
  range_scope &operator=(const range_scope &) = delete;
  __attribute__((nodebug)) ~range_scope() {
    if (__builtin_expect(hooks_ != 0, 0))
      hooks_->range_end(id_, token_);
  }
};

/** A function instead of a type name: `(void)::autoprof::scope(1), f(x)` cannot
 * be parsed as a declaration. In C++11 and 14 it must return by
 * list-initialisation, which does not copy. */
inline __attribute__((nodebug)) site_scope
scope(unsigned long long id) noexcept {
  return {id};
}

} /* namespace autoprof */
} /* extern "C++" */

/** AP_SITE(id) expr: probes the calls in expr, which keeps its type and value.
 */
#define AP_SITE(id) (void)::autoprof::scope(id),
/** AP_SITE_SCOPE(id): the same for the rest of the enclosing block, for macros
 * that expand to a statement that is not an expression. */
#define AP_SITE_SCOPE(id) const ::autoprof::site_scope autoprof_site_##id(id);
/** AP_SITE_BEGIN(id) ... AP_SITE_END(id): the same for the statements between
 * them, which may declare variables, in a block. */
#define AP_SITE_BEGIN(id) ::autoprof::site_scope autoprof_site_##id(id);
#define AP_SITE_END(id) autoprof_site_##id.end();
/** AP_OBJECT(id) T x; AP_OBJECT_END(id): probes the destructor of x. */
#define AP_OBJECT(id) ::autoprof::destruction autoprof_object_##id(id);
#define AP_OBJECT_END(id)                                                      \
  const ::autoprof::destruction_start autoprof_start_##id(autoprof_object_##id);
/** AP_RANGE(id): probes the rest of the enclosing block. */
#define AP_RANGE(id) const ::autoprof::range_scope autoprof_range_##id(id);

#else
/* C: the same macros for statements, with GNU's cleanup attribute. In an
 * expression: __extension__({AP_SITE_SCOPE(id) f(x);}) */
#define AP_SITE_SCOPE(id)                                                      \
  __attribute__((                                                              \
      cleanup(autoprof_site_end))) struct autoprof_scope autoprof_site_##id =  \
      autoprof_site_begin(id);
#define AP_SITE_BEGIN(id) AP_SITE_SCOPE(id)
#define AP_SITE_END(id) autoprof_site_end(&autoprof_site_##id);
#define AP_RANGE(id)                                                           \
  __attribute__((cleanup(                                                      \
      autoprof_range_end))) struct autoprof_scope autoprof_range_##id =        \
      autoprof_range_begin(id);
#endif /* __cplusplus */

/** AP_TABLE("rows"): the site table at the end of a translation unit. A row is
 *     id|kind|line|column|file|function|callee
 * and rows end with ';'. id is 0x and 16 lower-case hex digits; kind is a
 * class of the catalogue (launch, copy, set, sync, alloc, free, ...), a range
 * ("function", "loop"), or "step": not a place, but the program's step, whose
 * name in the project's .autoprof is the callee; file is relative to the
 * project root. Bytes not in [A-Za-z0-9_./:,<>()*&~=+ @#$!^{}-] are written as
 * %XX, and so are square brackets. */
#if defined(__ELF__) && !defined(__CUDA_ARCH__)
#define AP_TABLE(rows)                                                         \
  __asm__(".pushsection .note.autoprof,\"a\",@note\n"                          \
          ".balign 4\n"                                                        \
          ".long 9, 772f - 771f, 1\n"                                          \
          ".asciz \"autoprof\"\n"                                              \
          ".balign 4\n"                                                        \
          "771: .long autoprof_hooks_v1 - .\n"                                 \
          ".asciz \"" rows "\"\n"                                              \
          "772: .balign 4\n"                                                   \
          ".popsection\n");
#else
#define AP_TABLE(rows)
#endif

#endif /* AUTOPROF_PROBE_H */
