"""The mistakes: for a region, all texts that a person could have written by mistake.

Left out, because no test of results can notice them:
- what is inside of sizeof, offsetof, _Alignof and prefetches, and expected values of __builtin_expect;
- dropped calls that free or close something, and all of functions called *_free: leaks are for the sanitizers;
- numbers above 1 in texts that compute a capacity (`capacity ? capacity * 2 : 64`): how fast a buffer grows;
- texts with a number of `threads`, which changes only the time that something takes.
"""

import re

from regions import OPEN, CLOSE

COMPARE = {"<": ("<=", ">"), "<=": ("<",), ">": (">=", "<"), ">=": (">",), "==": ("!=",), "!=": ("==",)}
LOGIC = {"&&": ("||",), "||": ("&&",)}
ARITHMETIC = {"+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "%": ("/",), "<<": (">>",), ">>": ("<<",),
              "&": ("|",), "|": ("&",), "^": ("&",), "+=": ("-=", "="), "-=": ("+=", "="), "*=": ("/=",),
              "/=": ("*=",), "|=": ("&=", "="), "&=": ("|=",), "^=": ("|=",), "<<=": (">>=",), ">>=": ("<<=",)}
WORDS = {"true": "false", "false": "true", "RP_MIN": "RP_MAX", "RP_MAX": "RP_MIN", "floor": "ceil",
         "ceil": "floor", "sin": "cos", "cos": "sin", "fmin": "fmax", "fmax": "fmin"}
# How often a kind is chosen, if there is one left of it.
WEIGHTS = {"comparison": 16, "logic": 8, "arithmetic": 12, "constant": 16, "negated": 10, "check removed": 12,
           "dropped": 16, "status ignored": 6, "swapped arguments": 10, "result": 8, "word": 5,
           "swapped arms": 4, "early return": 3}

INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)")
FLOAT = re.compile(r"(\d*\.\d*|\d+)(e[-+]?\d+)?([fF]?)")
NUMBERS = re.compile(r"(u?int\d*(_t)?|size_t|ssize_t|unsigned|long|double|float|char|int)( long)*")
CAPACITY = re.compile(r"\w*capacity")
# What is only for the optimizer, or a constant expression, or memory that a leak checker looks after.
NOT_INSIDE = {"sizeof", "offsetof", "_Alignof", "__builtin_expect", "__builtin_prefetch", "RP_COUNT_OF"}
NOT_DROPPED = re.compile(r"(\w*[Ff]ree\w*|RP_UNUSED|\w*_close|\w*destroy|\w*_end_free|close|fclose|rp_prefetch\w*|"
                         r"__builtin_prefetch|va_end|abort)")


def joined(tokens, text, changed=None):
    """The text of tokens on one line, without comments. `changed` maps places to other texts."""
    changed = changed or {}
    parts = []
    for i, token in enumerate(tokens):
        if i and text[tokens[i - 1].end:token.start]:
            parts.append(" ")
        parts.append(changed.get(i, token.text))
    return "".join(parts)


def matching(tokens, i):
    depth = 0
    for k in range(i, len(tokens)):
        if tokens[k].kind == "op":
            depth += tokens[k].text in OPEN
            depth -= tokens[k].text in CLOSE
        if depth == 0:
            return k
    return len(tokens) - 1


def hidden_places(tokens):
    """Places inside sizeof and its kin. Without brackets, sizeof takes a name."""
    hidden = set()
    for i, token in enumerate(tokens[:-1]):
        if token.text in NOT_INSIDE:
            first = i + 1
            last = matching(tokens, first) if tokens[first].text == "(" else first + 4
            if token.text == "__builtin_expect":  # only the expected value
                first = last - 1
            hidden.update(range(first, last + 1))
    return hidden


def is_binary(tokens, i):
    if not 0 < i < len(tokens) - 1:
        return False
    before, after = tokens[i - 1], tokens[i + 1]
    operand = before.kind in ("id", "num", "chr") or before.text in (")", "]")
    return operand and before.text not in ("return", "sizeof") and after.text not in (")", ",", "*", "]")


def other_numbers(text):
    match = INTEGER.fullmatch(text)
    if match:
        value = int(match[1], 0) if match[1] == "0" or not match[1].startswith("0") or match[1][1:2] in "xX" else None
        if value is None:
            return []
        show = hex if match[1][:2].lower() == "0x" else str
        values = {value + 1} | ({value - 1} if value else set()) | ({value * 2} if value > 8 else set())
        return [show(other) + match[2] for other in sorted(values)]
    match = FLOAT.fullmatch(text)
    if match and match[1] != ".":
        value = float(match[1] + (match[2] or ""))
        return [repr(other) + match[3] for other in ((value * 2, value + 1) if value else (1.0,))]
    return []


def is_sign_only(tokens, i):
    """A number of which only the sign counts: `-1`, and 0 that the result of a comparison is compared with."""
    before = tokens[i - 1].text if i else ""
    if tokens[i].text == "1":
        return before == "-" and not is_binary(tokens, i - 1)
    return tokens[i].text == "0" and i > 1 and before in ("==", "!=", "<", ">") and tokens[i - 2].text == ")"


def is_growth(tokens, i):
    """A factor or a first size of a buffer, in a text that computes its capacity."""
    return tokens[i].text not in ("0", "1") and any(CAPACITY.fullmatch(token.text) for token in tokens)


def operators(region, tokens, hidden):
    """(kind, place, other text) of single tokens."""
    computes = region.kind not in ("condition", "loop")
    for i, token in enumerate(tokens):
        if i in hidden:
            continue
        if token.kind == "op":
            for kind, table in (("comparison", COMPARE), ("logic", LOGIC), ("arithmetic", ARITHMETIC)):
                if token.text in table and (token.text.endswith("=") or is_binary(tokens, i)):
                    for other in table[token.text]:
                        yield kind, i, other
            if token.text == "!":
                yield "negated", i, ""
            if token.text == "++" and i and tokens[i - 1].kind == "id":
                yield "arithmetic", i, "--"
        elif token.kind == "num" and not is_sign_only(tokens, i) and not (computes and is_growth(tokens, i)):
            for other in other_numbers(token.text):
                yield "constant", i, other
        elif token.kind == "id" and token.text in WORDS:
            yield "word", i, WORDS[token.text]


def arguments(tokens, i):
    """The ranges of the arguments in the brackets that open at i."""
    close = matching(tokens, i)
    ranges, first, k = [], i + 1, i + 1
    while k < close:
        if tokens[k].text in OPEN and tokens[k].kind == "op":
            k = matching(tokens, k)
        elif tokens[k].text == ",":
            ranges.append((first, k))
            first = k + 1
        k += 1
    return ranges + [(first, close)] if first < close else ranges


def swaps(tokens, text, hidden):
    """Neighbouring arguments of a call, exchanged; what has other types does not compile."""
    for i in range(1, len(tokens)):
        if tokens[i].text != "(" or tokens[i - 1].kind != "id" or i in hidden:
            continue
        if tokens[i - 1].text in ("if", "while", "sizeof", "RP_MIN", "RP_MAX", "memcmp", "strcmp"):
            continue
        ranges = arguments(tokens, i)
        for (a, b), (c, d) in zip(ranges, ranges[1:]):
            one, two = joined(tokens[a:b], text), joined(tokens[c:d], text)
            if one != two and not {tokens[a].kind, tokens[c].kind} & {"str"}:
                space = " " if text[tokens[a - 1].end:tokens[a].start] else ""
                yield joined(tokens[:a], text) + f"{space}{two}, {one}" + joined(tokens[d:], text)


def arms(tokens, text):
    """`a ? b : c` with b and c exchanged."""
    for i, token in enumerate(tokens):
        if token.text != "?":
            continue
        depth, colon = 0, None
        for k in range(i + 1, len(tokens) + 1):
            word = tokens[k].text if k < len(tokens) else ";"
            if colon is None and word == "?" and depth == 0:
                break  # nested; the inner one is found by itself
            if word == ":" and depth == 0 and colon is None:
                colon = k
            elif depth == 0 and colon and word in (")", "]", "}", ",", ";", "?"):
                if word != "?":
                    yield (joined(tokens[:i + 1], text) + f" ({joined(tokens[colon + 1:k], text)}) : "
                           f"({joined(tokens[i + 1:colon], text)})" + joined(tokens[k:], text))
                break
            depth += word in OPEN
            depth -= word in CLOSE


def results(region, original):
    kind = region.result
    if kind == "bool":
        yield f"!({original})"
    elif kind == "reprise_status":
        if original != "REPRISE_OK":
            yield f"((void)({original}), REPRISE_OK)"
    elif kind.endswith("*"):
        if original != "NULL":
            yield "NULL"
    elif NUMBERS.fullmatch(kind):
        yield f"({original}) + 1"
        if original != "0":
            yield "0"


def statements(region, tokens, text):
    """Statements that are missing, that ignore a status, or that come after the end."""
    name = tokens[0].text
    if name == "RP_TRY" and tokens[1].text == "(":
        yield "status ignored", f"(void)({joined(tokens[2:matching(tokens, 1)], text)});"
    if name == "(" or NOT_DROPPED.fullmatch(name):
        return
    yield "dropped", ";"
    if region.result == "void":
        yield "early return", "return;"


def mutations(region, tokens, text):
    """Yields (kind, text) for a region, whose tokens these are."""
    original = joined(tokens, text)
    hidden = hidden_places(tokens)
    if region.function.endswith("_free") or any(token.text == "threads" for token in tokens):
        return
    if region.kind == "jump":
        yield "dropped", ";"
        return
    for kind, i, other in operators(region, tokens, hidden):
        yield kind, joined(tokens, text, {i: other})
    for swapped in swaps(tokens, text, hidden):
        yield "swapped arguments", swapped
    for swapped in arms(tokens, text):
        yield "swapped arms", swapped
    if region.kind in ("condition", "loop"):
        yield "negated", f"!({original})"
        yield "check removed", "0"
        if region.kind == "condition":
            yield "check removed", "1"
    elif region.kind == "return":
        for other in results(region, original):
            yield "result", other
    elif region.kind == "statement":
        yield from statements(region, tokens, text)
