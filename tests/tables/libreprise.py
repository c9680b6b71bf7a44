"""The few functions of the library that the tests of tables call, through ctypes."""

import ctypes
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_void_p

import pyarrow as pa


class Error(ctypes.Structure):
    _fields_ = [("status", c_int), ("cause", ctypes.c_int32), ("offset", ctypes.c_uint64),
                ("stream", ctypes.c_char * 64), ("path", ctypes.c_char * 96),
                ("message", ctypes.c_char * 192), ("hint", ctypes.c_char * 96), ("advice", c_int)]


class BatchOptions(ctypes.Structure):
    _fields_ = [("struct_size", c_size_t), ("columns", POINTER(c_char_p)),
                ("column_count", c_size_t), ("time_from", ctypes.c_double),
                ("time_to", ctypes.c_double), ("index_from", ctypes.c_int64),
                ("index_to", ctypes.c_int64), ("every_frame", ctypes.c_bool),
                ("linear", ctypes.c_bool), ("stored", ctypes.c_bool), ("rows_max", c_size_t)]

    def __init__(self, stored=False, rows_max=0):
        super().__init__(ctypes.sizeof(BatchOptions), None, 0, -1e300, 1e300, -2**63, 2**63 - 1,
                         False, False, stored, rows_max)


class Stream(ctypes.Structure):
    """struct ArrowArrayStream, which is consumed once."""

    _fields_ = [("members", c_void_p * 5)]

    def __arrow_c_stream__(self, requested_schema=None):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [c_void_p, c_char_p, c_void_p]
        return new(ctypes.addressof(self), b"arrow_array_stream", None)


class TableOptions(ctypes.Structure):
    _fields_ = [("struct_size", c_size_t), ("rows", POINTER(BatchOptions)), ("file", c_char_p)]


class TableResult(ctypes.Structure):
    _fields_ = [("struct_size", c_size_t), ("rows", ctypes.c_uint64), ("finished", ctypes.c_bool)]


WRITE = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t)


class Sink(ctypes.Structure):
    _fields_ = [("ctx", c_void_p), ("write", WRITE)]


FORMS = {"parquet": 0, "arrow": 1, "arrows": 2}


class Schema(ctypes.Structure):
    _fields_ = [("members", c_void_p * 9)]


class Library:
    def __init__(self, path):
        self.lib = ctypes.CDLL(str(path))
        self.lib.reprise_format.restype = c_char_p
        self.lib.reprise_track_name.restype = c_char_p
        self.lib.reprise_track_count.restype = c_size_t
        for name in ("reprise_format", "reprise_track_count", "reprise_close"):
            getattr(self.lib, name).argtypes = [c_void_p]
        self.lib.reprise_track_name.argtypes = [c_void_p, c_size_t]
        self.lib.reprise_arrow_stream.argtypes = [c_void_p, c_size_t, POINTER(BatchOptions),
                                                  POINTER(Stream), POINTER(Error)]
        self.lib.reprise_table_write.argtypes = [
            c_void_p, c_size_t, c_int, POINTER(TableOptions), POINTER(Sink), POINTER(TableResult),
            POINTER(Error)]

    def open(self, path):
        """A replay, or None if it cannot be opened."""
        replay = c_void_p()
        status = self.lib.reprise_open_file(str(path).encode(), None, byref(replay), None)
        return Replay(self, replay) if status == 0 else None

    def schema(self, format, track):
        schema, error = Schema(), Error()
        if self.lib.reprise_arrow_schema(format.encode(), track.encode(), None, byref(schema),
                                         byref(error)):
            raise ValueError(error.message.decode())
        return pa.Schema._import_from_c(ctypes.addressof(schema))


class Replay:
    def __init__(self, library, handle):
        lib = library.lib
        self.library, self.lib, self.handle = library, lib, handle
        self.format = lib.reprise_format(handle).decode()
        count = lib.reprise_track_count(handle)
        self.tracks = [lib.reprise_track_name(handle, i).decode() for i in range(count)]

    def stream(self, track, **options):
        stream, error = Stream(), Error()
        if self.lib.reprise_arrow_stream(self.handle, self.tracks.index(track),
                                         byref(BatchOptions(**options)), byref(stream),
                                         byref(error)):
            raise ValueError(error.message.decode())
        return stream

    def schema(self, track):
        return self.library.schema(self.format, track)

    def write(self, track, form, write, **options):
        """Writes a table with write(bytes), which returns an errno; the result and the error."""
        sink = Sink(None, WRITE(lambda ctx, data, size: write(ctypes.string_at(data, size))))
        given = TableOptions(ctypes.sizeof(TableOptions), POINTER(BatchOptions)(
            BatchOptions(**options)), b"a file")
        result, error = TableResult(ctypes.sizeof(TableResult)), Error()
        status = self.lib.reprise_table_write(self.handle, self.tracks.index(track), FORMS[form],
                                              byref(given), byref(sink), byref(result),
                                              byref(error))
        return result, error.message.decode() if status else None

    def close(self):
        self.lib.reprise_close(self.handle)
