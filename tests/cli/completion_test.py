"""The completion scripts, asked as the shells ask them, and the manual pages: every verb and every option of its --help is
there, bash completes to what it should, and roff finds nothing to warn of."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

CLI = os.environ["TILEWRIGHT_CLI"]


def tilewright(*words):
    done = subprocess.run([CLI, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def verbs():
    return re.findall(r"^  (\S+) +\S", tilewright("--help"), re.MULTILINE)


def options_of(verb):
    """What --help lists in its column of options."""
    found = re.findall(r"^  (?:-\w,)?(--[a-z][a-z0-9-]*(?:,--[a-z][a-z0-9-]*)*)", tilewright(verb, "--help"), re.MULTILINE)
    return {name for names in found for name in names.split(",")}


def bash_completes(*line):
    """What bash offers with the cursor at the end of the last word."""
    script = tilewright("completion", "bash") + f"""
COMP_WORDS=({' '.join("'" + word + "'" for word in line)})
COMP_CWORD={len(line) - 1}
_tilewright
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, check=True)
    return done.stdout.split()


class Completion(unittest.TestCase):
    def test_bash_completes_verbs(self):
        self.assertEqual(bash_completes("tilewright", "expl"), ["explain"])
        self.assertEqual(set(verbs()) | {"--help", "--version"}, set(bash_completes("tilewright", "")))

    def test_bash_completes_every_option_of_every_verb(self):
        for verb in verbs():
            offered = set(bash_completes("tilewright", verb, "--"))
            self.assertTrue(options_of(verb), verb)
            self.assertLessEqual(options_of(verb), offered, verb)

    def test_bash_completes_values(self):
        self.assertEqual(bash_completes("tilewright", "plot", "(4,8)", "--view", "co"), ["coordinates", "copy", "conflicts"])
        self.assertEqual(bash_completes("tilewright", "explain", "8", "--arch", "sm_9"), ["sm_90"])
        self.assertEqual(bash_completes("tilewright", "completion", "b"), ["bash"])
        self.assertIn("slicing", bash_completes("tilewright", "examples", ""))
        self.assertEqual(bash_completes("tilewright", "plan", "--element", "bf"), ["bf16"])

    def test_values_that_are_offered_are_taken(self):
        for arch in bash_completes("tilewright", "explain", "8", "--arch", ""):
            tilewright("explain", "(8,8)", "--arch", arch)
        for element in bash_completes("tilewright", "explain", "8", "--element", ""):
            tilewright("explain", "(8,8)", "--element", element)
        for verb in bash_completes("tilewright", "man", ""):
            self.assertIn(".TH TILEWRIGHT", tilewright("man", verb))

    def test_zsh_and_fish_have_every_option(self):
        zsh, fish = tilewright("completion", "zsh"), tilewright("completion", "fish")
        for verb in verbs():
            self.assertIn(f"\n    {verb})\n", zsh)
            part = zsh.split(f"\n    {verb})\n")[1].split(" ;;\n")[0]
            of_fish = [line for line in fish.splitlines() if f"from {verb}'" in line]
            for option in options_of(verb):
                self.assertIn(f"'{option}[", part)
                self.assertTrue(any(f" -l {option[2:]} " in line for line in of_fish), f"{verb} {option}")

    def test_shells_can_read_the_scripts(self):
        for shell in ("bash", "zsh", "fish"):
            if shutil.which(shell):
                subprocess.run([shell, "-n"], input=tilewright("completion", shell), text=True, check=True)

    def test_refusals(self):
        for words, sentence in ((["completion"], "completion needs a shell: bash, zsh or fish"),
                                (["completion", "bush"],
                                 "completion: SHELL is bash, zsh, fish, not 'bush'; did you mean 'bash'?")):
            done = subprocess.run([CLI, *words], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"tilewright: {sentence}\n"))


class Manual(unittest.TestCase):
    def test_every_option_stands_in_the_page(self):
        for verb in verbs():
            page = tilewright("man", verb).replace("\\-", "-")
            self.assertTrue(page.startswith(f".TH TILEWRIGHT-{verb.upper()} 1 "), page[:60])
            for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS"):
                self.assertIn(f".SH {section}\n", page)
            for option in options_of(verb):
                self.assertIn(f"\\fB{option}\\fR", page)

    def test_all_pages_in_a_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            tilewright("man", "--all", f"{folder}/man1")
            names = {"tilewright.1"} | {f"tilewright-{verb}.1" for verb in verbs()}
            self.assertEqual(set(os.listdir(f"{folder}/man1")), names)
            for verb in verbs():
                with open(f"{folder}/man1/tilewright-{verb}.1", encoding="utf-8") as page:
                    self.assertEqual(page.read(), tilewright("man", verb))

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_roff_understands_them(self):
        for words in [[]] + [[verb] for verb in verbs()]:
            done = subprocess.run(["groff", "-man", "-Tutf8", "-Kutf8", "-ww", "-P-c"], input=tilewright("man", *words),
                                  capture_output=True, text=True, check=True)
            # Only a line that is too long for the page and has nowhere to break may be remarked upon.
            for line in done.stderr.splitlines():
                self.assertRegex(line, "break line|adjust line")
            plain = re.sub(".\x08", "", done.stdout)
            self.assertIn("EXIT STATUS", plain)
        plain = re.sub(".\x08", "", subprocess.run(["groff", "-man", "-Tutf8", "-P-c"], text=True, check=True,
                                                   input=tilewright("man", "check"), capture_output=True).stdout)
        self.assertIn("tilewright check '(8,8):(8,1)' --injective --contiguous --vector 128", plain)


class Help(unittest.TestCase):
    def test_every_verb_has_examples_and_runs_without_colours(self):
        for verb in verbs():
            text = tilewright(verb, "--help")
            self.assertRegex(text, rf"(?m)^ .*tilewright {verb}", verb)
            self.assertNotIn("\x1b", text)


if __name__ == "__main__":
    unittest.main()
