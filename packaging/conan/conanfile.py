"""Conan 2: `conan create packaging/conan` packages this checkout. with_engine=False gives the headers alone."""
import os

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class Tilewright(ConanFile):
    name = "tilewright"
    version = "0.2.0"
    description = "Layout algebra and tiled copies in C++20"
    license = "Apache-2.0"
    topics = ("tensor", "layout", "copy", "cuda")
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"with_engine": [True, False]}
    default_options = {"with_engine": True}
    no_copy_source = True

    # What the build reads, relative to the root of the checkout.
    sources_of_build = ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "apps", "bench/support", "cmake", "compat",
                        "docs", "engine", "distributed", "examples", "include", "tools")

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for entry in self.sources_of_build:
            if os.path.isdir(os.path.join(root, entry)):
                entry += "/*"
            copy(self, entry, root, self.export_sources_folder)

    def configure(self):
        if not self.options.with_engine:
            self.package_type = "header-library"

    def requirements(self):
        if self.options.with_engine:
            self.requires("onetbb/2021.12.0")
            self.requires("boost/1.84.0")
            self.requires("highway/1.1.0")
            self.requires("fmt/10.2.1")
            self.requires("nlohmann_json/3.11.3")

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def package_id(self):
        if not self.options.with_engine:
            self.info.clear()

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        toolchain.variables["TILEWRIGHT_BUILD_ENGINE"] = "ON" if self.options.with_engine else "OFF"
        toolchain.variables["TILEWRIGHT_BUILD_CLI"] = "OFF"
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "Tilewright")
        core = self.cpp_info.components["core"]
        core.set_property("cmake_target_name", "tilewright::core")
        core.set_property("pkg_config_name", "tilewright-core")
        core.libdirs = []
        core.bindirs = []
        if self.options.with_engine:
            engine = self.cpp_info.components["engine"]
            engine.set_property("cmake_target_name", "tilewright::engine")
            engine.set_property("pkg_config_name", "tilewright-engine")
            engine.libs = ["tilewright_engine"]
            engine.requires = ["core", "onetbb::libtbb", "boost::context", "highway::hwy", "fmt::fmt",
                               "nlohmann_json::nlohmann_json"]
            if self.settings.os == "Linux":
                engine.system_libs = ["dl", "pthread"]
            c = self.cpp_info.components["c"]
            c.set_property("cmake_target_name", "tilewright::c")
            c.set_property("pkg_config_name", "tilewright")
            c.libs = ["tilewright"]
