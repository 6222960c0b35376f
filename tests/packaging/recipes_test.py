#!/usr/bin/env python3
"""The recipes of packaging/ agree with the CMake project: version, options, dependencies, file lists. Neither vcpkg nor Conan
is needed."""
import ast
import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PORT = ROOT / "packaging/vcpkg/tilewright"
CONAN = ROOT / "packaging/conan/conanfile.py"
# The same library under the names of CMake, vcpkg and Conan.
ENGINE_NEEDS = [("TBB", "tbb", "onetbb"), ("Boost", "boost-context", "boost"), ("hwy", "highway", "highway"),
                ("fmt", "fmt", "fmt"), ("nlohmann_json", "nlohmann-json", "nlohmann_json")]


def cmake_version():
    return re.search(r"^\s*VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE).group(1)


def cmake_options():
    text = (ROOT / "CMakeLists.txt").read_text()
    return set(re.findall(r"(?:option|set)\((TILEWRIGHT_\w+)", text))


def cmake_engine_packages():
    text = (ROOT / "cmake/dependencies.cmake").read_text()
    block = re.search(r"tilewright_find\(\s*tilewright_engine_lacks(.*?)\)", text, re.DOTALL).group(1)
    return [line.split()[1] for line in block.strip().splitlines()]


def conan_class():
    tree = ast.parse(CONAN.read_text())
    return next(node for node in tree.body if isinstance(node, ast.ClassDef))


def class_value(name):
    for node in conan_class().body:
        if isinstance(node, ast.Assign) and node.targets[0].id == name:
            return ast.literal_eval(node.value)
    raise AssertionError(f"conanfile.py sets no {name}")


def required_by_conan():
    calls = [node for node in ast.walk(conan_class()) if isinstance(node, ast.Call)
             and isinstance(node.func, ast.Attribute) and node.func.attr == "requires"]
    return [call.args[0].value.split("/")[0] for call in calls]


class Recipes(unittest.TestCase):
    def test_versions_are_the_projects(self):
        self.assertEqual(json.loads((PORT / "vcpkg.json").read_text())["version"], cmake_version())
        self.assertEqual(class_value("version"), cmake_version())

    def test_the_headers_have_the_projects_version(self):
        text = (ROOT / "include/tilewright/base/config.hpp").read_text()
        numbers = [re.search(rf"^#define TILEWRIGHT_VERSION_{part} (\d+)$", text, re.MULTILINE).group(1)
                   for part in ("MAJOR", "MINOR", "PATCH")]
        self.assertEqual(".".join(numbers), cmake_version())
        self.assertIn(f'#define TILEWRIGHT_VERSION "{cmake_version()}"', text)
        number = int(re.search(r"^#define TILEWRIGHT_VERSION_NUMBER (\d+)", text, re.MULTILINE).group(1))
        self.assertEqual(number, int(numbers[0]) * 10000 + int(numbers[1]) * 100 + int(numbers[2]))

    def test_the_engine_needs_the_same_packages_everywhere(self):
        features = json.loads((PORT / "vcpkg.json").read_text())["features"]
        self.assertEqual(cmake_engine_packages(), [names[0] for names in ENGINE_NEEDS])
        self.assertEqual(sorted(features["engine"]["dependencies"]), sorted(names[1] for names in ENGINE_NEEDS))
        self.assertEqual(sorted(required_by_conan()), sorted(names[2] for names in ENGINE_NEEDS))

    def test_options_that_recipes_set_exist(self):
        known = cmake_options()
        for text in (PORT / "portfile.cmake").read_text(), CONAN.read_text():
            # Names from the environment are no options.
            for name in re.findall(r"\bTILEWRIGHT_(?:BUILD|INSTALL)\w*", text):
                self.assertIn(name, known)

    def test_conan_exports_what_the_build_reads(self):
        exported = class_value("sources_of_build")
        for entry in exported:
            self.assertTrue((ROOT / entry).exists(), entry)
        read = set()
        for path in [ROOT / "CMakeLists.txt", *(ROOT / "cmake").glob("*.cmake"), *(ROOT / "engine").rglob("CMakeLists.txt"),
                     *(ROOT / "apps").rglob("CMakeLists.txt")]:
            text = path.read_text()
            read |= set(re.findall(r"\$\{PROJECT_SOURCE_DIR\}/([\w./]+)", text))
            if path == ROOT / "CMakeLists.txt":
                read |= set(re.findall(r"add_subdirectory\(([\w/]+)\)", text)) - {"bench", "python", "tests"}
        for name in sorted(read):
            covered = any(name == entry or name.startswith(entry + "/") for entry in exported)
            self.assertTrue(covered, f"the build reads {name}, which the recipe does not export")

    def test_the_license_is_named_alike(self):
        self.assertEqual(json.loads((PORT / "vcpkg.json").read_text())["license"], class_value("license"))
        self.assertIn("Apache License", (ROOT / "LICENSE").read_text())


if __name__ == "__main__":
    unittest.main()
