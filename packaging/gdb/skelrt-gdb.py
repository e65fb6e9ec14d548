# SPDX-License-Identifier: BSD-3-Clause
"""gdb shows containers, views, scalars and host views of skelrt by their elements.

gdb loads this file by itself with an installed libskelrt whose prefix it looks in (/usr); else: source THIS_FILE."""

import gdb
import gdb.printing


def plain(value):
    """What a std::atomic holds: the first scalar in it."""
    while value.type.strip_typedefs().code == gdb.TYPE_CODE_STRUCT:
        # Static fields have no position.
        value = value[next(f for f in value.type.strip_typedefs().fields() if hasattr(f, "bitpos"))]
    return value


def storage_of(data):
    """What a data_ref or a storage_ref refers to; None: nothing."""
    if data.type.strip_typedefs().name == "skelrt::detail::data_ref":
        place = data["at_"]
        if not place:
            return None
        data = place["data"]
    return data["s_"].dereference() if data["s_"] else None


def age_of(storage):
    """Tasks may have written elsewhere, and only the runtime knows; while a host view is open the host has all."""
    is_open = int(plain(storage["readers"])) > 0 or int(plain(storage["writers"])) > 0
    if is_open or not plain(storage["managed"]):
        return ""
    return ", as they were last on the host (open an sk::host_read to be sure)"


def row_at(first, count):
    """`count` elements from a pointer on, as an array; without elements there is none."""
    return first.cast(first.type.target().array(count - 1).pointer()).dereference()


class elements:
    """A heading, and elements in brackets; `lines` of more than one dimension are arrays of elements."""

    def __init__(self, value):
        self.value = value
        self.element = value.type.strip_typedefs().template_argument(0)
        self.name = value.type.strip_typedefs().name.replace("skelrt::", "sk::", 1)

    def display_hint(self):
        return "array"

    def pointer(self, bytes_at):
        return bytes_at.cast(self.element.pointer())

    def of(self, shape, age=""):
        return f"{self.name} of {' x '.join(str(n) for n in shape)} elements{age}"


class container(elements):
    """sk::vector, sk::matrix and sk::tensor."""

    def __init__(self, value, rank):
        super().__init__(value)
        self.storage = storage_of(value["data_"])
        self.rank = rank

    def extents(self, rows, cols):
        """Of so many rows and columns of the storage, the container's own."""
        if self.rank == 1:
            return [cols]
        if self.rank == 2:
            return [rows, cols]
        inner = self.storage["inner"]["_M_elems"]
        return [rows] + [int(inner[i]) for i in range(self.rank - 1)]

    def to_string(self):
        s = self.storage
        if s is None:
            return f"{self.name}, empty"
        text = self.of(self.extents(int(s["shape_rows"]), int(s["shape_cols"])), age_of(s))
        if s["dealt"]:
            text += f", of which this rank holds {int(s['rows'])} x {int(s['cols'])}"
        return text

    def children(self):
        s = self.storage
        if s is None:
            return
        shape = self.extents(int(s["rows"]), int(s["cols"]))
        if 0 in shape:
            return
        first, line = self.pointer(s["data"]), self.element
        for n in reversed(shape[1:]):
            line = line.array(n - 1)
        lines = first.cast(line.pointer())
        for i in range(shape[0]):
            yield f"[{i}]", lines[i]


def signed(n):
    """Steps back are counted modulo the range of sizes."""
    return n - 2**64 if n >= 2**63 else n


class view(elements):
    """Ranges, rows and columns; blocks and planes."""

    def __init__(self, value, is_block):
        super().__init__(value)
        self.storage = storage_of(value["data_"])
        self.place = {f: signed(int(value["place_"][f])) for f in ("offset", "rows", "cols", "ld", "stride")}
        self.is_block = is_block

    def to_string(self):
        if self.storage is None:
            return f"{self.name} of nothing"
        shape = [self.place["rows"], self.place["cols"]] if self.is_block else [self.place["cols"]]
        if self.storage["dealt"]:
            return self.of(shape, ", of a container that is dealt out to ranks")
        return self.of(shape, age_of(self.storage))

    def children(self):
        if self.storage is None or self.storage["dealt"] or self.place["cols"] == 0:
            return
        first = self.pointer(self.storage["data"]) + self.place["offset"]
        rows, cols, stride = self.place["rows"], self.place["cols"], self.place["stride"]
        if self.is_block and stride == 1:
            for i in range(rows):
                yield f"[{i}]", row_at(first + i * self.place["ld"], cols)
        else:
            for i in range(rows):
                for j in range(cols):
                    name = f"[{i}][{j}]" if self.is_block else f"[{j}]"
                    yield name, (first + i * self.place["ld"] + j * stride).dereference()


class host_view(elements):
    """What sk::host and its like give, of vectors and matrices."""

    def __init__(self, value, is_matrix):
        super().__init__(value)
        self.first = self.pointer(value["hold_"]["hold_"]["data"])
        self.shape = [int(value["rows_"]), int(value["cols_"])] if is_matrix else [int(value["size_"])]

    def to_string(self):
        return self.of(self.shape)

    def children(self):
        if 0 in self.shape or not self.first:
            return
        for i in range(self.shape[0]):
            if len(self.shape) == 2:
                yield f"[{i}]", row_at(self.first + i * self.shape[1], self.shape[1])
            else:
                yield f"[{i}]", (self.first + i).dereference()


class scalar:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        kind = self.value.type.strip_typedefs()
        s = storage_of(self.value["data_"])
        if s is None:
            return f"{kind.name.replace('skelrt::', 'sk::', 1)}, moved from"
        age = ", as it was last on the host (ask get() to be sure)" if age_of(s) else ""
        return f"{s['data'].cast(kind.template_argument(0).pointer()).dereference()}{age}"


def printers():
    to = gdb.printing.RegexpCollectionPrettyPrinter("skelrt")
    to.add_printer("vector", "^skelrt::vector<", lambda v: container(v, 1))
    to.add_printer("matrix", "^skelrt::matrix<", lambda v: container(v, 2))
    to.add_printer("tensor", "^skelrt::tensor<", lambda v: container(v, int(v.type.strip_typedefs().template_argument(1))))
    to.add_printer("scalar", "^skelrt::scalar<", scalar)
    to.add_printer("view1", "^skelrt::view1<", lambda v: view(v, False))
    to.add_printer("view2", "^skelrt::view2<", lambda v: view(v, True))
    to.add_printer("host_vector", "^skelrt::(host|local)_vector<", lambda v: host_view(v, False))
    to.add_printer("host_matrix", "^skelrt::(host|local)_matrix<", lambda v: host_view(v, True))
    return to


gdb.printing.register_pretty_printer(gdb.current_objfile(), printers(), replace=True)
