"""The completion scripts, asked as the shells ask them, and the manual pages: every verb and every option of its --help is
there, bash completes to what it should, and roff finds nothing to warn of."""
import json
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import tempfile
import time
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


ZSH_SETUP = """
fpath=(FOLDER $fpath)
autoload -Uz compinit && compinit -u -D
# What is offered goes to a file too. With -O, -A or -D the shell only sorts its own lists.
compadd() {
  local -a found
  if [[ ${@[1,(i)(-|--)]} == *-[OAD]\\ * ]]; then builtin compadd "$@"; return; fi
  builtin compadd -O found "$@"
  print -rl -- $found >> FOLDER/found
  builtin compadd "$@"
}
offer() { zle complete-word; print -r -- done >> FOLDER/found; exit }
zle -N offer
bindkey '^X' offer
"""


def zsh_completes(line):
    """What zsh offers behind the line: its completion runs in the line editor only, so it gets a terminal."""
    with tempfile.TemporaryDirectory() as folder:
        found = pathlib.Path(folder) / "found"
        (pathlib.Path(folder) / "_tilewright").write_text(tilewright("completion", "zsh"), encoding="utf-8")
        (pathlib.Path(folder) / "setup").write_text(ZSH_SETUP.replace("FOLDER", folder), encoding="utf-8")
        ours, its = pty.openpty()
        with subprocess.Popen(["zsh", "-f", "-i"], stdin=its, stdout=its, stderr=its, start_new_session=True,
                              env={**os.environ, "TERM": "dumb", "HOME": folder}) as shell:
            os.close(its)
            os.write(ours, f"source {folder}/setup\n{line}\x18".encode())
            until = time.monotonic() + 60
            while not (found.exists() and found.read_text().endswith("done\n")) and time.monotonic() < until:
                if select.select([ours], [], [], 0.05)[0]:
                    try:
                        os.read(ours, 4096)
                    except OSError:  # the shell has closed its end
                        break
            shell.kill()
        os.close(ours)
        return [word for word in found.read_text().split("\n")[:-2] if word]


def fish_completes(line):
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / "tilewright.fish"
        script.write_text(tilewright("completion", "fish"), encoding="utf-8")
        done = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"], text=True,
                              capture_output=True, check=True, env={**os.environ, "HOME": folder})
        return [offer.split("\t")[0] for offer in done.stdout.splitlines()]


def bash_line(line):
    return bash_completes(*line.split(" "))


class Completion(unittest.TestCase):
    def test_bash_completes_verbs(self):
        self.assertEqual(bash_completes("tilewright", "expl"), ["explain"])
        self.assertEqual(set(verbs()) | {"help", "--help", "--version"}, set(bash_completes("tilewright", "")))

    def test_bash_completes_every_option_of_every_verb(self):
        for verb in verbs():
            offered = set(bash_completes("tilewright", verb, "--"))
            self.assertTrue(options_of(verb), verb)
            self.assertLessEqual(options_of(verb), offered, verb)

    def test_bash_completes_values(self):
        self.assertEqual(bash_completes("tilewright", "plot", "(4,8)", "--view", "co"), ["coordinates", "copy", "conflicts"])
        self.assertEqual(bash_completes("tilewright", "explain", "8", "--machine", "sm_9"), ["sm_90"])
        self.assertEqual(bash_completes("tilewright", "completion", "b"), ["bash"])
        self.assertIn("slicing", bash_completes("tilewright", "examples", ""))
        self.assertEqual(bash_completes("tilewright", "plan", "--element", "bf"), ["bf16"])

    def test_values_that_are_offered_are_taken(self):
        for arch in bash_completes("tilewright", "explain", "8", "--machine", ""):
            tilewright("explain", "(8,8)", "--machine", arch)
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

    def offers_what_it_should(self, completes):
        self.assertEqual(completes("tilewright expl"), ["explain"])
        self.assertLessEqual(set(verbs()), set(completes("tilewright ")))
        self.assertEqual(set(completes("tilewright plot x --view co")), {"coordinates", "copy", "conflicts"})
        self.assertEqual(completes("tilewright explain 8 --machine sm_9"), ["sm_90"])
        self.assertEqual(completes("tilewright completion b"), ["bash"])
        self.assertEqual(completes("tilewright examples sli"), ["slicing"])
        self.assertEqual(completes("tilewright bench --dev"), ["--device"])
        self.assertEqual(set(completes("tilewright bench 8 8 --device c")), {"cpu", "cuda"})
        for verb in ("plot", "check", "convert"):
            self.assertLessEqual(options_of(verb), set(completes(f"tilewright {verb} --")), verb)

    def test_bash_offers_what_it_should(self):
        self.offers_what_it_should(bash_line)

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_offers_what_it_should(self):
        self.offers_what_it_should(zsh_completes)

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish_offers_what_it_should(self):
        self.offers_what_it_should(fish_completes)

    def test_other_programs_get_the_same_as_json(self):
        told = {verb["verb"]: verb for verb in json.loads(tilewright("completion", "--json"))}
        self.assertEqual(list(told), verbs())
        for verb in verbs():
            names = {name for option in told[verb]["options"] for name in option["names"]}
            self.assertLessEqual(options_of(verb), names, verb)
        view = next(option for option in told["plot"]["options"] if "--view" in option["names"])
        self.assertIn("plan", view["choices"])

    def test_refusals(self):
        for words, sentence in ((["completion"], "completion needs a shell: bash, zsh or fish"),
                                (["completion", "bush"],
                                 "completion: SHELL must be one of bash, zsh, fish, not 'bush'; did you mean 'bash'?")):
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
            tilewright("man", "--output", f"{folder}/man1")
            names = {"tilewright.1"} | {f"tilewright-{verb}.1" for verb in verbs()}
            self.assertEqual(set(os.listdir(f"{folder}/man1")), names)
            for verb in verbs():
                with open(f"{folder}/man1/tilewright-{verb}.1", encoding="utf-8") as page:
                    self.assertEqual(page.read(), tilewright("man", verb))

    @unittest.skipUnless(shutil.which("man"), "man is not installed")
    def test_man_has_nothing_to_warn_of(self):
        with tempfile.TemporaryDirectory() as folder:
            tilewright("man", "--output", folder)
            for page in sorted(os.listdir(folder)):
                done = subprocess.run(["man", "-l", "--warnings", f"{folder}/{page}"], capture_output=True, text=True,
                                      env={**os.environ, "MANWIDTH": "80", "MANPAGER": "cat", "LC_ALL": "C.UTF-8"})
                self.assertEqual((done.returncode, done.stderr), (0, ""), page)
                self.assertIn("EXIT STATUS", re.sub("\x1b\\[[0-9;]*m|.\x08", "", done.stdout))

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
