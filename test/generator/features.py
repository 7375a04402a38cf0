# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The declarations of generated C++ programs: each feature is text at file
scope with a function `int NAME(int a, int *d)`, which main calls."""
import re

from program import Table
from statements import PROLOGUE

FEATURE, BROKEN = Table(), Table()


def feature(weight=1.0, std=11, when=None, **changes):
    """A function that adds a template; the changes are of the scope."""
    def register(template):
        if re.search(r"\{[icnSIC]\}", template) and changes.get("local", True):
            head = "int @f@(int a, int *d) {"
            template = template.replace(head, head + "\n" + PROLOGUE)
        FEATURE.rows.append((weight, 0, std, when, lambda g: g.inner(**changes).fill(template)))
    return register


PLAIN = feature(2)

for text in ("int @f@(int a, int *d) {body}", "static int @f@(int a, int *d) {body}", "inline int @f@(int a, int *d) {body}",
             "extern \"C\" {\nint @f@(int a, int *d) {body}\n}", "namespace {\nint @g@(int a, int *d) {body}\n}\nint @f@(int a, int *d) { return @g@(a, d); }",
             "namespace @n@ { namespace deep {\nint g(int a, int *d) {body}\n} }\nint @f@(int a, int *d) { using namespace @n@; return deep::g(a, d); }",
             "int @f@(int a, int *d);\nint @g@(int a, int *d) { if (a <= 0) return 1; return @f@(a - 1, d); }\nint @f@(int a, int *d) {body}\nint @h@ = @g@(2, device());",
             "int @f@(int a, int *d) try {body} catch (int x) { return trace(x ^ a) & 1023; } catch (const Noisy &n) { return n.get(); }"):
    PLAIN(text)

NOEXCEPT = feature(throws=False)
NOEXCEPT("int @f@(int a, int *d) noexcept {body}")
NOEXCEPT("int @g@(int a, int *d) noexcept(noexcept(cudaFree(nullptr))) {body}\nint @f@(int a, int *d) { return @g@(a, d); }")
NOEXCEPT("struct @C@ { int X; int *D; @C@(int X, int *D) : X(X), D(D) {}\n~@C@() { int a = X & 7, *d = D; {body_void} } };\n"
         "int @f@(int a, int *d) { @C@ one(a, d); {S}\nreturn 3; }".replace("{body_void}", "[&]() -> int {body}();"))
NOEXCEPT("__attribute__((constructor)) static void @g@() { int a = 1; int *d = device(); [&]() -> int {body}(); }\nint @f@(int a, int *) { return a; }")

TEMPLATE = feature(2, template="T")
for text in ("template <class T> int @g@(T a_, int *d) { int a = static_cast<int>(a_); {more} }\nint @f@(int a, int *d) { return @g@(a, d) ^ @g@(static_cast<long>(a), d); }",
             "template <class T, int Number = 3> static T @g@(T a_, int *d) { int a = static_cast<int>(a_) ^ Number; return static_cast<T>([&]() -> int {body}()); }\nint @f@(int a, int *d) { return (int)@g@<long>(a, d); }",
             "template <class T> struct @C@ { T X; explicit @C@(T X) : X(X) {}\nint run(int *d) { int a = static_cast<int>(X); {more} }\ntemplate <class U> int other(U a_, int *d) { int a = static_cast<int>(a_); {more} }\nstatic int S; };\n"
             "template <class T> int @C@<T>::S = number(cudaMemset(nullptr, 5, sizeof(T)));\nint @f@(int a, int *d) { @C@<int> one(a); @C@<long> two(a); return one.run(d) ^ two.run(d) ^ one.other(short(3), d) ^ @C@<int>::S; }",
             "template <class T> struct @C@ { int run(int a, int *d); };\ntemplate <class T> int @C@<T>::run(int a, int *d) {body}\ntemplate <> int @C@<char>::run(int a, int *d) { CHECK(cudaMemset(d, a, 4)); return a; }\n"
             "template struct @C@<long>;\nint @f@(int a, int *d) { return @C@<int>().run(a, d) ^ @C@<char>().run(a, d) ^ @C@<long>().run(1, d); }",
             "template <class D> struct @B@ { int run(int a, int *d) { return static_cast<D *>(this)->impl(a, d) ^ number(cudaFree(nullptr)); } };\nstruct @C@ : @B@<@C@> { int impl(int a, int *d) { using T = int; {more} } };\n"
             "int @f@(int a, int *d) { return @C@().run(a, d); }"):
    TEMPLATE(text.replace("{more}", "return [&]() -> int {body}();"))

for text in ("struct @C@ { Noisy N; int X = number(cudaMemset(nullptr, 3, 8)); int Y; cudaError_t E;\n@C@(int a, int *d) : N((cudaFree(nullptr), a)), Y(number(cudaMemset(d, a, 4))), E(cudaDeviceSynchronize()) { trace(X ^ Y); }\n"
             "@C@(int *d) : @C@(number(cudaDeviceSynchronize()), d) {}\nint run(int a, int *d) const {body}\n};\nint @f@(int a, int *d) { @C@ one(a, d), two(d); return one.run(a, d) ^ @C@(3, d).run(two.Y, d); }",
             "struct @B@ { int X; @B@(int X) : X(X) { CHECK(cudaDeviceSynchronize()); } virtual ~@B@() { cudaFree(nullptr); } virtual int run(int a, int *d) = 0; };\nstruct @C@ : @B@ { using @B@::@B@; Noisy N{number(cudaFree(nullptr))}; int run(int a, int *d) override {body} };\n"
             "int @f@(int a, int *d) { @B@ *one = new @C@(a); int x = one->run(a, d); delete one; return x; }",
             "struct @C@ { int X; @C@(int a, int *d) try : X(number(cudaMemset(d, a, 4)) + (a > 2 ? throw 5 : 1)) { trace(X); } catch (int x) { trace(x); cudaDeviceSynchronize(); } };\nint @f@(int a, int *d) { try { @C@ one(a, d); @C@ two(9, d); } catch (int x) { a ^= x; } {rest} }",
             "struct @C@ { int V; @C@ &operator<<(cudaError_t e) { V ^= number(e); return *this; } int operator[](cudaError_t e) { return number(e) ^ V; } int operator()(int a, int *d) {body}\noperator int() const { return cudaFree(nullptr) == cudaSuccess; } @C@ *operator->() { cudaDeviceSynchronize(); return this; } };\n"
             "int @f@(int a, int *d) { @C@ x{a}; x << {c} << {c}; trace(x[({c})]); trace(x->V); return x(a, d) ^ x; }",
             "class @C@ { friend int @f@(int a, int *d) {body}\nfriend int @h@(@C@) { return number(cudaDeviceSynchronize()); } };\nint @f@(int a, int *d);\nint @g@ = @h@(@C@());",
             "int @g@(int a, int *d, cudaError_t e = cudaDeviceSynchronize(), int x = number(cudaMemset(device(), 3, 4))) { return trace(a ^ number(e) ^ x) + number(cudaFree(d ? nullptr : d)); }\nint @f@(int a, int *d) { a ^= @g@(a, d) & 7; a ^= @g@(a, d, {c}, {i}) & 7; {rest} }",
             "static void @g@(void *p) { int a = *static_cast<int *>(p); int *d = device(); *static_cast<int *>(p) = [&]() -> int { try {body} catch (...) { return 9; } }(); }\nint @f@(int a, int *) { on_thread(@g@, &a); return a; }",
             "template <cudaError_t (*F)()> int @g@() { return number(F()); }\nint @f@(int a, int *) { return a ^ @g@<cudaDeviceSynchronize>() ^ @g@<&cudaDeviceReset>(); }",
             "template <class... T> int @g@(T... x) { int all[] = {number(x())..., number(cudaFree(nullptr))}; return all[0] ^ all[sizeof...(T)]; }\nint @f@(int a, int *d) { return a ^ @g@([=] { return cudaMemset(d, a, 4); }, cudaDeviceSynchronize); }",
             "template <class T> auto @g@(T x) -> decltype(number(cudaFree(x))) { return number(cudaFree(x)); }\nint @g@(...) { return 1; }\nint @f@(int a, int *d) { return a ^ @g@(static_cast<void *>(nullptr)) ^ @g@(d - d); }",
             "constexpr int @g@(int x) { return x < 0 ? number(cudaFree(nullptr)) : x; }\nstatic_assert(@g@(3) == 3, \"\");\nint @f@(int a, int *d) { return @g@(a) ^ @g@(-a - 1) ^ number(cudaMemset(d, @g@(2), 4)); }",
             "int @f@(int a, int *d) { struct L { int X; explicit L(int a, int *d) : X([&]() -> int {body}()) {} int go() { return X ^ number(cudaFree(nullptr)); } ~L() { CHECK(cudaDeviceSynchronize()); } }; return L(a, d).go(); }",
             "int @g@(int a, int *d, ...) {body}\nint @f@(int a, int *d) { return @g@(a, d, cudaFree(nullptr), {i}); }",
             "int @f@(int a, int *d) { auto fac = [&](int x) -> int { a = x & 7; {rest} }; auto two = [&](cudaError_t e) { return fac(number(e)); }; return two({C}) ^ two(cudaFree(nullptr)); }",
             "enum class @E@ : int { A, B };\nint operator+(@E@ x, cudaError_t e) { return int(x) + number(e); }\nint @f@(int a, int *d) { a ^= (@E@::B + {c}) & 3; {rest} }",
             "int operator\"\" _@s@(unsigned long long x) { return int(x) ^ number(cudaMemset(device(), 1, x)); }\nint @f@(int a, int *) { return a ^ 5_@s@; }",
             "int @f@(int a, int *d) { int r = 0; for (int i = 0; i < 2; ++i) { a = i; r ^= [&]() -> int {body}(); CHECK(cudaDeviceSynchronize()); } return r; }"):
    feature(1)(text.replace("{rest}", "return [&]() -> int {body}();"))

# Initialisation before main: nothing throws.
STATICS = "namespace @n@ {\nstatic int a = 1, b = 2, c = 3; static int *d = device();\n{0}\n}\nint @f@(int x, int *) { (void)@n@::a; (void)@n@::b; (void)@n@::c; (void)@n@::d; return (x ^ {1}) & 1023; }"
STATIC = feature(1.2, local=False, throws=False, returns="")
for text, use in (("static int one = {i};\nstatic const cudaError_t two = {c};", "@n@::one ^ number(@n@::two)"),
                  ("Noisy one({i}), two = {n};", "@n@::two.get()"), ("const Noisy &one = {n};", "@n@::one.get()"),
                  ("int list[] = {number({c}), {i}};", "@n@::list[1]"), ("struct C { static int X; };\nint C::X = number({c});", "@n@::C::X"),
                  ("static Noisy one = ({c}, {n});\nint two = one.get();", "@n@::two"), ("int &one = pick(a, {i});", "@n@::one"),
                  ("auto one = [](int x) { return x ^ number(cudaFree(nullptr)); };\nint two = one({i});", "@n@::one(@n@::two)"),
                  ("thread_local int one = number(cudaMemset(d, 3, 4));", "@n@::one"), ("Wrapper one(cudaDeviceSynchronize);", "@n@::one()"),
                  ("thrust::device_vector<int> one(3);", "int(@n@::one.size())")):
    STATIC(STATICS.replace("{0}", text).replace("{1}", use))
for std, text, use in ((14, "template <class T> int one = number(cudaMemset(d, 1, sizeof(T)));", "@n@::one<int> ^ @n@::one<char>"),
                       (17, "inline int one = number({c});\nstruct C { static inline int X = {i}; };", "@n@::one ^ @n@::C::X"),
                       (17, "auto [one, two] = pair({i}, number({c}));", "@n@::one ^ @n@::two"),
                       (20, "constinit int zero = 0;\nint one = zero ^ {i};", "@n@::one")):
    feature(1, std, local=False, throws=False, returns="")(STATICS.replace("{0}", text).replace("{1}", use))

LATER = [
    (14, "static auto @g@(int a, int *d) {body}\nint @f@(int a, int *d) { return @g@(a, d); }"),
    (14, "template <class T> auto @g@(T a_, int *d) { int a = int(a_); return [&]() -> int {body}(); }\nusing @t@ = decltype(@g@(1, device()));\nint @f@(int a, int *d) { @t@ x = @g@(a, d); return x; }"),
    (14, "struct @C@ { auto run(int a, int *d) { return [=](auto x) mutable -> int {body}; } };\nint @f@(int a, int *d) { return @C@().run(a, d)(1) ^ @C@().run(a, d)(2L); }"),
    (14, "static const auto @g@ = [](auto a_, int *d) { int a = int(a_); return [&]() -> int {body}(); };\nint @f@(int a, int *d) { return @g@(a, d) ^ @g@((short)a, d); }"),
    (14, "decltype(auto) @g@(int *d) { return kept(cudaMemset(d, 1, 4)); }\nint @f@(int a, int *d) { cudaError_t &e = @g@(d); e = cudaSuccess; return a ^ number(@g@(d)); }"),
    (17, "template <class... T> int @g@(T... x) { CHECK(cudaFree(nullptr)); return (0 ^ ... ^ number(x())); }\ntemplate <class... T> void @h@(int *d, T... x) { ((void)cudaMemset(d, int(x), 4), ...); (CHECK(cudaMemset(d, 1, sizeof...(x)))); }\n"
         .replace("(CHECK(cudaMemset(d, 1, sizeof...(x))));", "CHECK(cudaMemset(d, 1, sizeof...(x)));") +
         "int @f@(int a, int *d) { @h@(d, 1, 2L, 'c'); return a ^ @g@([=] { return cudaMemset(d, a, 4); }, cudaDeviceSynchronize); }"),
    (17, "template <class T> int @g@(T a, int *d) { if constexpr (sizeof(T) == 4) { return number(cudaMemset(d, a, 4)); } else { CHECK(cudaFree(nullptr)); return int(a) ^ number(cudaDeviceSynchronize()); } }\nint @f@(int a, int *d) { return @g@(a, d) ^ @g@((long)a, d); }"),
    (20, "template <class T> concept @K@ = requires(T x) { cudaFree(x); };\ntemplate <@K@ T> int @g@(T x, auto a, int *d) { (void)x; return [&]() -> int {body}(); }\nint @f@(int a, int *d) { return @g@((void *)nullptr, a, d); }"),
    (20, "struct @A@ { cudaError_t E; int X; Noisy N; };\nint @f@(int a, int *d) { @A@ x{.E = {c}, .X = {i}, .N = {n}}; a = x.X ^ number(x.E) ^ x.N.get(); return [&]() -> int {body}(); }"),
    (20, "consteval int @h@(int x) { return x + 1; }\nint @f@(int a, int *d) { return @h@(3) ^ number(cudaMemset(d, @h@(2), 4)) ^ a; }"),
    (23, "struct @C@ { int X; int run(this const @C@ &self, int a, int *d) { a ^= self.X; return [&]() -> int {body}(); } static int operator()(int a) { return a ^ number(cudaFree(nullptr)); } int operator[](int a, cudaError_t e) const { return a ^ number(e); } };\nint @f@(int a, int *d) { @C@ x{a}; return x.run(a, d) ^ x(2) ^ x[({i}), ({c})]; }"),
]
for std, text in LATER:
    feature(1.2, std)(text)

COROUTINE = """struct @G@ {
  struct promise_type {
    int Value = 0;
    @G@ get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { CHECK(cudaFree(nullptr)); return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int x) { Value = x; return {}; }
    void return_void() {}
    void unhandled_exception() { trace(23001); }
  };
  std::coroutine_handle<promise_type> H;
  int next() { H.resume(); return H.promise().Value; }
  ~@G@() { H.destroy(); }
};
@G@ @g@(int a, int *d) {
  Noisy n(a);
  co_yield number(cudaMemset(d, a, 4));
  for (int i = 0; i < 2; ++i) { CHECK(cudaDeviceSynchronize()); co_yield (cudaFree(nullptr), n.get() ^ i); }
  trace(number({C}));
}
int @f@(int a, int *d) { auto x = @g@(a, d); auto y = @g@(a + 1, d); int r = x.next(); r ^= y.next(); {S}\nr ^= x.next() ^ y.next(); return r & 1023; }"""
feature(0.6, 20, throws=False)(COROUTINE.replace("{\n  Noisy n(a);", "{\n" + PROLOGUE + "  Noisy n(a);"))

CUDA = lambda s: s.cuda
for text in ("__host__ __device__ int @g@(int x) { return x ^ 1; }\nint @f@(int a, int *d) { add<<<@g@(a) + 1, 1>>>(d, @g@(1)); {rest} }",
             "template <class T> __global__ void @k@(T x, int *p) { p[0] = int(x); }\ntemplate <class T> int @g@(T x, int *d) { @k@<T><<<1, 1>>>(x, d); @k@<<<1, 2>>>(x, d); return number(cudaDeviceSynchronize()); }\nint @f@(int a, int *d) { return @g@(a, d) ^ @g@(2L, d); }",
             "__global__ void @k@(int *p, Pair x) { p[0] = x.First; }\nint @f@(int a, int *d) { void (*k)(int *, Pair) = @k@; k<<<1, 1>>>(d, pair({i}, {i})); @k@<<<1, 2, 0, (cudaFree(nullptr), nullptr)>>>(d, {a, 2}); return a; }",
             "int @f@(int a, int *d) { auto go = [=](int x) { fill<<<x + 1, 1>>>(d); }; go(a); Wrapper w([=] { add<<<1, 1>>>(d, a); return cudaDeviceSynchronize(); }); return w(); }",
             "__device__ int @v@;\n__host__ __device__ inline int @g@(int x) {\n#ifndef __CUDA_ARCH__\n  cudaDeviceSynchronize();\n#endif\n  return x;\n}\nint @f@(int a, int *) { return @g@(a); }"):
    feature(1.2, when=CUDA)(text.replace("{rest}", "return [&]() -> int {body}();"))

for text in ("int @f@(int a, int *d) { cudaMemset(d, undeclared, 4); return a; }", "int @f@(int a, int *d) { return cudaFree(d, a); }",
             "int @f@(int a, int *d) {body} int @g@ = nowhere();", "template <class T> int @g@(T x) { cudaFree(nullptr); return x.none; }\nint @f@(int a, int *) { return @g@(a); }",
             "int @f@(int a, int *d) { CHECK(cudaMemset(d, a, 4) return a; }", "int @f@(int a, int *d) { int x = make(cudaFree(nullptr)); return x; }",
             "static_assert(sizeof(cudaFree(nullptr)) == 1, \"not so\");\nint @f@(int a, int *d) {body}", "int @f@(int a, int *d) { goto nowhere; {S} return a; }",
             "struct @C@ { @C@(int) : X(cudaFree(nullptr)) {} };\nint @f@(int a, int *) { return a; }", "int @f@(int a, int *d) { fill<<<1>>>(d); CHECK(cudaFree(0)); return a; }"):
    head = "int @f@(int a, int *d) { "
    text = text.replace(head, head + PROLOGUE)
    BROKEN.add(1, 0)(lambda g, text=text: g.fill(text))
