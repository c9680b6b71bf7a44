"""Compares values of Arrow tables with the JSON that `reprise cat` prints."""

import math
import struct

import pyarrow as pa


def same_number(value, text, layout):
    """Whether both have the same bits; JSON has only one NaN."""
    number = float(text)
    if math.isnan(number):
        return math.isnan(value)
    return struct.pack(layout, value) == struct.pack(layout, number)


def flags_value(field, names):
    known = dict(reversed(pair.split("=", 1)) for pair in
                 field.metadata[b"flags"].decode().split(","))
    return sum(int(known.get(name, name)) for name in names)


def same_struct(kind, value, json):
    if kind.num_fields and kind[0].name == "kind" and (
            pa.types.is_dictionary(kind[0].type) or pa.types.is_string(kind[0].type)):
        if isinstance(json, str):
            return value["kind"] == json and all(value[f.name] is None for f in list(kind)[1:])
        name = next(iter(json))
        others = [f.name for f in list(kind)[1:] if f.name != name]
        if value["kind"] != name or any(value[other] is not None for other in others):
            return False
        at = kind.get_field_index(name)
        return at < 0 or same(kind[at], value[name], json[name])
    if isinstance(json, dict) and all(f.name in json for f in kind):
        return all(same(f, value[f.name], json[f.name]) for f in kind)
    if isinstance(json, list) and len(json) == kind.num_fields:
        return all(same(f, value[f.name], item) for f, item in zip(kind, json))
    return kind.num_fields == 1 and same(kind[0], value[kind[0].name], json)


def same_list(kind, value, json):
    item = kind.value_field
    if isinstance(json, dict):
        key, held = item.type[0], item.type[1]
        return len(value) == len(json) and all(
            str(v[key.name]) == k and same(held, v[held.name], j)
            for v, (k, j) in zip(value, json.items()))
    return len(value) == len(json) and all(same(item, v, j) for v, j in zip(value, json))


def same(field, value, json):
    kind = field.type
    if value is None or json is None:
        return value is None and json is None
    if pa.types.is_struct(kind):
        return same_struct(kind, value, json)
    if pa.types.is_list(kind) or pa.types.is_fixed_size_list(kind):
        return same_list(kind, value, json)
    if pa.types.is_dictionary(kind):
        return value == json or value == f"#{json}"
    if pa.types.is_float32(kind):
        return same_number(value, json, "<f")
    if pa.types.is_float64(kind):
        # A time of single precision is printed with the digits that it has.
        return same_number(value, json, "<d") or (field.name == "time" and
                                                  same_number(value, json, "<f"))
    if pa.types.is_boolean(kind):
        return value == json
    if pa.types.is_string(kind):
        return value == json or value == f"#{json}"  # of a nested enum in Parquet
    if pa.types.is_integer(kind):
        return value == (flags_value(field, json) if isinstance(json, list) else int(json))
    return value.hex() == json


def difference(schema, rows, lines):
    """A sentence about the first difference, or None. A column that JSON lacks must be null."""
    if len(rows) != len(lines):
        return f"{len(rows)} rows, cat has {len(lines)}"
    for number, (row, line) in enumerate(zip(rows, lines)):
        for field in schema:
            if field.name == "stored" and "stored" not in line:
                continue
            if not same(field, row[field.name], line.get(field.name)):
                return (f"row {number}, {field.name} ({field.type}): {row[field.name]!r}, "
                        f"cat has {line.get(field.name)!r}")
    return None


def in_parquet(field, nested=False):
    """The field as readers of Arrow get it from Parquet, which lacks some of Arrow's types."""
    kind = field.type
    if pa.types.is_list(kind) or pa.types.is_fixed_size_list(kind):
        kind = pa.list_(in_parquet(kind.value_field, True).with_name("element"))
    elif pa.types.is_struct(kind):
        kind = pa.struct([in_parquet(member, True) for member in kind])
    elif pa.types.is_dictionary(kind) and nested:
        kind = pa.string()
    return field.with_type(kind)
