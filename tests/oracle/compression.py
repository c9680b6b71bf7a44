"""Compression for the oracles, by the libraries themselves and none of our code."""

import ctypes
import ctypes.util

LARGEST = 1 << 30


def load(name):
    path = ctypes.util.find_library(name)
    if not path:
        raise RuntimeError(f"lib{name} is not installed")
    return ctypes.CDLL(path)


def brotli(data):
    """One Brotli stream."""
    library = load("brotlidec")
    decompress = library.BrotliDecoderDecompress
    decompress.argtypes = [ctypes.c_size_t, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_char_p]
    room = max(1 << 16, 8 * len(data))
    while room <= LARGEST:
        target = ctypes.create_string_buffer(room)
        length = ctypes.c_size_t(room)
        if decompress(len(data), data, ctypes.byref(length), target) == 1:
            return target.raw[: length.value]
        room *= 4
    raise ValueError("bad Brotli stream")


def zstd(data, size):
    """Zstandard frames that give exactly `size` bytes."""
    library = load("zstd")
    decompress = library.ZSTD_decompress
    decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    decompress.restype = ctypes.c_size_t
    target = ctypes.create_string_buffer(max(size, 1))
    if decompress(target, size, data, len(data)) != size:
        raise ValueError("bad Zstandard frame")
    return target.raw[:size]


def lz4_block(data, size):
    """One LZ4 block that gives exactly `size` bytes."""
    decompress = load("lz4").LZ4_decompress_safe
    decompress.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_int]
    target = ctypes.create_string_buffer(max(size, 1))
    if decompress(data, target, len(data), size) != size:
        raise ValueError("bad LZ4 block")
    return target.raw[:size]


def brotli_compress(data, quality=5):
    compress = load("brotlienc").BrotliEncoderCompress
    compress.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_size_t, ctypes.c_char_p,
                         ctypes.c_void_p, ctypes.c_char_p]
    room = ctypes.c_size_t(len(data) + (len(data) >> 2) + 1024)
    target = ctypes.create_string_buffer(room.value)
    if compress(quality, 22, 0, len(data), data, ctypes.byref(room), target) != 1:
        raise ValueError("Brotli cannot compress this")
    return target.raw[: room.value]


def zstd_compress(data, level=3):
    library = load("zstd")
    compress = library.ZSTD_compress
    compress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int]
    compress.restype = ctypes.c_size_t
    target = ctypes.create_string_buffer(len(data) + (len(data) >> 7) + 1024)
    size = compress(target, len(target), data, len(data), level)
    if library.ZSTD_isError(ctypes.c_size_t(size)):
        raise ValueError("Zstandard cannot compress this")
    return target.raw[:size]
