"""The sample project examples/ci_gate: its gate is open as the layouts stand, and shuts, with the reason, when a layout
is changed for the worse or written wrongly; by its script and by CTest."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

CLI = os.environ["TILEWRIGHT_CLI"]
GATE = pathlib.Path("examples/ci_gate").resolve()


def run_gate(layouts=GATE / "layouts.sh", command=CLI):
    return subprocess.run(["sh", str(GATE / "check_layouts.sh"), str(layouts)], capture_output=True, text=True,
                          env={**os.environ, "TILEWRIGHT": command})


class Gate(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def changed(self, name, value):
        """The layouts with one of them replaced."""
        text = (GATE / "layouts.sh").read_text()
        lines = [f"{name}='{value}'" if line.startswith(f"{name}=") else line for line in text.splitlines()]
        self.assertNotEqual(lines, text.splitlines())
        (self.folder / "layouts.sh").write_text("\n".join(lines) + "\n")
        return self.folder / "layouts.sh"

    def test_open(self):
        done = run_gate()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual([line.split()[0] for line in done.stdout.splitlines()], ["ok"] * 3)

    def test_shut_by_a_row_major_tile(self):
        done = run_gate(self.changed("a_tile", "(64,32):(32,1)"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("FAIL  load of A: global to shared\n", done.stdout)
        self.assertIn("fails --vector 128: source, global memory: 32-bit loads", done.stdout)
        self.assertIn("let the values run along mode 1", done.stdout)
        self.assertIn("ok    tile of B in shared memory\n", done.stdout)

    def test_shut_by_a_swizzle_left_out(self):
        done = run_gate(self.changed("b_tile", "(32,32):(32,1)"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("32 wavefronts of 1 needed", done.stdout)

    def test_shut_by_a_layout_that_is_none(self):
        done = run_gate(self.changed("b_tile", "(32,32:(32,1)"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("WRONG tile of B in shared memory\n", done.stdout)
        self.assertIn("^", done.stdout)

    def test_shut_without_the_command(self):
        done = run_gate(command="/nowhere/tilewright")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.count("WRONG"), 3)

    @unittest.skipUnless(shutil.which("cmake") and shutil.which("ctest"), "CMake is not installed")
    def test_by_ctest(self):
        build = self.folder / "build"
        subprocess.run(["cmake", "-S", str(GATE), "-B", str(build), f"-DTILEWRIGHT={CLI}"], check=True,
                       capture_output=True)
        done = subprocess.run(["ctest", "--test-dir", str(build), "--output-on-failure"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("100% tests passed", done.stdout)


if __name__ == "__main__":
    unittest.main()
