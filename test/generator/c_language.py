# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs in C: the calls of CUDA in statements and GNU's expressions."""

from expressions import Maker
from program import Scope, Table

CALL, INT, STATEMENT = Table(), Table(), Table()

PROLOGUE = (
    "  int b = a ^ 5, c = 3, arr[4] = {1, 2, 3, 4};\n  (void)b; (void)c; (void)arr; (void)d;\n"
)
HEAD = """#include <cuda_runtime.h>
#include <trace.h>
#define CHECK(...) do { cudaError_t error_ = (__VA_ARGS__); if (error_) trace_text("failed: " #__VA_ARGS__); } while (0)
#define GNU(...) __extension__({ cudaError_t error_ = (__VA_ARGS__); error_; })
#define DECLARE(name, ...) cudaError_t name = __VA_ARGS__
struct pair { int first, second; };
static inline struct pair pair(int a, int b) { struct pair p = {a, b}; return p; }
static inline int *pick(int *p, int a) { (void)a; return p; }
static inline int both(int a, int b) { return trace((a ^ b) & 1023); }
"""

for text in ("cudaDeviceSynchronize()", "cudaFree(NULL)", "cudaMemset(d, {k}, 4)"):
    CALL.text(text, depth=0)
for text in (
    "cudaMemset(d, {i}, 4)",
    "cudaMemset(pick(d, {i}), {i}, 4)",
    "({i}, {c})",
    "({i} ? {c} : {c})",
    "__extension__({ {s} {c}; })",
    "GNU({c})",
    "cudaMemcpyAsync(d, d, {k}, cudaMemcpyDeviceToDevice, NULL)",
):
    CALL.text(text)
for text in ("{k}", "{v}", "trace({k})"):
    INT.text(text, depth=0)
for text in (
    "both({i}, {i})",
    "(int){c}",
    "({i} ^ {i})",
    "({i} && {i})",
    "({i} || {c})",
    "({c} ? {i} : {i})",
    "({c}, {i})",
    "pair({i}, (int){c}).second",
    "arr[{i} & 3]",
    "__extension__({ {s} {i}; })",
    "((struct pair){{i}, (int){c}}).first",
    "_Generic({c}, cudaError_t: {i}, default: 3)",
    "(int)sizeof(cudaFree(NULL))",
    "*pick(arr, {i})",
    "!{i}",
):
    INT.text(text)
for text in ("{c};", "CHECK({c});", "{v} = {i} & 1023;", "trace({i});", "(void){c};"):
    STATEMENT.text(text, depth=0)
for text in (
    "if ({i})\n{s}",
    "if ({c})\n{s}\nelse\n{s}",
    "for (int @i@ = 0; @i@ < 2; ++@i@)\n{s}",
    "{ int @w@ = 2; while (@w@-- && ({c}, 1)) {b} }",
    "{ int @w@ = 2; do {b} while (--@w@ > 0 && ({c} | 1)); }",
    "{b}",
    "{ DECLARE(@e@, {c}); trace((int)@e@); }",
    "{ cudaError_t @e@ = {c}; {s} trace((int)@e@); }",
    "switch ({i} & 1) {\ncase 0: {s}\ncase 1: {c}; break;\ndefault: {s}\n}",
    "{ if ({i} & 1) goto @out@; {s}\n@out@: {c}; }",
    "{ int @n@ = 2;\n@again@: {s}\nif (@n@-- > 0 && ({c} | 1)) goto @again@; }",
    "if (({i} & 3) == 3)\nreturn {i};",
    "{ int @x@[] = {{i}, (int){c}}; trace(@x@[1]); }",
    "{ struct pair @p@ = {.second = {i}, .first = (int){c}}; trace(@p@.first); }",
    "{ int *@p@ = NULL; CHECK(cudaMalloc((void **)&@p@, 64)); {s} cudaFree(@p@); }",
    "{ cudaError_t (*@f@)(void) = cudaDeviceSynchronize; trace((int)@f@()); }",
):
    STATEMENT.text(text)


class CMaker(Maker):
    def int(self):
        return self.make(INT, "1")

    def call(self):
        return self.make(CALL, "cudaSuccess")

    def fill(self, template):
        template = template.replace("{b}", "{ {s}\n{s} }")
        while "{s}" in template:
            template = template.replace(
                "{s}", self.make(STATEMENT, ";").replace("{", "\x01").replace("}", "\x02"), 1
            )
        return super().fill(template).replace("\x01", "{").replace("\x02", "}")


def fill(program, root):
    program.std = root.pick(["c99", "c11", "c17", "c23"])
    functions = ""
    names = []
    for _ in range(2 + root.below(4)):
        g = CMaker(root.child(), Scope(11, cuda=False), 4)
        if g.node.dropped:
            continue
        names.append(g.node.name("f"))
        static = g.node.pick(["", "static "])
        body = g.fill("\n".join(["{s}"] * (1 + g.node.below(4))))
        functions += f"{static}int {names[-1]}(int a, int *d);\n{static}int {names[-1]}(int a, int *d) {{\n{PROLOGUE}{body}\n  return (a ^ b ^ c) & 1023;\n}}\n"
    calls = "".join(f"  result ^= {name}({index}, device());\n" for index, name in enumerate(names))
    if program.broken:
        functions += "int broken(void) { return cudaFree(undeclared); }\n"
    program.files["base.h"] = "#ifndef BASE_H\n#define BASE_H\n" + HEAD + "#endif\n"
    program.files["main.c"] = (
        f'#include "base.h"\n{functions}int main(void) {{\n  int result = 0;\n{calls}  return trace_exit(result);\n}}\n'
    )
    program.units = ["main.c"]
