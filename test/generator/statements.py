# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements and blocks of generated C++.

A statement may stand anywhere, also alone behind `if`, and declares nothing
that those behind it could see. The pieces of a block may.
"""

from expressions import local
from program import Table

STATEMENT, PIECE, LAUNCH = Table(), Table(), Table()


def statement(g):
    return g.make(STATEMENT, ";")


def launch(g):
    """An expression of type void: a kernel launch, where there are kernels."""
    return g.make(LAUNCH, "(void)0", 2)


def block(g, end=""):
    """`end` is filled behind the pieces."""
    pieces = []
    for _ in range(1 + g.node.below(4)):
        sub = type(g)(g.node.child(), g.scope, max(g.depth - 1, 0))
        pieces.append("" if sub.node.dropped else PIECE.choose(sub))
    if end:
        pieces.append(g.inner(depth=max(g.depth - 1, 0)).fill(end))
    return "{\n" + "\n".join(filter(None, pieces)) + "\n}"


PROLOGUE = (
    "int b = a ^ 5, c = 3, arr[4] = {a, 2, 3, 4};\n"
    "(void)a; (void)b; (void)c; (void)d; (void)arr;\n"
)


def body(g):
    """The body of a function that has an int `a` and a pointer `d`."""
    inner = g.inner(returns="int", loop=False, local=True, argument=False)
    sub = type(g)(g.node.child(), inner.scope, g.depth)
    pieces = "" if sub.node.dropped else block(sub)[2:-2]
    return "{\n" + PROLOGUE + pieces + "\nreturn (a ^ b ^ c ^ arr[1]) & 1023;\n}"


# --- Launches ----------------------------------------------------------------

cuda = lambda s: s.cuda
LAUNCH.text("(void){i}", depth=0)
for text in (
    "fill<<<1, 2>>>(d)",
    "add<<<{k} + 1, 2>>>(d, {i})",
    "fill<<<dim3({i} + 1), dim3(4, 2)>>>(point(d, {i}))",
    "typed<{k}><<<1, 32>>>(d, {i})",
    "typed<3, long><<<1, 32, 16, nullptr>>>(d, number({c}))",
    "add<<<number({c}) + 1, 1, {i}>>>(d, number({c}))",
    "inside::kernel<<<2, 2>>>(d)",
    "LAUNCH(fill, d)",
    "add<<<1, 1>>>(d, {n}.get())",
):
    LAUNCH.text(
        text,
        depth=0 if "{i}" not in text and "{c}" not in text and "{n}" not in text else 1,
        when=cuda,
        weight=2,
    )


# --- Statements --------------------------------------------------------------

for text in (
    "{c};",
    "(void){c};",
    "{c};",
    "trace({i});",
    "{v} = {i} & 1023;",
    "{v} = number({c});",
    "{l};",
    "arr[({i}) & 3] = {i};",
    "({n});",
    "(void){n};",
):
    STATEMENT.text(text, depth=0 if text in ("{c};", "trace({i});", "{l};") else 1, weight=1.5)
for text in (
    "if ({i})\n{s}",
    "if ({i})\n{s}\nelse\n{s}",
    "if ({c} == cudaSuccess)\n{s}\nelse if ({c})\n{s}",
    "if ({i}) {b} else {b}",
    "if ({c}) {b}",
    "if (int @x@ = {i})\n{s}\nelse\ntrace(@x@);",
    "if (cudaError_t @e@ = {c}) trace(number(@e@));",
    "if (Noisy @n@{{i}}) {b}",
    "for (int @i@ = 0; @i@ < 2; ++@i@)\n{Q}",
    "for (int @i@ = 0; @i@ < 3; ++@i@) {L}",
    "for (int @i@ = (({C}, 0)); @i@ < 2 && ({C}, true); ({C}, ++@i@))\n{Q}",
    "for (Noisy @n@({I}); @n@.ref() > 0; @n@.ref() /= 16) {L}",
    "FOR_EACH(@i@, 2)\n{Q}",
    "FOR_EACH(@i@, 3) {L}",
    "REPEAT(2, {S})",
    "REPEAT(2, { {S} {S} })",
    "{ int @w@ = 2; while (@w@-- > 0) {L} }",
    "{ int @w@ = 2; while (@w@-- && (({C}), true))\n{Q} }",
    "{ int @w@ = 2; do {L} while (--@w@ > 0 && ({C} + 1)); }",
    "{ int @w@ = 3; while (int @x@ = @w@--) { trace(@x@); {Q} } }",
    "{ int @w@ = 2; do\n{Q}\nwhile (@w@-- > 0); }",
    "do {L} while (({C}, false));",
    "for (int @x@ : arr)\n{ trace(@x@ & 1023); {Q} }",
    "for (int @x@ : Counts{0, 2}) { trace(@x@); {Q} }",
    "for (const int &@x@ : make({I})) { trace(@x@); {Q} }",
    "for (int @x@ : Counts{number({C}) & 1, 2})\ntrace(@x@);",
    "{b}",
    "{b}",
    "{ Noisy @n@({i}); {s} }",
):
    STATEMENT.text(text, depth=2)
STATEMENT.text("{l};", depth=0, weight=6, when=cuda)
for text in (
    "if ({i})\n{l};",
    "if ({i})\n{l};\nelse\n{l};",
    "({i}, {l});",
    "({i} ? {l} : {l});",
    "({l}, {l});",
    "for (int @i@ = 0; @i@ < 2; ++@i@)\n{l};",
    "for (int @i@ = 0; @i@ < 2; {l}, ++@i@)\n{s}",
    "{i} && ({l}, true);",
    "(void)({i} || ({l}, false));",
    "[&] { {l}; }();",
    "apply([&] { {l}; return 1; });",
    "({ {l}; });",
    "LAUNCH_CHECKED(fill, d);",
    "while (({l}, false)) ;",
):
    STATEMENT.text(text, when=lambda s: s.cuda and s.local)

# Macros of support.py.
for text in (
    "CHECK({c});",
    "CHECK({c});",
    "CHECK(GNU({c}));",
    "CHECK(PAREN({c}));",
    "NESTED({c});",
    "TRY({c});",
    "BLOCK({c})",
    "EXPECT({c});",
    "TWICE(cudaMemset(d, {v} & 7, 4));",
    "TWO(({c}), {c});",
    "ECHO({c});",
    "PAREN({c});",
    "WITH_SEMICOLON",
    "CALL_WITH_SEMICOLON({c})",
    "IF_OK({c})\n{s}",
    "IF_OK({c}) {b}",
    "IF_OK({c}) trace({k}); else {b}",
    "SHOW({i});",
    "{v} = SHOW({i}) & 1023;",
    "RUN({ {S} {S} });",
    "DISPATCH({S} {S});",
    "DISPATCH({l};);",
    "CHECK(({i}, {c}));",
    "{ DECLARE(@e@, {c}); trace(number(@e@)); }",
    "{ Noisy UNIQUE(@u@)({i}); {s} }",
    "ALL({c}, {c});",
    "TWO(CHECK({c}), {l});",
    "TWICE(({v} = 3, cudaFree(nullptr)));",
    "CHECK_LINE({c});",
    "if ({i}) CHECK({c}); else CHECK({c});",
    "OPENED({c}) trace({k}); CLOSED",
    "SYNC();",
):
    STATEMENT.text(text, weight=0.8, when=local)
for text in (
    "return {i};",
    "return number({c});",
    "return {n}.get();",
    "return (({c}, {i}));",
    "RETURN({i});",
    "return static_cast<int>({c});",
    "return [&] { return {I}; }();",
):
    STATEMENT.text("if (({i} & 3) == 3)\n" + text, weight=0.4, when=lambda s: s.returns == "int")
STATEMENT.text("if (({i} & 3) == 3)\nreturn;", weight=0.4, when=lambda s: s.returns == "void")
STATEMENT.text("if ({i} & 1) break;", weight=2, when=lambda s: s.loop)
STATEMENT.text("if ({i} & 1) continue;", weight=2, when=lambda s: s.loop)
STATEMENT.text("{ Noisy @n@({i}); if ({c}) break; }", weight=2, when=lambda s: s.loop)
for text in (
    "if ({i} & 1) throw Noisy({i});",
    "if ({i} & 1) throw number({c});",
    "if ({c}) throw {c};",
    "if (({i} & 3) == 1) throw ({c}, 4);",
):
    STATEMENT.text(text, weight=0.3, when=lambda s: s.throws)
# Only what `catch (...)` belongs to may throw anything, also where the function may not.
for text, handlers in (
    (
        "try {b} ",
        "catch (int @x@) { trace(@x@); {s} } catch (const Noisy &@x@) { trace(@x@.get()); } catch (...) {b}",
    ),
    ("", "try { {s} throw {n}; } catch (Noisy &@x@) { @x@.ref() = {i}; {s} }"),
    (
        "",
        "try { trace({i} ? throw {c} : {i}); } catch (cudaError_t @x@) { trace(number(@x@)); {s} }",
    ),
    ("try { try {b} catch (int) { {s} throw; } } ", "catch (...) {b}"),
):
    STATEMENT.add(1, 2, when=local)(
        lambda g, text=text, handlers=handlers: g.inner(throws=True).fill(text) + g.fill(handlers)
    )


@STATEMENT.add(2, 2, when=local)
def switch(g):
    """Cases that fall through, declare, stand in a nested block."""
    body = ""
    for number in range(4):
        label = g.node.pick(
            [
                f"case {number}:",
                f"case {number}:",
                f"case {number}: case {number + 10}:",
                "CASE({})".format(number),
            ]
        )
        action = g.node.pick(
            [
                "{q}",
                "{c};",
                "{ int @x@" + str(number) + " = {i}; trace(@x@" + str(number) + "); }",
                "{l};",
                "CHECK({c});",
                "{b}",
            ]
        ).replace("{q}", "{s}")
        end = g.node.pick(["break;", "break;", ""])
        body += g.inner(loop=False).fill(f"{label}\n{action}\n") + end + "\n"
    head = g.fill(
        g.node.pick(["{I} & 3", "number({C}) & 3", "int @h@ = {I} & 3", "({C}, {I} & 3)"])
    )
    # `continue` and `break` of the loop around must not be meant by mistake.
    return f"switch ({head}) {{\n{body}default:\n" + g.inner(loop=False).fill("{s}") + "\n}"


@STATEMENT.add(0.5, 3, when=local)
def duff(g):
    """A case in the middle of a loop."""
    return g.inner(loop=False).fill(
        "{ int @n@ = 2; switch ({I} & 1) {\ncase 0: do { {S}\ncase 1: {S}\n"
        "} while (--@n@ > 0);\n} }"
    )


for text in (
    "{ int @n@ = 2;\n@again@: {S}\nif (@n@-- > 0 && ({C}, true)) goto @again@; }",
    "{ if ({i} & 1) goto @out@; {S} {S}\n@out@: {c}; }",
    "{ for (int @i@ = 0; @i@ < 3; ++@i@) { Noisy @n@(@i@); if ({I} & 1) goto @out@; {S} }\n@out@: ; }",
    "{ if ({i} & 1) goto @else@; {S} goto @end@;\n@else@: {S}\n@end@: trace({i}); }",
    "{ trace({i} ^ ({ if ({c}) goto @out@; {i}; })); {S}\n@out@: ; }",
    "{ try { if ({I}) goto @out@; {S} } catch (...) { trace(1); }\n@out@: {s} }",
    "{\n@l@: Noisy @n@({i}); if (({I} & 7) == 7 && @n@.get() > 900) goto @l@; }",
):
    STATEMENT.text(text, depth=2, when=local, weight=0.6)
STATEMENT.text(
    "{ void *@t@ = {I} & 1 ? &&@l@ : &&@m@; goto *@t@;\n@l@: {c};\n@m@: {c}; }",
    depth=1,
    weight=0.1,
    when=local,
)

# Later standards.
for std, text in (
    (17, "if (int @x@ = {i}; @x@ > number({c}))\n{s}"),
    (17, "if (auto @e@ = {c}; @e@ == cudaSuccess) {b} else {b}"),
    (17, "switch (Noisy @n@({i}); @n@.get() & 1) { case 0: {c}; break; default: {S} }"),
    (17, "if constexpr (sizeof(int) == 4)\n{s}\nelse\n{s}"),
    (17, "{ auto [@x@, @y@] = pair({i}, number({c})); trace(@x@ ^ @y@); }"),
    (17, "{ auto &&[@x@, @y@] = pair({i}, {i}); {s} @x@ = 3; trace(@x@ + @y@); }"),
    (20, "for (int @w@ = {I} & 1; int @x@ : Counts{@w@, 2}) { trace(@x@); {Q} }"),
    (20, "for ({C}; int @x@ : arr)\n{Q}"),
    (20, "if ({i}) [[likely]]\n{s}\nelse [[unlikely]]\n{s}"),
    (20, "if (requires { cudaFree(nullptr); })\n{c};"),
    (23, "for (int @x@ : Counts{make({I}).get() & 1, 2}) { trace(@x@); {Q} }"),
    (23, "if consteval { trace(1); } else {b}"),
    (23, "{ {s}\n@end@: }"),
):
    STATEMENT.text(text, depth=2, std=std, when=local)


# --- Pieces of a block -------------------------------------------------------

PIECE.text("{s}", depth=0, weight=30)
for text in (
    "int @x@ = {i}; trace(@x@);",
    "int @x@ = number({c}), @y@ = {i}; trace(@x@ ^ @y@);",
    "cudaError_t @e@ = {c};\n{s}\ntrace(number(@e@));",
    "cudaError_t @e@{{c}}; trace(number(@e@));",
    "const auto @e@ = {c}; trace(number(@e@));",
    "auto &&@e@ = {c};\n{s}\ntrace(number(@e@));",
    "const cudaError_t &@e@ = {c};\n{s}\ntrace(number(@e@));",
    "Noisy @n@({i});",
    "Noisy @n@ = {n};\n{s}",
    "const Noisy &@n@ = {n};\n{s}\ntrace(@n@.get());",
    "Noisy &&@n@ = {n};\n@n@.ref() = {i};",
    "const Noisy &@n@ = ({c}, {n});\n{s}",
    "const Noisy &@n@ = {c} ? {n} : {n};\n{s}",
    "auto @n@ = Noisy(number({c}));",
    "Noisy @n@(number({c})), @m@({i});\n{s}",
    "Noisy @n@{number({c})};",
    "const Noisy @n@[2] = {{i}, number({c})};\n{s}",
    "Noisy @n@[] = {{n}, Noisy({i})};",
    "int @x@[] = {{i}, static_cast<int>({c}), {i}}; trace(@x@[0] ^ @x@[2]);",
    "Pair @p@ = {{i}, (int){c}}; trace(@p@.First ^ @p@.Second);",
    "Pair @p@{number({c}), {i}}; trace(@p@.Second);",
    "static int @x@ = {I};\ntrace(@x@);",
    "static Noisy @n@(number({C}));",
    "static const cudaError_t @e@ = {C};",
    "volatile int @x@ = number({c}); trace(@x@);",
    "int &@x@ = pick({v}, {i});\n@x@ = {i};",
    "auto @f@ = [&](int x) { {S} return x ^ {I}; };\ntrace(@f@({i})); {s}",
    "auto @f@ = [&] { return {C}; };\nCHECK(@f@());",
    "Wrapper @w@([&] { return {C}; });\ntrace(@w@()); {s}",
    "Wrapper @w@(cudaDeviceSynchronize);\ntrace(@w@());",
    "cudaError_t (*const @f@)(void *) = cudaFree;\ntrace(number(@f@(nullptr)));",
    "cudaError_t (*@f@)() = {I} ? cudaDeviceSynchronize : &cudaDeviceReset;\ntrace(number(@f@()));",
    "auto *@n@ = new Noisy({i});\n{s}\ndelete @n@;",
    "Noisy *@n@ = new Noisy[2]{{i}, number({c})};\n{S}\ndelete[] @n@;",
    "delete new Noisy(number({c}));",
    "delete ({c}, new Noisy({i}));",
    "int *@p@ = nullptr;\nCHECK(cudaMalloc(&@p@, 64));\n{S}\nCHECK(cudaFree(@p@));",
    "void *@p@;\nCHECK(cudaMallocHost(&@p@, {i} + 1));\n{s}",
    "int *@p@; cudaMallocManaged(&@p@, 16 + number({c}));\ncudaMemcpy(@p@, &{v}, 4, cudaMemcpyHostToDevice);",
    "int *@p@; (void)cudaMallocAsync(&@p@, 8, nullptr); cudaFreeAsync(@p@, nullptr);",
    "cudaStream_t @s@; CHECK(cudaStreamCreate(&@s@));\n{S}\nCHECK(cudaStreamSynchronize(@s@)); cudaStreamDestroy(@s@);",
    "cudaEvent_t @e@; cudaEventCreate(&@e@); cudaEventRecord(@e@, nullptr);\n{S}\nCHECK(cudaEventSynchronize(@e@));",
    "DECLARE(@e@, {c});\ntrace(number(@e@));",
    "ECHO({c}; {c});",
    "ECHO({c}; {s})",
    "DECLARE_TWO(@e@, ({c}), ({c}));\ntrace(number(@e@1));",
    "struct @L@ { static int run(int a) { return trace(a ^ number(cudaFree(nullptr))); } };\ntrace(@L@::run({i}));",
    "struct @G@ { ~@G@() { cudaDeviceSynchronize(); trace(1); } } @g@;\n{s}",
    "struct @M@ { Noisy O; int X = number(cudaFree(nullptr)); @M@(int A) : O(A) { cudaDeviceSynchronize(); } } @m@({i});\n{s}\ntrace(@m@.X);",
    "using @t@ = decltype(number(cudaFree(nullptr)));\n@t@ @e@ = number({c}); trace(@e@);",
    "int @x@ [[gnu::unused]] = {i};",
    "typedef cudaError_t (*@F@)();\nstatic @F@ const @f@ = &cudaDeviceSynchronize;\ntrace(number(@f@()) ^ number((*@f@)()));",
    "__attribute__((cleanup(cleaned))) int @x@ = {i};\n{s}",
    "extern int other_variable;\n{s}",
    "int @x@; if ({i}) @x@ = {i}; else @x@ = number({c});\ntrace(@x@);",
    '(void)sizeof(cudaDeviceSynchronize()); static_assert(noexcept(1), "");',
    "trace(__LINE__); trace_text(__func__);",
):
    PIECE.text(text, when=local)
for text in (
    "thrust::device_vector<int> @v@(3);\n{s}\ntrace((int)@v@.size());",
    "thrust::device_vector<int> @v@({i} + 1, number({c}));",
    "thrust::device_vector<int> @v@(2), @w@(@v@);\n{s}",
    "trace((int)thrust::device_vector<float>({i} + 1).size());",
    "struct @H@ { int X; thrust::device_vector<int> V; @H@(int A) : X(A), V(A + 1) {} };\n@H@ @h@({i});\n{s}\ntrace(@h@.X);",
    "auto *@v@ = new thrust::device_vector<int>(4);\n{S}\ndelete @v@;",
    "thrust::device_vector<int> @v@;\n{s}",
):
    # nvcc finds Thrust's own, which needs more of CUDA than the fake has.
    PIECE.text(text, weight=0.8, when=lambda s: s.local and not s.nvcc)


whole = lambda s: s.local and not s.argument
PIECE.text("#pragma GCC diagnostic push\n{s}\n#pragma GCC diagnostic pop", when=whole)
PIECE.text("#if __cplusplus > 1\n{s}\n#else\ncudaFree(nullptr);\n#endif", when=whole)


@PIECE.add(0.7, 2, when=whole)
def included(g):
    """Statements in a file of their own."""
    name = g.node.name("body") + ".inc"
    g.node.program.files[name] = g.fill("{S}\n{S}\n")
    return f'#include "{name}"'
