#!/usr/bin/env python3
"""Uses the libraries from a project of their own, once through find_package and once through FetchContent.

usage: consume.py find_package|fetch_content --source DIR --build DIR --compiler CXX --components core[,engine][,c]
                  [--cmake CMAKE] [--flags FLAGS]

find_package installs the build into a temporary prefix, and checks that core alone is found where the engine's
dependencies are hidden. Both then build and run the project beside this file; the C interface is also used through
pkg-config, where that is installed.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ENGINE_DEPENDENCIES = ["TBB", "Boost"]


def run(command):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        print(done.stdout)
        sys.exit(f"failed: {' '.join(str(word) for word in command)}")
    return done.stdout


def build_and_run(arguments, project, scratch, components, definitions):
    build = scratch / f"build-{'-'.join(components)}"
    run([arguments.cmake, "-S", HERE / project, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
         f"-DCMAKE_CXX_COMPILER={arguments.compiler}", f"-DCMAKE_CXX_FLAGS={arguments.flags}", f"-DCMAKE_C_FLAGS={arguments.flags}",
         f"-DCONSUMER_COMPONENTS={';'.join(components)}", *definitions])
    run([arguments.cmake, "--build", build])
    print(run([build / "consumer"]), end="")
    if "c" in components:
        print(run([build / "consumer_c"]), end="")


def use_pkg_config(arguments, prefix, scratch):
    if shutil.which("pkg-config") is None:
        return
    found = next(prefix.rglob("tilewright.pc"))
    os.environ["PKG_CONFIG_PATH"] = str(found.parent)
    words = run(["pkg-config", "--cflags", "--libs", "tilewright"]).split()
    program = scratch / "consumer_pkg_config"
    run(["cc", "-std=c99", *arguments.flags.split(), HERE / "main.c", *words, f"-Wl,-rpath,{found.parent.parent}", "-o", program])
    print(run([program]), end="")


def main():
    parser = argparse.ArgumentParser(description="use the libraries from a project of their own")
    parser.add_argument("way", choices=["find_package", "fetch_content"])
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--components", required=True)
    parser.add_argument("--flags", default="")
    arguments = parser.parse_args()
    components = arguments.components.split(",")

    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        if arguments.way == "fetch_content":
            build_and_run(arguments, "fetch_content", scratch, components, [f"-DTILEWRIGHT_SOURCE={arguments.source}"])
            return
        prefix = scratch / "prefix"
        run([arguments.cmake, "--install", arguments.build, "--prefix", prefix])
        found_at = [f"-DCMAKE_PREFIX_PATH={prefix}"]
        hidden = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ENGINE_DEPENDENCIES]
        build_and_run(arguments, "find_package", scratch, ["core"], found_at + hidden)
        if components != ["core"]:
            build_and_run(arguments, "find_package", scratch, components, found_at)
        if "c" in components:
            use_pkg_config(arguments, prefix, scratch)


if __name__ == "__main__":
    main()
