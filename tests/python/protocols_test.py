"""Memory of other libraries: DLPack of versions 0 and 1 by an exporter of this test, __array_interface__, the buffer protocol's formats;
what they say wrongly, and wrong options, are one sentence.
"""
import array
import ctypes
import unittest

import built_package  # noqa: F401
import numpy as np
import tilewright as tw  # noqa: E402


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32), ("ordinal", ctypes.c_int32), ("rank", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Managed(ctypes.Structure):
    _fields_ = [("of", Tensor), ("context", ctypes.c_void_p), ("deleter", DELETER)]


class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p), ("deleter", DELETER),
                ("flags", ctypes.c_uint64), ("of", Tensor)]


NEW = ctypes.pythonapi.PyCapsule_New
NEW.restype, NEW.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
NAMES = b"dltensor", b"dltensor_versioned"  # a capsule keeps the address of its name


class Exporter:
    """An array as DLPack of a version; `released` counts calls of the deleter."""

    def __init__(self, x, version=0, flags=0, strides=True, offset=0, bits=None, code=None):
        self.x, self.released = x, 0
        self.deleter = DELETER(lambda _: setattr(self, "released", self.released + 1))
        counts = ctypes.c_int64 * max(x.ndim, 1)
        self.shape, self.strides = counts(*x.shape), counts(*(s // x.itemsize for s in x.strides)) if strides else None
        tensor = Tensor(x.ctypes.data - offset, 1, 0, x.ndim, "iuf".index(x.dtype.kind) if code is None else code, bits or 8 * x.itemsize, 1, self.shape, self.strides, offset)
        self.held = Versioned(version, 0, None, self.deleter, flags, tensor) if version else Managed(tensor, None, self.deleter)
        self.name = NAMES[version > 0]

    def __dlpack__(self, **_):
        return NEW(ctypes.addressof(self.held), self.name, None)

    def __dlpack_device__(self):
        return 1, 0


class Interface:
    def __init__(self, x, **changed):
        self.x = x
        self.__array_interface__ = {"shape": x.shape, "strides": x.strides, "typestr": x.dtype.str, "data": (x.ctypes.data, False), "version": 3,
                                    **changed}


class Protocols(unittest.TestCase):
    def refused(self, error, words, call):
        with self.assertRaisesRegex(error, words) as caught:
            call()
        self.assertNotIn("\n", str(caught.exception))

    def test_dlpack(self):
        whole = np.arange(60, dtype=np.int16).reshape(3, 4, 5)
        for version in (0, 1):
            for x in (whole, whole[::2, :, 1:4].transpose(2, 0, 1), whole[:0], whole[1, 2, 3, ...]):
                for offset in (0, 64):
                    given, out = Exporter(x, version, offset=offset), np.zeros(x.shape, x.dtype)
                    tw.copy_(out, given)
                    np.testing.assert_array_equal(out, x)
                    self.assertEqual(given.released, 1)
            out = np.zeros((3, 4, 5), np.int16)
            tw.copy_(Exporter(out, version, strides=False), whole)
            np.testing.assert_array_equal(out, whole)
        tw.copy_(out, Exporter(whole, 1, flags=1))  # read-only, and only read
        self.refused(ValueError, "its memory is read-only", lambda: tw.copy_(Exporter(out, 1, flags=1), whole))
        self.refused(TypeError, "of DLPack's version 2.0; copies know 0 and 1", lambda: tw.copy_(out, Exporter(whole, 2)))
        self.refused(TypeError, "elements of 4 bits have no whole bytes", lambda: tw.copy_(out, Exporter(whole, bits=4)))
        for code, words in [(1, "a 2-byte '=u2' array .* into an int16 array"), (2, "a 2-byte '=f2' array .* into an int16 array")]:
            self.refused(TypeError, words, lambda c=code: tw.copy_(out, Exporter(whole, code=c)))
        tw.copy_(out, Exporter(whole, code=4))  # bfloat16, which NumPy has no name for, is 2 bytes of anything
        class Nowhere(Exporter):
            def __dlpack_device__(self):
                return "cpu"
        self.refused(TypeError, r"__dlpack_device__\(\) of a Nowhere gives 'cpu', and not", lambda: tw.copy_(out, Nowhere(whole)))
        taken = Exporter(whole)
        capsule = taken.__dlpack__()
        taken.__dlpack__ = None

        class Again(Exporter):
            def __dlpack__(self, **_):
                return capsule
        tw.copy_(out, Again(whole))
        self.refused(TypeError, "gives no capsule of DLPack, or one that is taken already", lambda: tw.copy_(out, Again(whole)))

    def test_dlpack_of_version_1_is_asked_for(self):
        """Version 0 does not say what is read-only, so NumPy 2.1 and others give no read-only memory by it."""
        class Strict(Exporter):
            def __dlpack__(self, *, max_version=None, **options):
                if max_version is None or max_version < (1, 0):
                    raise BufferError("a read-only array cannot be exported by version 0")
                return super().__dlpack__()
        x, out = np.arange(6, dtype=np.int16).reshape(2, 3), np.zeros((2, 3), np.int16)
        tw.copy_(out, Strict(x, 1, flags=1))
        np.testing.assert_array_equal(out, x)
        self.refused(ValueError, "its memory is read-only", lambda: tw.copy_(Strict(out, 1, flags=1), x))
        given = Exporter(out, 1, flags=2)
        self.refused(ValueError, "of an Exporter gives a copy of its memory, not the memory itself", lambda: tw.copy_(given, x))
        tw.copy_(out, Exporter(x, 1, flags=2))  # a copy may be read

        class Wrong(Exporter):
            def __dlpack__(self, **_):
                raise RuntimeError("no memory today")
        self.refused(RuntimeError, "no memory today", lambda: tw.copy_(out, Wrong(x)))
        padded = np.arange(6, dtype=np.uint8)
        tw.copy_(padded[3:], Exporter(padded[:3], 1, flags=4, bits=4))  # elements of 4 bits, each in its own byte
        self.assertEqual(padded.tolist(), [0, 1, 2, 0, 1, 2])

    def test_array_interface_of_fields_and_buffers(self):
        held = np.zeros(2, [("a", object), ("b", "i8")])
        for descr in (held.dtype.descr, [("x", [("y", "<i8"), ("z", "|O")])]):
            self.refused(TypeError, "an Interface holds Python objects", lambda d=descr: tw.copy_(np.zeros(2, "V16"), Interface(held, typestr="|V16", descr=d)))
        fields = np.array([(1, 2.5), (3, 4.5)], [("O", "<i4"), ("b", "<f8")])  # a field may have that name
        out = np.zeros(2, fields.dtype)
        tw.copy_(out, Interface(fields, descr=fields.dtype.descr))
        self.assertEqual(out.tolist(), fields.tolist())
        self.refused(TypeError, "typestr .* is '|t8', and not", lambda: tw.copy_(np.zeros(3, np.uint8), Interface(np.zeros(3, np.uint8), typestr="|t8")))
        raw = bytearray(12)
        tw.copy_(Interface(np.zeros(3, np.int32), data=raw, strides=None), np.arange(3, dtype=np.int32))
        self.assertEqual(np.frombuffer(raw, np.int32).tolist(), [0, 1, 2])
        self.refused(ValueError, "read-only", lambda: tw.copy_(Interface(np.zeros(3, np.int32), data=bytes(12), strides=None), np.arange(3, dtype=np.int32)))

    def test_array_interface(self):
        x = np.arange(12, dtype=np.int32).reshape(3, 4)
        out = np.zeros((3, 4), np.int32)
        tw.copy_(out, Interface(x[::-1]))
        np.testing.assert_array_equal(out, x[::-1])
        for words, changed in [("extents are 0 or more", {"shape": (-3, 4)}), ("each has a stride", {"strides": (4,)}),
                               ("shape .* is 'ab', and not a tuple of integers", {"shape": "ab"}),
                               (r"strides .* is \(4.5, 4\), and not", {"strides": (4.5, 4)}),
                               ("typestr .* is 'zz', and not such as '<f4'", {"typestr": "zz"}), ("is '<i', and", {"typestr": "<i"}),
                               ("not a dictionary with typestr", {"typestr": 4}), ("not a dictionary with typestr", {"data": None}),
                               ("holds Python objects", {"typestr": "|O8"}), ("has a mask", {"mask": x})]:
            self.refused(TypeError, words, lambda c=changed: tw.copy_(out, Interface(x, **c)))
        self.refused(ValueError, "read-only", lambda: tw.copy_(Interface(out, data=(out.ctypes.data, True)), x))
        for words, changed in [("of an Interface is '5', and not an integer of 64 bits", {"data": ("5", False)}),
                               ("address in the .* is -1, and not", {"data": (-1, False)}), ("is 1180591620717411303424", {"data": (1 << 70, False)}),
                               ("and not a tuple of integers of 64 bits", {"shape": (1 << 70, 4)}),
                               ("a 4-byte '>i4' array .* into an int32 array", {"typestr": ">i4"}),
                               ("a 4-byte '<f4' array .* into an int32 array", {"typestr": "<f4"})]:
            self.refused(TypeError, words, lambda c=changed: tw.copy_(out, Interface(x, **c)))
        tw.copy_(out, Interface(x, data=x.tobytes(), strides=None))  # as images of Pillow hand out their bytes
        np.testing.assert_array_equal(out, x)

    def test_arrays_that_only_make_one(self):
        class Series:
            def __array__(self, dtype=None, copy=None):
                return np.arange(6, dtype=np.float32)
        self.assertEqual(tw.copy_(np.zeros(6, np.float32), Series()).tolist(), [0, 1, 2, 3, 4, 5])
        self.refused(TypeError, "a Series shows no memory", lambda: tw.copy_(Series(), np.zeros(6, np.float32)))

    def test_buffers(self):
        class Pair(ctypes.Structure):
            _fields_ = [("O", ctypes.c_int), ("b", ctypes.c_double)]  # a field may have that name

        class Held(ctypes.Structure):
            _fields_ = [("a", ctypes.py_object)]
        pairs = (Pair * 2)()
        tw.copy_(pairs, (Pair * 2)(Pair(1, 2.5), Pair(3, 4.5)))
        self.assertEqual((pairs[0].b, pairs[1].O), (2.5, 3))
        self.refused(TypeError, "the memory holds Python objects", lambda: tw.copy_((Held * 2)(), (Held * 2)()))
        for letter in "bBhHiIlLqQfd":
            source = array.array(letter, range(5))
            target = array.array(letter, [0] * 5)
            tw.copy_(target, memoryview(source)[::-1])
            self.assertEqual(list(target), [4, 3, 2, 1, 0])
        ints, floats = array.array("i", [1, 2, 3]), np.array([1, 2, 3], np.float32)
        for out, source in [(floats.copy(), ints), (ints, floats), (ints, array.array("f", floats)), (ints, array.array("I", ints)),
                            (np.zeros(3, np.int32), memoryview(np.arange(3, dtype=">i4"))), (np.zeros(3, np.int32), (ctypes.c_float * 3)()),
                            (memoryview(floats), memoryview(np.arange(3, dtype=np.int32))), (np.zeros(3, "S4"), ints)]:
            before = bytes(out)
            self.refused(TypeError, "^a .*4-byte '.*' array of shape .*a copy converts nothing|^an? .* into a 4-byte '.*' array .*a copy converts nothing",
                         lambda o=out, s=source: tw.copy_(o, s))
            self.assertEqual(bytes(out), before)
        for dtype in ("<i4", ">f8", "<c8", "?", "S4", [("a", "<i4"), ("b", "<f4")]):  # one type on both sides, with and without a dtype
            source = np.frombuffer(bytes(range(48)), dtype) if dtype != "?" else np.arange(48) % 2 == 1
            out = np.zeros(source.shape, dtype)
            tw.copy_(out, memoryview(source))
            self.assertEqual(out.tobytes(), source.tobytes())
        for letter, dtype in [("l", np.int64), ("q", np.int64), ("L", np.uint64), ("d", np.float64), ("h", np.int16)]:
            np.testing.assert_array_equal(tw.copy_(np.zeros(3, dtype), array.array(letter, [1, 2, 3])), [1, 2, 3])
        self.assertEqual(tw.copy_(np.zeros(3, np.int8), b"abc").tolist(), [97, 98, 99])  # bytes are bytes of anything
        released = memoryview(b"abc")
        released.release()
        self.refused(ValueError, "released memoryview", lambda: tw.copy_(bytearray(3), released))
        self.refused(ValueError, "released memoryview", lambda: tw.copy_(released, b"abc"))
        self.refused(ValueError, "its memory is read-only", lambda: tw.copy_(b"abc", b"xyz"))

    def test_options(self):
        x = np.zeros((2, 3))
        for threads in ("2", None, 1.5, True):
            for call in (tw.copy_, tw.plan, tw.is_settled):
                self.refused(TypeError, "threads is .*; it is an integer, 0 for all", lambda c=call, t=threads: c(x.copy(), x, threads=t))
        self.refused(ValueError, "threads is -1; it is 0 for all", lambda: tw.copy_(x.copy(), x, threads=-1))
        self.refused(TypeError, "overlap is None; it is 'temporary' or 'refuse'", lambda: tw.copy_(x.copy(), x, overlap=None))
        self.refused(TypeError, "^an int32 array of shape .* into an int64 array", lambda: tw.copy_(np.zeros(3, np.int64), np.zeros(3, np.int32)))
        self.refused(TypeError, "^an int shows no memory", lambda: tw.copy_(x, 5))
        self.refused(TypeError, "the mesh is None; it is a DeviceMesh", lambda: tw.distributed.from_placements((8, 8), None, []))

    def test_a_plan_runs_with_other_arrays(self):
        rng = np.random.default_rng(1)
        source, other = rng.random((5, 7)).T, rng.random((5, 7)).T
        first, second = np.zeros((7, 5)), np.zeros((7, 5))
        plan = tw.plan(first, source)
        plan.run()
        plan.run(second, other)
        np.testing.assert_array_equal(first, source)
        np.testing.assert_array_equal(second, other)
        shifted = np.zeros(8 * 35 + 8, np.uint8)[8:].view(np.float64).reshape(7, 5)  # aligned less than the plan's destination may be
        plan.run(shifted, other)
        np.testing.assert_array_equal(shifted, other)
        self.refused(ValueError, "the plan is of a float64 array .* make a plan for them", lambda: plan.run(second, np.ascontiguousarray(other)))
        self.refused(TypeError, "run.. takes no arrays, or a destination and a source, and 1 are given", lambda: plan.run(second))
        self.refused(ValueError, "share memory", lambda: plan.run(second, second.reshape(5, 7).T))


if __name__ == "__main__":
    unittest.main()
