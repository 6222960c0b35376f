#!/usr/bin/env python3
"""Uses the libraries from a project of their own, in each way that the how-to page names.

usage: consume.py WAY --source DIR --compiler CXX [--build DIR | --prefix DIR] [--components core[,engine][,c]]
                  [--cmake CMAKE] [--flags FLAGS]

WAY is find_package, fetch_content, pkg_config, page or single_header; page types the lines on pkg-config of the how-to page. Except for fetch_content, which takes the sources, the
libraries are those of --prefix, or those of the build folder --build, which is installed in a temporary prefix first.
find_package also checks that core alone is found where the engine's dependencies are hidden.
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
PROGRAM = HERE / "find_package/main.cpp"
SKIPPED = 77


def run(command, **options):
    words = [str(word) for word in command]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        print(done.stdout)
        sys.exit(f"failed: {' '.join(words)}")
    return done.stdout


def compile_and_run(words, program, says, libraries=None):
    """Compiles with these words, runs, and wants this text."""
    run([*words, "-o", program])
    environment = dict(os.environ)
    if libraries is not None:
        environment["LD_LIBRARY_PATH"] = str(libraries)
    text = run([program], env=environment)
    if says not in text:
        sys.exit(f"{program.name} says '{text}' instead of '{says}'")
    print(text, end="")


def configure(arguments, project, scratch, components, definitions):
    """The folder in which a project is then built with these components."""
    build = scratch / f"build-{'-'.join(components)}"
    run([arguments.cmake, "-S", HERE / project, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
         f"-DCMAKE_CXX_COMPILER={arguments.compiler}", f"-DCMAKE_CXX_FLAGS={arguments.flags}", f"-DCMAKE_C_FLAGS={arguments.flags}",
         f"-DCONSUMER_COMPONENTS={';'.join(components)}", *definitions])
    return build


def build_and_run(arguments, project, scratch, components, definitions):
    build = configure(arguments, project, scratch, components, definitions)
    run([arguments.cmake, "--build", build])
    print(run([build / "consumer"]), end="")
    if "c" in components:
        print(run([build / "consumer_c"]), end="")


def use_find_package(arguments, prefix, scratch):
    found_at = [f"-DCMAKE_PREFIX_PATH={prefix}"]
    hidden = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ENGINE_DEPENDENCIES]
    build_and_run(arguments, "find_package", scratch, ["core"], found_at + hidden)
    if arguments.components != ["core"]:
        build_and_run(arguments, "find_package", scratch, arguments.components, found_at)


def use_fetch_content(arguments, _, scratch):
    definitions = [f"-DTILEWRIGHT_SOURCE={arguments.source}", "-DTILEWRIGHT_LARGE_UNITS=ON"]
    build_and_run(arguments, "fetch_content", scratch, ["core"], [*definitions, "-DTILEWRIGHT_BUILD_ENGINE=OFF"])
    if "engine" in arguments.components:
        check_build_type_warning(arguments, scratch)
        # The whole engine takes minutes to compile: here its part that runs kernels, and what is compiled against it.
        build = configure(arguments, "fetch_content", scratch, arguments.components, definitions)
        run([arguments.cmake, "--build", build, "--target", "tilewright_exec", "CMakeFiles/consumer.dir/main.cpp.o"])


def check_build_type_warning(arguments, scratch):
    """A project without a build type is told that its engine will be slow; one with a build type is not."""
    for number, (options, is_warned) in enumerate([([], True), (["-DCMAKE_BUILD_TYPE=Release"], False)]):
        said = run([arguments.cmake, "-S", HERE / "fetch_content", "-B", scratch / f"build-type-{number}", "-G", "Ninja",
                    f"-DCMAKE_CXX_COMPILER={arguments.compiler}", f"-DTILEWRIGHT_SOURCE={arguments.source}",
                    "-DTILEWRIGHT_BUILD_ENGINE=ON", *options])
        if ("CMAKE_BUILD_TYPE is empty" in said) != is_warned:
            sys.exit(f"{'no warning' if is_warned else 'a warning'} about the build type with {options}:\n{said}")


def use_pkg_config(arguments, prefix, scratch):
    if shutil.which("pkg-config") is None:
        print("pkg-config is not installed")
        sys.exit(SKIPPED)
    folder = next(prefix.rglob("tilewright-core.pc")).parent
    libraries = folder.parent
    flags = arguments.flags.split()

    def words_of(package):
        environment = dict(os.environ, PKG_CONFIG_PATH=str(folder))
        return run(["pkg-config", "--cflags", "--libs", package], env=environment).split()

    cxx = [arguments.compiler, *flags, PROGRAM]
    compile_and_run([*cxx, "-DCONSUMER_USES_ENGINE=0", *words_of("tilewright-core")], scratch / "core", "core is usable")
    if "engine" in arguments.components:
        compile_and_run([*cxx, "-DCONSUMER_USES_ENGINE=1", *words_of("tilewright-engine")], scratch / "engine",
                        "core and engine are usable")
    if "c" in arguments.components:
        compile_and_run(["cc", "-std=c99", *flags, HERE / "main.c", *words_of("tilewright")], scratch / "c",
                        "the C interface is usable", libraries)


def use_page(arguments, prefix, scratch):
    """The lines of the how-to page as they are, but for the folder of the installation."""
    if shutil.which("pkg-config") is None or not {"engine", "c"} <= set(arguments.components):
        print("pkg-config is not installed, or the engine and the C interface are not built")
        sys.exit(SKIPPED)
    page = (arguments.source / "docs/howto/use_from_cmake.md").read_text("utf-8")
    lines = page.split("## With pkg-config", 1)[1].split("```sh\n", 1)[1].split("```", 1)[0]
    if lines.count("/opt/tilewright") != 2:
        sys.exit(f"the page names /opt/tilewright other than twice:\n{lines}")
    (scratch / "app.cpp").write_text(f'#define CONSUMER_USES_ENGINE 1\n#include "{PROGRAM}"\n')
    shutil.copy(HERE / "main.c", scratch / "app.c")
    tools = scratch / "tools"  # what links a sanitized engine is compiled with its sanitizers
    tools.mkdir()
    for name in ("g++", "cc"):
        (tools / name).write_text(f'#!/bin/sh\nexec {shutil.which(name)} {arguments.flags} "$@"\n')
        (tools / name).chmod(0o755)
    environment = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}")
    folder = next(prefix.rglob("tilewright-core.pc")).parent.parent
    typed = lines.replace("/opt/tilewright/lib", str(folder)).replace("g++ app.cpp", "set -ex; g++ app.cpp")
    typed = typed.replace("\ncc ", "\n./app\ncc ")  # both programs are called app
    said = run(["bash", "-c", typed], cwd=scratch, env=environment)
    for words in ("core and engine are usable", "the C interface is usable"):
        if words not in said:
            sys.exit(f"the lines of the page do not print '{words}':\n{said}")


def use_single_header(arguments, prefix, scratch):
    header = next(prefix.rglob("single_header/tilewright.hpp"))
    shutil.copy(header, scratch)
    shutil.copy(HERE / "single_header.cpp", scratch)
    compilers = [name for name in ("g++", "clang++") if shutil.which(name)]
    for compiler in compilers:
        words = [compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", scratch / "single_header.cpp"]
        compile_and_run(words, scratch / f"single_{compiler}", "(_4,_2):(_1,_8)\n((2,2),3):((24,2),8)\n")
        # In two sources of one program, as a header must.
        (scratch / "second.cpp").write_text('#include "tilewright.hpp"\n')
        compile_and_run([*words, scratch / "second.cpp"], scratch / f"twice_{compiler}", "(_4,_2):(_1,_8)")


def main():
    ways = {"find_package": use_find_package, "fetch_content": use_fetch_content, "pkg_config": use_pkg_config,
            "page": use_page, "single_header": use_single_header}
    parser = argparse.ArgumentParser(description="use the libraries from a project of their own")
    parser.add_argument("way", choices=ways)
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--prefix", type=pathlib.Path)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--components", default="core", type=lambda text: text.split(","))
    parser.add_argument("--flags", default="")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        prefix = arguments.prefix
        if prefix is None and arguments.way != "fetch_content":
            prefix = scratch / "prefix"
            run([arguments.cmake, "--install", arguments.build, "--prefix", prefix])
        ways[arguments.way](arguments, prefix, scratch)


if __name__ == "__main__":
    main()
