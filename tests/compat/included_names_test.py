#!/usr/bin/env python3
"""Names that programs use after a header of CuTe or CUTLASS that brings them, without including theirs.

Each row is a header, and lines that must compile after it alone. The lines are those of public programs; which header brings
which is the published headers' own order of includes.
"""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SKIPPED = 77
ARRAY = "cutlass::Array<float, 4> numbers{};"
SMALL = "cutlass::float_e4m3_t small{}; static_assert(cutlass::sizeof_bits<cutlass::int4b_t>::value == 4);"
MATRIX = "cutlass::layout::RowMajor rows(3); cutlass::MatrixCoord at(1, 2);"
DIVISION = "cutlass::FastDivmod divide(3);"
ROWS = [
    ("cute/arch/cluster_sm90.hpp", SMALL + "cutlass::half_t h{};"),
    ("cute/arch/tmem_allocator_sm100.hpp", ARRAY + "auto p = cute::make_gmem_ptr(numbers.data());"),
    ("cutlass/arch/barrier.h", SMALL + ARRAY + MATRIX + DIVISION),
    ("cutlass/arch/mma_sm90.h", ARRAY + MATRIX + "cutlass::gemm::GemmShape<16, 8, 8> shape; cute::Layout<cute::_4> layout;"),
    ("cutlass/core_io.h", MATRIX + "cutlass::MatrixShape<2, 3> shape; cutlass::layout::PackedVectorLayout packed;"),
    ("cutlass/epilogue/thread/linear_combination.h", "auto at = cutlass::make_Coord(1, 2);" + DIVISION),
    ("cutlass/gemm/dispatch_policy.hpp", ARRAY + "auto t = cute::make_tensor<float>(cute::Layout<cute::_4>{}); cute::clear(t);"),
    ("cutlass/gemm/gemm.h", ARRAY + MATRIX + "cute::Layout<cute::_4> layout;"),
    ("cutlass/layout/matrix.h", SMALL + ARRAY + DIVISION),
    ("cutlass/numeric_conversion.h", "auto at = cutlass::make_Coord(1, 2);" + DIVISION),
    ("cutlass/pipeline/sm90_pipeline.hpp", ARRAY + MATRIX + "cute::Swizzle<3, 4, 3> swizzle;"),
    ("cutlass/util/packed_stride.hpp", MATRIX + "cutlass::gemm::GemmCoord problem(1, 2, 3);"),
    ("cutlass/util/print_error.hpp", MATRIX + "cutlass::layout::PackedVectorLayout packed;"),
    ("cutlass/util/reference/host/gemm.h", "cutlass::NumericArrayConverter<float, cutlass::half_t, 2> convert;"),
    ("cutlass/util/reference/host/tensor_compare.h", "cutlass::Distribution random;"),
    ("cutlass/util/tensor_view_io.h", MATRIX + "cutlass::complex<float> z(1, 2);"),
]


def error_of(row):
    header, lines = row
    program = f'#include "{header}"\nvoid use() {{ {lines} }}\n'
    done = subprocess.run([os.environ.get("CXX", "g++"), "-std=c++20", "-fsyntax-only", "-w", f"-I{ROOT / 'include'}",
                           f"-I{ROOT / 'compat'}", "-x", "c++", "-"], input=program, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    return None if done.returncode == 0 else f"{header} lacks a name of: {lines}\n{done.stdout[:1500]}"


def main():
    if shutil.which(os.environ.get("CXX", "g++")) is None:
        return SKIPPED
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        errors = [e for e in pool.map(error_of, ROWS) if e is not None]
    print("\n".join(errors) if errors else f"{len(ROWS)} headers bring the names.")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
