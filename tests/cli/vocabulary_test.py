"""One vocabulary over all verbs: an option of one name has the same short name, the same format and the same words in every
verb that takes it; the table in docs/reference/cli.md lists those that several verbs share, and the verbs."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

CLI = os.environ["TILEWRIGHT_CLI"]
VERBS = {verb["verb"]: verb for verb in json.loads(subprocess.check_output([CLI, "completion", "--json"]))}
PAGE = pathlib.Path("docs/reference/cli.md").read_text(encoding="utf-8")
# Words whose meaning differs from verb to verb, with the reason.
DIFFERS = {"--output": "man writes a folder", "--to": "convert also takes formats", "--tsv": "the rows of two verbs differ"}


def run(*words):
    return subprocess.run([CLI, *words], capture_output=True, text=True)


def refused(*words):
    done = run(*words)
    assert (done.returncode, done.stdout) == (2, ""), (words, done)
    return done.stderr


def shared():
    """{option: {verb: its description}} of the options of several verbs."""
    out = {}
    for verb, described in VERBS.items():
        for option in described["options"]:
            for name in option["names"]:
                if name.startswith("--") and name != "--help":
                    out.setdefault(name, {})[verb] = option
    return {name: verbs for name, verbs in out.items() if len(verbs) > 1}


class Vocabulary(unittest.TestCase):
    def test_same_word_same_format(self):
        for name, verbs in shared().items():
            formats = {(option.get("value"), tuple(option.get("choices", ())), tuple(sorted(option["names"])))
                       for option in verbs.values()}
            if name not in DIFFERS:
                self.assertEqual(len(formats), 1, (name, verbs))

    def test_same_word_same_meaning(self):
        for name, verbs in shared().items():
            purposes = {option["purpose"] for option in verbs.values()}
            if name not in DIFFERS:
                self.assertEqual(len(purposes), 1, (name, purposes))

    def test_every_option_says_what_it_is(self):
        for verb, described in VERBS.items():
            for option in described["options"]:
                self.assertTrue(option["purpose"], (verb, option))

    def test_the_page_lists_them(self):
        rows = dict(re.findall(r"^\| `(?:-o, )?(--[a-z-]+)[^`|]*` \|[^|]*\|([^|]*)\|$", PAGE, re.MULTILINE))
        for name, verbs in shared().items():
            self.assertIn(name, rows, f"the table of options in docs/reference/cli.md lacks {name}")
            listed = set(re.findall(r"`([a-z-]+)`", rows[name])) or set(VERBS)
            if "all but" in rows[name]:
                listed = set(VERBS) - listed
            self.assertEqual(listed, set(verbs), f"the verbs of {name} in docs/reference/cli.md")

    def test_json_and_output_everywhere(self):
        self.assertEqual([verb for verb in VERBS if verb != "man" and verb not in shared()["--json"]], [])

    def test_old_spellings_still_work(self):
        for old, new in ((["explain", "(8,8)", "--element-bits", "64", "--arch", "sm_80"],
                          ["explain", "(8,8)", "--element", "64", "--machine", "sm_80"]),
                         (["plot", "(8,8)", "--view", "banks", "--type", "f64", "--color", "never"],
                          ["plot", "(8,8)", "--view", "banks", "--element", "f64", "--colour", "never"]),
                         (["check", "(8,8)", "--vector", "64", "--dtype=f32"],
                          ["check", "(8,8)", "--vector", "64", "--element=f32"])):
            self.assertEqual(run(*old).stdout, run(*new).stdout)
            self.assertEqual(run(*old).returncode, 0, run(*old))
        self.assertNotIn("--arch", run("explain", "--help").stdout)
        self.assertEqual(refused("explain", "(8,8)", "--arch", "sm_80", "--machine", "sm_80"),
                         "tilewright: explain takes --machine once, and it is given 2 times\n")

    def test_elements_are_types_or_bits(self):
        for verb, words in (("plan", ["8", "8"]), ("explain", ["8"]), ("plot", ["8", "--view", "banks"]),
                            ("bench", ["8", "8", "--repeat", "1"])):
            for element in ("f32", "float32", "32", "b32"):
                self.assertEqual(run(verb, *words, "--element", element).returncode, 0, (verb, element))
            self.assertIn(f"{verb}: there is no element type 'f33'; there are", refused(verb, *words, "--element", "f33"))
            self.assertIn("did you mean 'f32'?", refused(verb, *words, "--element", "f33"))


class ErrorsPage(unittest.TestCase):
    def test_installed_page_is_cited_where_it_is(self):
        with tempfile.TemporaryDirectory() as prefix:
            prefix = pathlib.Path(prefix).resolve()
            (prefix / "bin").mkdir()
            shutil.copy(CLI, prefix / "bin/tilewright")
            call = [str(prefix / "bin/tilewright"), "eval", "(4,8):(8,1)(4,0)"]
            told = subprocess.run(call, capture_output=True, text=True, cwd=prefix)
            self.assertIn("(docs/errors.md#coordinate_out_of_range)", told.stderr)
            page = prefix / "share/doc/tilewright/docs/errors.md"
            page.parent.mkdir(parents=True)
            page.write_text("")
            told = subprocess.run(call, capture_output=True, text=True, cwd=prefix)
            self.assertIn(f"({page}#coordinate_out_of_range)", told.stderr)
            self.assertIn("(docs/errors.md#coordinate_out_of_range)", subprocess.run(call, capture_output=True, text=True).stderr)


class WhatUsersExpect(unittest.TestCase):
    def test_help(self):
        for verb in VERBS:
            told = run(verb, "--help")
            self.assertEqual((told.returncode, told.stderr), (0, ""))
            for words in (["help", verb], ["--help", verb], [verb, "-h"]):
                self.assertEqual(run(*words).stdout, told.stdout, words)
        self.assertEqual(run("help").stdout, run("--help").stdout)
        self.assertEqual(run().stdout, run("--help").stdout)
        self.assertEqual(refused("help", "pplot"), "tilewright: there is no verb 'pplot'; did you mean 'plot'?\n")
        self.assertEqual(refused("help", "plot", "me"),
                         "tilewright: help takes one verb, and 'me' is the second word\n")

    def test_far_off_words(self):
        verbs = ", ".join(VERBS)
        self.assertEqual(refused("transmogrify"), f"tilewright: there is no verb 'transmogrify'; the verbs are {verbs}\n")
        self.assertEqual(refused("pictures"), f"tilewright: there is no verb 'pictures'; the verbs are {verbs}\n")
        self.assertEqual(refused("it's"), f'tilewright: there is no verb "it\'s"; the verbs are {verbs}\n')
        self.assertIn("did you mean 'completion'?", refused("completions-script"))
        self.assertIn("doctor does not take '--frobnicate'; its options are --help, --json, --output",
                      refused("doctor", "--frobnicate"))
        self.assertIn("did you mean '--machine'?", refused("plan", "8", "8", "--mahcine", "cpu"))
        self.assertIn("the examples are ", refused("examples", "zzzzzz"))

    def test_percent_behind_coalesced(self):
        for words in (["--coalesced", "50"], ["--coalesced=50"], ["--coalesced", "50", "--injective"]):
            done = run("check", "(8,8)", *words)
            self.assertEqual(done.returncode, 0, done)
            self.assertTrue(done.stdout.splitlines()[-1].startswith("holds --coalesced 50: "), done.stdout)
        self.assertEqual(run("check", "(8,8)", "--coalesced").stdout.split(":")[0], "holds --coalesced 100")
        self.assertEqual(run("check", "--coalesced", "50", "(8,8)").returncode, 0)
        self.assertIn("must be from 1 to 100, not 500", refused("check", "(8,8)", "--coalesced", "500"))

    def test_threads_of_machines(self):
        pair = ["(64,32):(32,1)", "(64,32):(1,64)", "--element", "f32"]
        for verb in ("plan", "explain", "plot"):
            self.assertEqual(refused(verb, *pair, "--machine", "sm_90", "--threads", "4"),
                             f"tilewright: {verb}: --threads 4 is for CPUs, and sm_90 is a GPU, whose threads the plan "
                             "chooses; leave --threads out\n")
        self.assertIn("x86-64 with AVX2, 4 threads", run("plan", *pair, "--machine", "cpu-avx2", "--threads", "4").stdout)
        self.assertIn("x86-64 with AVX2, 1 thread", run("plan", *pair, "--machine", "cpu-avx2", "--threads", "1").stdout)
        self.assertIn("there are no figures of sm_70 to plan with", refused("plan", *pair, "--machine", "sm_70"))

    def test_empty_and_missing_values(self):
        self.assertEqual(refused("plan", "8", "8", "--element", ""), "tilewright: plan --element needs a value, not ''\n")
        self.assertEqual(refused("plan", "8", "8", "--element"), "tilewright: plan --element needs a value\n")
        self.assertEqual(refused("plan", "8", "8", "--element", "f32", "--element", "f16"),
                         "tilewright: plan takes --element once, and it is given 2 times\n")


if __name__ == "__main__":
    unittest.main()
