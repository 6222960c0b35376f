"""Colours: on a terminal, and there not with NO_COLOR or on one that is dumb; never in a file."""
import os
import pty
import subprocess
import unittest

CLI = os.environ["TILEWRIGHT_CLI"]
CHECK = [CLI, "check", "(8,8):(9,1)", "--injective", "--contiguous"]


def on_terminal(words, **variables):
    """What the command writes to a terminal."""
    environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
    ours, its = pty.openpty()
    with subprocess.Popen(words, stdout=its, stderr=its, env={**environment, "TERM": "xterm", **variables}) as child:
        os.close(its)
        text = b""
        try:
            while part := os.read(ours, 4096):
                text += part
        except OSError:
            pass  # the other end is closed
        child.wait()
    os.close(ours)
    return text.decode()


class Colours(unittest.TestCase):
    def test_on_a_terminal(self):
        text = on_terminal(CHECK)
        self.assertIn("\x1b[32mholds\x1b[0m --injective", text)
        self.assertIn("\x1b[31mfails\x1b[0m --contiguous", text)

    def test_pictures(self):
        plot = [CLI, "plot", "(4,8):(8,1)"]
        plan = [CLI, "plot", "(64,32):(32,1)", "(64,32):(1,64)", "--element", "f32", "--machine", "sm_90"]
        for words in (plot, plan):
            self.assertIn("\x1b[", on_terminal(words))
            self.assertNotIn("\x1b", on_terminal(words, NO_COLOR="1"))
            self.assertNotIn("\x1b", on_terminal([*words, "--json"]))
            self.assertNotIn("\x1b", subprocess.run(words, capture_output=True, text=True).stdout)

    def test_other_verbs_print_plain_text(self):
        for words in (["--help"], ["explain", "(4,8)"], ["plan", "8", "8", "--element", "f32"], ["examples"], ["doctor"],
                      ["eval", "(4,8)"], ["man", "plot"], ["bench", "8", "8", "--element", "f32", "--repeat", "1"]):
            self.assertNotIn("\x1b", on_terminal([CLI, *words]), words)

    def test_not_when_unwanted(self):
        self.assertNotIn("\x1b", on_terminal(CHECK, NO_COLOR="1"))
        self.assertNotIn("\x1b", on_terminal(CHECK, TERM="dumb"))
        self.assertNotIn("\x1b", on_terminal([*CHECK, "--json"]))
        self.assertNotIn("\x1b", subprocess.run(CHECK, capture_output=True, text=True).stdout)


if __name__ == "__main__":
    unittest.main()
