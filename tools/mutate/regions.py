"""Reads C as far as a mutation needs it: tokens, function bodies, and the pieces of them that can be
replaced by a choice between two texts.

A region is a piece of a body that can be guarded: an expression (then the guard is `?:`) or a complete
statement (then it is `if`). Constant expressions (case labels, sizes of arrays, static data) are in none.
"""

import collections
import re

TOKEN = re.compile(r"""
    (?P<skip>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<pp>(?<![^\n])[ \t]*\#(?:\\\n|[^\n])*)
  | (?P<str>L?"(?:\\.|[^"\\\n])*")
  | (?P<chr>L?'(?:\\.|[^'\\\n])*')
  | (?P<num>\.?\d(?:[eEpP][+-]|[\w.])*)
  | (?P<id>[A-Za-z_]\w*)
  | (?P<op>\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)
""", re.X | re.S)

Token = collections.namedtuple("Token", "kind text start end")
# kind: condition, loop (a condition of one), value, return, statement or jump. The tokens are first to last - 1.
Region = collections.namedtuple("Region", "kind first last result function")

OPEN, CLOSE = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}
# Statements that begin so hold constants or nothing that can be guarded.
LEFT_ALONE = {"static", "typedef", "enum", "extern", "_Static_assert", "_Alignas", "goto", "assert"}
QUALIFIERS = {"const", "volatile", "unsigned", "signed", "struct", "union", "register", "_Atomic"}


def tokenize(text):
    tokens = []
    for match in TOKEN.finditer(text):
        if match.lastgroup != "skip":
            tokens.append(Token(match.lastgroup, match[0], match.start(), match.end()))
    return tokens


class Body:
    """Finds the regions of one file."""

    def __init__(self, text):
        self.text = text
        self.tokens = tokenize(text)
        self.result = self.function = ""
        self.regions = []
        i = 0
        while i < len(self.tokens):
            i = self.outside(i)

    def at(self, i):
        return self.tokens[i].text if i < len(self.tokens) else ""

    def match(self, i):
        """The place of the bracket that closes the one at i."""
        depth = 0
        for k in range(i, len(self.tokens)):
            if self.tokens[k].kind != "op":
                continue
            depth += self.at(k) in OPEN
            depth -= self.at(k) in CLOSE
            if depth == 0:
                return k
        raise ValueError("unbalanced brackets")

    def find(self, i, end, wanted):
        """The next token among `wanted` that is in no bracket, or the end."""
        while i < end:
            if self.at(i) in wanted and self.tokens[i].kind == "op":
                return i
            i = self.match(i) + 1 if self.at(i) in OPEN else i + 1
        return end

    def outside(self, i):
        """Steps over one token outside of functions, or over a function."""
        if self.at(i) != "{":
            return i + 1
        end = self.match(i)
        if i and self.at(i - 1) == ")":
            self.signature(i)
            self.block(i + 1, end)
        return end + 1

    def signature(self, i):
        depth, k = 0, i - 1
        while k > 0:
            depth += self.at(k) == ")"
            depth -= self.at(k) == "("
            if depth == 0:
                break
            k -= 1
        self.function = self.at(k - 1)
        words, k = [], k - 2
        while k >= 0 and (self.tokens[k].kind == "id" or self.at(k) == "*"):
            words.insert(0, self.at(k))
            k -= 1
        self.result = " ".join(word for word in words if word not in ("static", "inline", "const", "_Noreturn"))

    def add(self, kind, first, last):
        if first < last and all(token.kind != "pp" for token in self.tokens[first:last]):
            self.regions.append(Region(kind, first, last, self.result, self.function))

    def block(self, i, end):
        while i < end:
            i = self.statement(i, end)

    def statement(self, i, end):
        word = self.at(i)
        if self.tokens[i].kind == "pp" or word in (";", "else", "do"):
            return i + 1
        if word == "{":
            close = self.match(i)
            self.block(i + 1, close)
            return close + 1
        if word in ("if", "while", "switch", "for") and self.at(i + 1) == "(":
            return self.head(word, i + 1)
        if word in ("case", "default") or (self.tokens[i].kind == "id" and self.at(i + 1) == ":"):
            return self.find(i, end, {":"}) + 1
        semicolon = self.find(i, end, {";"})
        if word == "return":
            self.add("return", i + 1, semicolon)
        elif word in ("break", "continue"):
            self.add("jump", i, semicolon + 1)
        elif word not in LEFT_ALONE:
            self.simple(i, semicolon)
        return semicolon + 1

    def head(self, word, i):
        close = self.match(i)
        if word == "for":
            first = self.find(i + 1, close, {";"})
            second = self.find(first + 1, close, {";"})
            self.declaration(i + 1, first)
            self.add("loop", first + 1, second)
        else:
            self.add({"if": "condition", "while": "loop", "switch": "value"}[word], i + 1, close)
        return close + 1

    def simple(self, i, semicolon):
        if self.is_declaration(i):
            self.declaration(i, semicolon)
        else:
            self.add("statement", i, semicolon + 1)

    def is_declaration(self, i):
        if self.at(i) in QUALIFIERS:
            return True
        k = i + 1
        while self.at(k) == "*" or self.at(k) in QUALIFIERS:
            k += 1
        return self.tokens[i].kind == "id" and self.tokens[k].kind == "id"

    def declaration(self, i, end):
        while i < end:
            equals = self.find(i, end, {"="})
            comma = self.find(equals, end, {","})
            self.initializer(equals + 1, comma)
            i = comma + 1

    def initializer(self, first, last):
        if first >= last:
            return
        if self.at(first) != "{":
            self.add("value", first, last)
            return
        i, close = first + 1, self.match(first)
        while i < close:
            comma = self.find(i, close, {","})
            self.initializer(self.find(i, comma, {"="}) + 1 if self.at(i) in (".", "[") else i, comma)
            i = comma + 1


def regions(text):
    body = Body(text)
    return body.tokens, body.regions
