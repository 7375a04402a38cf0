# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expressions of generated C++: numbers, calls of CUDA, objects of class Noisy.

All values are from 0 to 1023 and combined without overflow; no object is read
and written without a sequence point between. So a program has no undefined
behaviour, and prints the same in any build of one compiler.
"""

import dataclasses
import re

from program import Table

INT, CALL, NOISY = Table(), Table(), Table()


class Maker:
    """Makes text at one place. The letters of a template: {i} a number, {c} a
    call of CUDA (a cudaError_t), {n} a Noisy, {s} a statement, {b} a block;
    {I} {C} {N} {S} {B} the same where nothing may jump out; {L} and {Q} block
    and statement of a loop, {R} the body of a function that returns int, {v} a
    variable, {k} a literal, {l} a launch, {x} the type parameter, {&} "&" where
    lambdas may capture; @e@ an identifier of this place."""

    def __init__(self, node, scope, depth):
        self.node, self.scope, self.depth = node, scope, depth

    def inner(self, depth=None, **changes):
        return type(self)(
            self.node,
            dataclasses.replace(self.scope, **changes),
            self.depth if depth is None else depth,
        )

    def make(self, table, dropped, size=1):
        sub = type(self)(self.node.child(), self.scope, max(self.depth - size, 0))
        return dropped if sub.node.dropped else table.choose(sub)

    def int(self):
        return self.make(INT, "1")

    def call(self):
        return self.make(CALL, "cudaSuccess")

    def noisy(self):
        return self.make(NOISY, "Noisy(2)")

    def variable(self):
        return self.node.pick(self.scope.ints)

    def literal(self):
        return str(self.node.below(100))

    def closed(self, **changes):
        """This place, where nothing may jump or return out of the expression."""
        return self.inner(loop=False, returns="", **changes)

    def fill(self, template):
        import statements  # which needs this module

        if re.search(r"\b[A-Z_]{3,}\(", template):
            self = self.inner(argument=True)
        makers = {
            "i": self.int,
            "c": self.call,
            "n": self.noisy,
            "k": self.literal,
            "v": self.variable,
            "x": lambda: self.scope.template,
            "I": lambda: self.closed().int(),
            "C": lambda: self.closed().call(),
            "N": lambda: self.closed().noisy(),
            "&": lambda: "&" if self.scope.local else "",
            "l": lambda: statements.launch(self),
            "s": lambda: statements.statement(self),
            "b": lambda: statements.block(self),
            "S": lambda: statements.statement(self.closed()),
            "B": lambda: statements.block(self.closed()),
            "R": lambda: statements.block(self.inner(loop=False, returns="int"), "return {i};"),
            "L": lambda: statements.block(self.inner(loop=True)),
            "Q": lambda: statements.statement(self.inner(loop=True)),
            "body": lambda: statements.body(self),
        }
        text = re.sub(
            r"\{(body|[a-zA-Z&])\}", lambda m: makers[m[1]]() if m[1] in makers else m[0], template
        )
        return re.sub(r"@(\w+)@", lambda m: self.node.name(m[1]), text)


# --- Calls of CUDA -----------------------------------------------------------
# d is a pointer to memory of the device in every generated function.

local = lambda s: s.local
for text in (
    "cudaDeviceSynchronize()",
    "cudaStreamSynchronize(nullptr)",
    "cudaFree(nullptr)",
    "cudaMemset(d, {k}, 8)",
    "cudaGetLastError()",
    "cudaMemsetAsync(d, {k}, 4)",
    "cudaMemcpy(d, d, {k}, cudaMemcpyDeviceToDevice)",
):
    CALL.text(text, depth=0)
for text in (
    "cudaMemset(d, {i}, 4)",
    "cudaMemset(point(d, {i}), {i}, 4)",
    "cudaFree(({i}, nullptr))",
    "cudaMemcpyAsync(d, d, ({i} & 7), cudaMemcpyDeviceToDevice, nullptr)",
    "cudaEventSynchronize(({i}, nullptr))",
    "cudaStreamQuery(nullptr)",
    "({i} & 1 ? cudaFree(nullptr) : {c})",
    "({i}, {c})",
    "({c})",
    "kept({c})",
    "static_cast<cudaError_t>({c})",
    "(::cudaFree)(nullptr)",
    "::cudaMemset(d, {i}, 1)",
):
    CALL.text(text)
for text in (
    "cudaMemcpy(&{v}, d, 1, cudaMemcpyDefault) == cudaSuccess ? {c} : {c}",
    "[&]() -> cudaError_t { return {C}; }()",
    "[&] { {S} return {C}; }()",
):
    CALL.text("(" + text + ")", when=local)
CALL.text("({ cudaError_t @e@ = {c}; @e@; })", when=local)
CALL.text("({ {s} {c}; })", depth=2, when=local)
CALL.text("[] { return cudaDeviceSynchronize(); }()", weight=0.5)
CALL.text("GNU({c})", when=local)
CALL.text("PAREN({c})")
CALL.text("ECHO({c})")
CALL.text("SYNC_NOW", depth=0)
CALL.text("SYNC()", depth=0)


# --- Numbers -----------------------------------------------------------------

INT.text("{k}", depth=0)
INT.text("{v}", depth=0, weight=2)
INT.text("trace({k})", depth=0, weight=2)
for text in (
    "trace({i})",
    "both({i}, {i})",
    "({i} ^ {i})",
    "({i} + {i}) % 512",
    "({i} & {i})",
    "({i} < {i})",
    "({i} && {i})",
    "({i} || {i})",
    "({i} ? {i} : {i})",
    "({i}, {i})",
    "!{i}",
    "-({i}) % 2 + 3",
    "static_cast<int>({i})",
    "(int){c}",
    "offset<3>({i})",
    "pair({i}, {i}).Second",
    "Pair{{i}, {i}}.First",
    "(Pair{static_cast<int>({c}), {i}}).First",
    "apply([] { return {k}; })",
    "byDefault({i})",
    "byDefault({i}, {c})",
    "ignore({c}, {n}, {i})",
    "(int)sizeof(cudaFree(nullptr))",
    "(int)noexcept(cudaFree(nullptr))",
    "*new int({i})",
    "number(*new cudaError_t({c}))",
):
    INT.text(text, depth=2 if text.count("{i}") > 1 else 1)
for text in (
    "number({c})",
    "({c} == cudaSuccess)",
    "({c} != {c})",
    "trace(number({c}))",
    "both(number({c}), number({c}))",
    "(int)({c})",
    "({c} ? {i} : {i})",
    "(number({c}) && {i})",
    "(({c}, {i}))",
    "static_cast<int>({c})",
    "static_cast<int>(__builtin_expect({c} == cudaSuccess, 1))",
):
    INT.text(text, weight=2)
for text in (
    "{n}.get()",
    "value({n})",
    "sink({n}, {i})",
    "sink({i}, number({c}))",
    "({n})[({i})]",
    "{n}({i}, number({c}))",
    "{n}.self().ref()",
    "through({n}).get()",
    "({n} ? {i} : {i})",
    "({n}, {i})",
    "{n}->get()",
    "({i} ? {n} : {n}).get()",
    "(({c}, {n})).get()",
    "[](Noisy n_) { return n_.get(); }({n})",
):
    INT.text(text, weight=1.3)
for text in (
    "pick({v}, {i})",
    "({v} = {i})",
    "(pick({v}, {i}) = {i})",
    "(*&{v} ^ {i})",
    "arr[({i}) & 3]",
    "arr[number({c}) & 3]",
    "(arr[({i}) & 3] = {i})",
    "({v} = number({c}))",
    "(++arr[({i}) & 3] & 1023)",
    "(*point(&{v}, {i}) = number({c}))",
    "(&{v})[({c}) & 0]",
):
    # The assigned variable must not be read beside: a call makes it sequenced.
    if "=" in text or "++" in text:
        text = "[&]() -> int { return " + text.replace("{i}", "{I}").replace("{c}", "{C}") + "; }"
        text += "()"
    INT.text(f"({text})", when=local)
for text in (
    "[{&}] { return {I}; }()",
    "[{&}](int x) { return x ^ {I}; }({i})",
    "apply([{&}] { return {C}; })",
    "apply([{&}]() -> int { return {I}; })",
):
    INT.text(text)
INT.text("[&]() -> int {R}()", depth=2, when=local)
INT.text("apply([&]() -> int {R})", depth=2, when=local)
INT.text(
    "[&](int x, cudaError_t e = cudaMemset(nullptr, {k}, 4)) { return x ^ number(e); }({i})",
    weight=0.5,
    when=local,
)
INT.text("[=]() mutable { {S} return {I}; }()", when=local)
INT.text("[x = {i}, e = {c}] { return x ^ number(e); }()", std=14)
INT.text("[{&}](auto x) { return number({C}) ^ x; }({i})", std=14)
INT.text("[{&}](auto... x) { return (({I}) ^ ... ^ x); }({i}, number({c}))", std=17)
INT.text("[{&}]<class @U@>(@U@ x) { return static_cast<@U@>({C}) ^ x; }({i})", std=20)
INT.text(
    "[{&}](auto x) constexpr { if constexpr (sizeof(x) == 4) return x; else return {I}; }({i})",
    std=17,
    weight=0.5,
)
INT.text("({ {s} {i}; })", when=local, weight=1.5)
INT.text("({ Noisy @n@({i}); {s} @n@.get() ^ number({c}); })", depth=2, when=local)
INT.text("({ const Noisy &@r@ = {n}; {s} @r@.get(); })", depth=2, when=local)
INT.text("({i} == 1000 ? throw 3 : {i})", when=lambda s: s.throws, weight=0.3)
INT.text("({i} & 1 ? throw number({c}) : {i})", when=lambda s: s.throws, weight=0.3)
INT.text("static_cast<int>({x}({i}))", when=lambda s: s.template, weight=3)
INT.text("number(GNU({c}))", when=local)
INT.text("(VALUE({c}))")
INT.text("MAXIMUM(({i}), ({i}))", depth=2, when=local)


# --- Objects -----------------------------------------------------------------

NOISY.text("Noisy({k})", depth=0)
for text in (
    "Noisy({i})",
    "Noisy{{i}}",
    "make({i})",
    "named({i})",
    "make(number({c}))",
    "Noisy(number({c}))",
    "({i} ? {n} : {n})",
    "({i}, {n})",
    "({c}, {n})",
    "{n}.copy()",
    "Noisy({n})",
    "({n} + {n})",
    "Noisy({n}.self())",
    "[] { return Noisy(3); }()",
):
    NOISY.text(text)
NOISY.text("[&] { Noisy n({I}); {S} return n; }()", when=local)
# In parentheses: `Noisy(a);` declares a variable, and so may `Noisy(a)[1]`.
NOISY.text("({ {s} ({n}); })", when=local)
NOISY.text("({c} ? Noisy({i}) : throw Noisy({i}))", when=lambda s: s.throws, weight=0.3)
