"""Builds the wheel: CMake compiles the extension module, and the package's files and that module are packed (PEP 517).

A backend of our own, since those that drive CMake are not in Debian and this one needs no network where the system has
CMake, Ninja and pybind11; what is missing of these, it asks the package index for. Set TILEWRIGHT_BUILD_DIR to keep the build
folder between calls.
"""
import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME = "tilewright"


def version():
    text = (ROOT / "CMakeLists.txt").read_text()
    return re.search(r"VERSION (\d+\.\d+\.\d+)", text)[1]


def tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def metadata():
    return (f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {version()}\n"
            "Summary: Layout algebra as values, and copies between any two layouts at the speed of memory\n"
            "License: Apache-2.0\nRequires-Python: >=3.9\n\n" + (ROOT / "python/README.md").read_text())


def wheel_file():
    return f"Wheel-Version: 1.0\nGenerator: tilewright\nRoot-Is-Purelib: false\nTag: {tag()}\n"


def pybind11_needed():
    """The first release of pybind11 that knows this Python, as (major, minor)."""
    return (2, 13) if sys.version_info >= (3, 13) else (2, 11) if sys.version_info >= (3, 12) else (2, 6)


def system_pybind11():
    """The version of pybind11 in the system's include folders, as (major, minor), or None."""
    for folder in ("/usr/include", "/usr/local/include"):
        header = pathlib.Path(folder, "pybind11/detail/common.h")
        if header.is_file():
            found = dict(re.findall(r"#define PYBIND11_VERSION_(MAJOR|MINOR) (\d+)", header.read_text(encoding="utf-8")))
            return int(found["MAJOR"]), int(found["MINOR"])
    return None


def get_requires_for_build_wheel(config_settings=None):
    """What the system lacks and the package index has; nothing where Debian's packages are installed."""
    out = [tool for tool in ("cmake", "ninja") if shutil.which(tool) is None]
    if (system_pybind11() or (0, 0)) < pybind11_needed():
        out.append("pybind11>=%d.%d" % pybind11_needed())
    return out


def pybind11_option():
    """Where CMake finds pybind11: an installed package of this Python before the system's."""
    try:
        import pybind11
        return [f"-Dpybind11_DIR={pybind11.get_cmake_dir()}"]
    except ImportError:
        pass
    found, needed = system_pybind11(), pybind11_needed()
    if found is None or found < needed:
        raise SystemExit(f"building tilewright for Python {sys.version_info.major}.{sys.version_info.minor} needs pybind11 "
                         f"{needed[0]}.{needed[1]} or newer, and {'the system has none' if found is None else 'the system has %d.%d' % found}; "
                         "install it (pip install pybind11, or Debian's pybind11-dev)")
    return []


def require_tools():
    for tool, package in (("cmake", "cmake"), ("ninja", "ninja-build")):
        if shutil.which(tool) is None:
            raise SystemExit(f"building tilewright needs {tool}; install it (Debian: apt-get install {package}; or pip install {tool})")
    compiler = os.environ.get("CXX", "").split()
    if not any(shutil.which(c) for c in (compiler[:1] or ["c++", "g++", "clang++"])):
        raise SystemExit("building tilewright needs a C++20 compiler, and " +
                         (f"CXX names {compiler[0]}, which there is not" if compiler else "there is no c++, g++ or clang++") +
                         "; install one (Debian: apt-get install g++)")
    header = pathlib.Path(sysconfig.get_path("include"), "Python.h")
    if not header.is_file():
        raise SystemExit(f"building tilewright needs Python's headers, and there is no {header}; install them (Debian: apt-get "
                         "install python3-dev)")


def compile_into(folder):
    """Configures and builds the extension for the Python that runs this; returns the package's folder."""
    require_tools()
    configure = ["cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                 "-DTILEWRIGHT_BUILD_PYTHON=ON", f"-DPython3_EXECUTABLE={sys.executable}", "-DTILEWRIGHT_BUILD_TESTS=OFF",
                 "-DTILEWRIGHT_BUILD_BENCH=OFF", "-DTILEWRIGHT_BUILD_EXAMPLES=OFF", "-DTILEWRIGHT_BUILD_CLI=ON",
                 "-DTILEWRIGHT_LARGE_UNITS=ON", *pybind11_option()]
    for command in (configure, ["cmake", "--build", str(folder), "--target", "tilewright_python"]):
        if subprocess.run(command, stdout=sys.stderr).returncode != 0:
            raise SystemExit(f"building tilewright failed: {' '.join(command[:4])} …; the lines above say why")
    subprocess.run([sys.executable, str(ROOT / "python/write_stubs.py"), str(folder / "python")], check=True)
    return folder / "python" / NAME


def pack(path, files):
    """Writes the wheel `path` of {name: bytes}, with its record; beside first, then renamed."""
    info = f"{NAME}-{version()}.dist-info"
    record = ""
    beside = path.with_suffix(".part")
    with zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in sorted(files.items()):
            out.writestr(name, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record += f"{name},sha256={digest},{len(content)}\n"
        out.writestr(f"{info}/RECORD", record + f"{info}/RECORD,,\n")
    os.replace(beside, path)


def shared_libraries(module):
    """The libraries that the module is linked with and that a machine without compilers does not have."""
    everywhere = re.compile(r"lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|python[\d.]+)\.so|ld-linux|linux-vdso")
    listed = subprocess.run(["ldd", str(module)], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^\s*(\S+) => (\S+)", listed, re.MULTILINE)
    return {name: pathlib.Path(path) for name, path in found if not everywhere.match(name)}


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    name = f"{NAME}-{version()}.dist-info"
    folder = pathlib.Path(metadata_directory) / name
    folder.mkdir()
    (folder / "METADATA").write_text(metadata(), encoding="utf-8")
    (folder / "WHEEL").write_text(wheel_file(), encoding="utf-8")
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    kept = os.environ.get("TILEWRIGHT_BUILD_DIR")
    folder = pathlib.Path(kept or tempfile.mkdtemp(prefix="tilewright-")).absolute()
    try:
        return wheel_of(compile_into(folder), wheel_directory)
    finally:
        if not kept:
            shutil.rmtree(folder, ignore_errors=True)


def wheel_of(package, wheel_directory):
    """The wheel of a built package, the folder `tilewright`; its name. _mpi finds its MPI where mpi4py has loaded it."""
    files = {f"{NAME}/{p.relative_to(package)}": p.read_bytes() for p in package.rglob("*")
             if p.is_file() and "__pycache__" not in p.parts}
    for name, path in shared_libraries(next(package.glob("_core*"))).items():
        files[f"{NAME}/{name}"] = path.read_bytes()
    info = f"{NAME}-{version()}.dist-info"
    files[f"{info}/METADATA"] = metadata().encode()
    files[f"{info}/WHEEL"] = wheel_file().encode()
    files[f"{info}/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    name = f"{NAME}-{version()}-{tag()}.whl"
    pack(pathlib.Path(wheel_directory) / name, files)
    return name


def build_sdist(sdist_directory, config_settings=None):
    name = f"{NAME}-{version()}.tar.gz"
    subprocess.run(["git", "archive", f"--prefix={NAME}-{version()}/", "-o", str(pathlib.Path(sdist_directory) / name), "HEAD"],
                   cwd=ROOT, check=True)
    return name
