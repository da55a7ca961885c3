"""RecordIO as dmlc-core and MXNet write and read it, transcribed line by line.

From dmlc-core's src/recordio.cc, RecordIOWriter::WriteRecord and RecordIOReader::NextRecord, and
MXNet's python/mxnet/recordio.py, pack, unpack and MXIndexedRecordIO. MXNet itself is no longer
maintained and does not install on current Pythons.
"""

import struct
from collections import namedtuple

MAGIC = 0xCED7230A
MAGIC_BYTES = struct.pack("<I", MAGIC)

IRHeader = namedtuple("HEADER", ["flag", "label", "id", "id2"])
_IR_FORMAT = "IfQQ"
_IR_SIZE = struct.calcsize(_IR_FORMAT)


def encode_lrec(cflag, length):
    return (cflag << 29) | length


def write_record(stream, buf):
    assert len(buf) < (1 << 29)
    length = len(buf)
    lower_align = (length >> 2) << 2
    upper_align = ((length + 3) >> 2) << 2
    dptr = 0
    for i in range(0, lower_align, 4):
        if buf[i:i + 4] == MAGIC_BYTES:
            lrec = encode_lrec(1 if dptr == 0 else 2, i - dptr)
            stream.write(MAGIC_BYTES)
            stream.write(struct.pack("<I", lrec))
            if i != dptr:
                stream.write(buf[dptr:i])
            dptr = i + 4
    lrec = encode_lrec(3 if dptr != 0 else 0, length - dptr)
    stream.write(MAGIC_BYTES)
    stream.write(struct.pack("<I", lrec))
    if length != dptr:
        stream.write(buf[dptr:length])
    stream.write(bytes(upper_align - length))


def next_record(stream):
    record = b""
    while True:
        header = stream.read(8)
        if not header:
            assert not record, "Invalid RecordIO File"
            return None
        assert len(header) == 8, "Invalid RecordIO File"
        magic, lrec = struct.unpack("<II", header)
        assert magic == MAGIC, "Invalid RecordIO File"
        cflag, length = (lrec >> 29) & 7, lrec & ((1 << 29) - 1)
        upper_align = ((length + 3) >> 2) << 2
        data = stream.read(upper_align)
        assert len(data) == upper_align, "Invalid RecordIO File"
        record += data[:length]
        if cflag in (0, 3):
            return record
        record += MAGIC_BYTES


def pack(header, s):
    header = IRHeader(*header)
    if isinstance(header.label, (int, float)):
        header = header._replace(flag=0)
    else:
        label = struct.pack("<%df" % len(header.label), *header.label)
        header = header._replace(flag=len(header.label), label=0)
        s = label + s
    return struct.pack(_IR_FORMAT, *header) + s


def unpack(s):
    header = IRHeader(*struct.unpack(_IR_FORMAT, s[:_IR_SIZE]))
    s = s[_IR_SIZE:]
    if header.flag > 0:
        header = header._replace(label=struct.unpack("<%df" % header.flag, s[:header.flag * 4]))
        s = s[header.flag * 4:]
    return header, s


def write_indexed(path, records):
    """Records by key, as MXIndexedRecordIO.write_idx writes them."""
    with open(path + ".rec", "wb") as rec, open(path + ".idx", "w") as idx:
        for key, record in records:
            idx.write("%s\t%d\n" % (str(key), rec.tell()))
            write_record(rec, record)
