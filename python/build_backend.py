"""Builds the wheel: CMake compiles the extension module, and the package's files and that module are packed (PEP 517).

A backend of our own, since those that drive CMake are not in Debian and this one needs no network. Set
TILEWRIGHT_BUILD_DIR to keep the build folder between calls.
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


def compile_into(folder):
    """Configures and builds the extension for the Python that runs this; returns the package's folder."""
    for tool in ("cmake", "ninja"):
        if shutil.which(tool) is None:
            raise SystemExit(f"building tilewright needs {tool}; install it (Debian: apt-get install "
                             f"{'ninja-build' if tool == 'ninja' else tool})")
    configure = ["cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                 "-DTILEWRIGHT_BUILD_PYTHON=ON", f"-DPython3_EXECUTABLE={sys.executable}", "-DTILEWRIGHT_BUILD_TESTS=OFF",
                 "-DTILEWRIGHT_BUILD_BENCH=OFF", "-DTILEWRIGHT_BUILD_EXAMPLES=OFF", "-DTILEWRIGHT_BUILD_CLI=ON",
                 "-DTILEWRIGHT_LARGE_UNITS=ON"]
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
