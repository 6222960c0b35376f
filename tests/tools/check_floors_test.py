#!/usr/bin/env python3
"""tools/check_floors accepts a sound tree and names each breach of an unsound one."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/check_floors"
CORE = "include/tilewright"

SOUND = {
    f"{CORE}/base/config.hpp": "#pragma once\n#define TILEWRIGHT_FN inline\n",
    f"{CORE}/base/list.def": "// rows\nTILEWRIGHT_X(one)\nTILEWRIGHT_X(two)\n",
    f"{CORE}/base/sections.def": "// two sections\n#if !defined(TILEWRIGHT_X_ODD)\n#define TILEWRIGHT_X_ODD(a)\n#endif\n"
                                 "TILEWRIGHT_X_ODD(one)\nTILEWRIGHT_X_EVEN(two)\n"
                                 "#undef TILEWRIGHT_X_ODD\n#undef TILEWRIGHT_X_EVEN\n",
    f"{CORE}/base/both.hpp": '#pragma once\nenum class odd { zero,\n#define TILEWRIGHT_X_ODD(a) a,\n#define TILEWRIGHT_X_EVEN(a)\n'
                             '#include "tilewright/base/sections.def"\n};\n',
    f"{CORE}/base/error.hpp": '// asm is only spoken of here: asm("nop")\n#pragma once\n'
                              '#include "tilewright/base/config.hpp"\n#if 1\n#include <string>\n#endif\n'
                              "#define TILEWRIGHT_X(code) \\\n  code,\nenum class errc {\n"
                              '#include "tilewright/base/list.def"\n};\n#undef TILEWRIGHT_X\n',
    f"{CORE}/base/names.hpp": '#pragma once\n#define TILEWRIGHT_EXTENDED\n#include "tilewright/base/list.def"\n'
                              "#undef TILEWRIGHT_EXTENDED\n",
    f"{CORE}/algebra/divide.hpp": '#pragma once\n#include "tilewright/base/error.hpp"\n#include <cuda_fp16.h>\n',
    f"{CORE}/tensor/tensor.hpp": '#pragma once\n#include "../algebra/divide.hpp"\n',
    f"{CORE}/atom/ptx/copy.hpp": '#pragma once\ninline void f() { asm volatile("nop;"); }\n',
    f"{CORE}/analysis/proof.hpp": '#pragma once\n#include "tilewright/algebra/divide.hpp"\n',
    f"{CORE}/tilewright.hpp": '#pragma once\n#include "tilewright/tensor/tensor.hpp"\n'
                              '#include "tilewright/analysis/proof.hpp"\n',
    "engine/copy.cpp": '#include "tilewright/tilewright.hpp"\n#include <tbb/parallel_for.h>\nint x;\n',
    "engine/plan/tiles.hpp": "#pragma once\nint z;\n",
    "engine/cuda/runner.hpp": '#pragma once\n#include "engine/plan/tiles.hpp"\n',
    "engine/vectors-inl.hpp": "#include <hwy/highway.h>\n#if defined(VECTORS_INL) == defined(HWY_TARGET_TOGGLE)\n"
                              "#ifdef VECTORS_INL\n#undef VECTORS_INL\n#else\n#define VECTORS_INL\n#endif\nint y;\n#endif\n",
    "compat/cute/config.hpp": "#pragma once\n#define CUTE_HOST_DEVICE\n",
    "tests/long.cpp": "\n" * 500,
}

# What is added to the sound tree, and words of the sentence that must come of it.
BREACHES = {
    "higher floor": ({f"{CORE}/base/bad.hpp": '#include "tilewright/algebra/divide.hpp"\n'},
                     "bad.hpp:1: floor base includes include/tilewright/algebra/divide.hpp of the higher floor algebra"),
    "other wing": ({f"{CORE}/analysis/bad.hpp": '#pragma once\n#include "tilewright/tensor/tensor.hpp"\n'},
                   "bad.hpp:2: floor analysis includes include/tilewright/tensor/tensor.hpp of the other wing"),
    "unknown floor": ({f"{CORE}/attic/bad.hpp": "#pragma once\n"}, "attic is no floor"),
    "missing header": ({f"{CORE}/base/bad.hpp": '#include "tilewright/base/none.hpp"\n'}, "there is no header"),
    "umbrella": ({f"{CORE}/exec/bad.hpp": '#include "tilewright/tilewright.hpp"\n'}, "includes the umbrella header"),
    "dependency": ({f"{CORE}/exec/bad.hpp": "#include <boost/context/fiber.hpp>\n"},
                   "the core library includes <boost/context/fiber.hpp>"),
    "cycle": ({f"{CORE}/base/a.hpp": '#include "tilewright/base/b.hpp"\n',
               f"{CORE}/base/b.hpp": '#include "tilewright/base/a.hpp"\n'}, "the includes form a cycle"),
    "late include": ({"engine/bad.cpp": "int x;\n\n#include <string>\n"},
                     "engine/bad.cpp:3: #include is below code (line 1)"),
    "macro of a toggling guard": ({"engine/bad-inl.hpp": "#define TILEWRIGHT_OTHER 1\n"}, "the macro TILEWRIGHT_OTHER"),
    "macro": ({f"{CORE}/base/bad.hpp": "#pragma once\n#define TILEWRIGHT_OTHER 1\n"},
              "bad.hpp:2: the macro TILEWRIGHT_OTHER is defined outside of base/config.hpp"),
    "open sections": ({f"{CORE}/base/bad.hpp": "#define TILEWRIGHT_X_ODD(a) a\n#define TILEWRIGHT_X_THIRD(a) a\n"
                                               '#include "tilewright/base/sections.def"\n'},
                      "bad.hpp:2: #define TILEWRIGHT_X_THIRD lacks its #undef"),
    "open rows": ({f"{CORE}/base/bad.hpp": "#define TILEWRIGHT_X(a) a\n"}, "lacks its #undef"),
    "assembly": ({f"{CORE}/atom/bad.hpp": 'inline void f() { __asm__("nop"); }\n'}, "there is assembly outside"),
    "open choice of rows": ({f"{CORE}/base/bad.hpp": '#define TILEWRIGHT_EXTENDED\n#include "tilewright/base/list.def"\n'},
                            "lacks its #undef"),
    "architecture": ({f"{CORE}/atom/bad.hpp": "#if defined(__CUDA_ARCH__)\n#endif\n"}, "__CUDA_ARCH__ is tested"),
    "engine's higher floor": ({"engine/plan/bad.cpp": '#include "engine/cuda/runner.hpp"\n'},
                              "bad.cpp:1: engine/plan includes engine/cuda/runner.hpp of a higher floor of the engine"),
    "engine's doors": ({"engine/npy/file.hpp": "#pragma once\n",
                        "engine/c_api/bad.cpp": '#include "engine/npy/file.hpp"\n'}, "of another door"),
    "engine's unknown folder": ({"engine/attic/bad.hpp": '#pragma once\n#include "engine/plan/tiles.hpp"\n'},
                                "engine/attic is no floor of the engine"),
    "length": ({"apps/cli/bad.cpp": "\n" * 601}, "the file has 601 lines; the limit is 600"),
}


def check(files):
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        done = subprocess.run([sys.executable, TOOL, root], stdout=subprocess.PIPE, text=True)
        return done.returncode, done.stdout


class CheckFloors(unittest.TestCase):
    def test_accepts_a_sound_tree(self):
        status, printed = check(SOUND)
        self.assertEqual(status, 0, printed)
        self.assertIn("tests/long.cpp: warning: the file has 500 lines", printed)

    def test_names_each_breach(self):
        for name, (files, sentence) in BREACHES.items():
            with self.subTest(name):
                status, printed = check(SOUND | files)
                self.assertEqual(status, 1, printed)
                self.assertIn(sentence, printed)
                self.assertIn(": 1 breaches", printed)


if __name__ == "__main__":
    unittest.main()
