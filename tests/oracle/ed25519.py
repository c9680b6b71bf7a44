"""Ed25519 signatures (RFC 8032), checked slowly and simply."""

import hashlib

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def recover_x(y, sign):
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if y >= P or (x * x - square) % P or not x and sign:
        return None
    return P - x if x & 1 != sign else x


def point(data):
    number = int.from_bytes(data, "little")
    y = number & (1 << 255) - 1
    x = recover_x(y, number >> 255)
    return None if x is None else (x, y, 1, x * y % P)


def add(a, b):
    e = (a[1] - a[0]) * (b[1] - b[0]) % P
    f = (a[1] + a[0]) * (b[1] + b[0]) % P
    g, h = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    m, n, o, q = f - e, h - g, h + g, f + e
    return m * n % P, o * q % P, n * o % P, m * q % P


def times(scalar, base):
    total = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            total = add(total, base)
        base, scalar = add(base, base), scalar >> 1
    return total


BASE = point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_valid(key, message, signature):
    a, r = point(key), point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= ORDER:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ORDER
    left, right = times(s, BASE), add(r, times(h, a))
    return not (left[0] * right[2] - right[0] * left[2]) % P and not (left[1] * right[2] - right[1] * left[2]) % P
