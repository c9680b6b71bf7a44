"""Our writers of table files, for tables that pyarrow has (stream_writer.c)."""

import ctypes

import pyarrow as pa

FORMS = {"parquet": 0, "arrow": 1, "arrows": 2}


class Writer:
    def __init__(self, path):
        self.write_stream = ctypes.CDLL(str(path)).write_stream
        self.write_stream.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p]

    def write(self, schema, batches, form, path):
        """The status: 0 if the file was written."""
        stream = (ctypes.c_void_p * 5)()
        reader = pa.RecordBatchReader.from_batches(schema, batches)
        reader._export_to_c(ctypes.addressof(stream))
        return self.write_stream(ctypes.addressof(stream), FORMS[form], str(path).encode())
