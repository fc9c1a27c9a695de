# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""`check --format junit` and `report --format junit` against the schema, and what a parser reads in them."""

import json
import pathlib
import shutil
import subprocess
import unittest
import xml.etree.ElementTree

from command_under_test import FolderTest, run

HERE = pathlib.Path(__file__).parent
XMLLINT = shutil.which("xmllint")


class Junit(FolderTest):
    def result(self, name, *words):
        made = subprocess.run([HERE / "fixtures" / "make_result", *words], check=True, capture_output=True, text=True)
        file = self.folder / name
        file.write_text(made.stdout)
        return file

    def report(self, *arguments):
        """The root element, after the schema accepted it."""
        file = self.folder / "allocgate.xml"
        done = run(*arguments, "--format", "junit", "--output", file)
        self.assertEqual(done.stdout, "")
        if XMLLINT:
            checked = subprocess.run([XMLLINT, "--noout", "--schema", HERE / "junit.xsd", file], capture_output=True,
                                     text=True, check=False)
            self.assertEqual(checked.returncode, 0, checked.stderr + file.read_text())
        return xml.etree.ElementTree.parse(file).getroot(), done.returncode

    def counts(self, root):
        return {name: int(root.get(name)) for name in ("tests", "failures", "errors", "skipped")}

    @unittest.skipUnless(XMLLINT, "xmllint is not installed (Debian: libxml2-utils)")
    def test_schema_refuses_what_is_none(self):
        file = self.folder / "bad.xml"
        for text in ('<testsuites tests="1" failures="0" errors="0" skipped="0"><testcase/></testsuites>',
                     '<testsuite name="x" tests="0" failures="0" errors="0"/>', "<testsuites/>",
                     '<testsuites tests="1" failures="0" errors="0" skipped="0"><testsuite name="x" tests="1" '
                     'failures="0" errors="0" skipped="0"><testcase classname="c" name="n"><failure message="" '
                     'type="t">x</failure><skipped message=""/></testcase></testsuite></testsuites>'):
            file.write_text(text)
            checked = subprocess.run([XMLLINT, "--noout", "--schema", HERE / "junit.xsd", file], capture_output=True,
                                     check=False)
            self.assertNotEqual(checked.returncode, 0, text)

    def test_each_verdict_has_its_element(self):
        before = self.result("before.json", "good", "allocations=1", "worse", "allocations=1", "gone", "allocations=1",
                             "crash", "allocations=1", "suite=other")
        run("baseline", "update", "--baseline", self.folder / "b", "--from", before, "--reason", "first")
        now = self.result("now.json", "good", "allocations=1", "worse", "allocations=2", "fresh", "allocations=1",
                          "crash", "suite=other", "status=failed", "error=it printed\n]]> & \x01\x1b[31m\n</error>")
        root, status = self.report("check", now, "--baseline", self.folder / "b")
        self.assertEqual(status, 2)
        self.assertEqual(self.counts(root), {"tests": 6, "failures": 1, "errors": 2, "skipped": 2})
        cases = {(case.get("classname"), case.get("name")): case for case in root.iter("testcase")}
        self.assertIsNotNone(cases["allocgate.suite", "good allocations"].find("system-out"))
        self.assertEqual(cases["allocgate.suite", "worse allocations"].find("failure").get("type"), "regression")
        self.assertIn("accept:", cases["allocgate.suite", "worse allocations"].find("failure").text)
        self.assertEqual(cases["allocgate.suite", "gone"].find("error").get("type"), "missing")
        self.assertIn("\n]]> & \ufffd\ufffd[31m\n</error>", cases["allocgate.other", "crash"].find("error").text)
        self.assertIsNotNone(cases["allocgate.suite", "fresh"].find("skipped"))
        self.assertEqual([suite.get("name") for suite in root], ["allocgate.other", "allocgate.suite"])

    def test_names_survive_whatever_is_in_them(self):
        names = ["a<b>&\"c'", "tab\there", "new\nline", "bell\x07", "é 漢 😀", "\ufffe"]
        result = json.loads(self.result("r.json", "w", "allocations=1").read_text())
        result["workloads"] = [result["workloads"][0] | {"name": name} for name in names]
        file = self.folder / "named.json"
        file.write_text(json.dumps(result) + "\n")
        root, status = self.report("report", file)
        self.assertEqual(status, 0)
        expected = [name.replace("\x07", "\ufffd").replace("\ufffe", "\ufffd") + " allocations" for name in names]
        self.assertCountEqual([case.get("name") for case in root.iter("testcase")], expected)

    def test_report_of_a_judgement_says_what_check_said(self):
        before = self.result("before.json", "w", "allocations=1")
        now = self.result("now.json", "w", "allocations=2")
        direct, _ = self.report("check", now, "--against", before)
        judgement = self.folder / "judgement.json"
        run("check", now, "--against", before, "--format", "json", "--output", judgement)
        later, status = self.report("report", now, "--judgement", judgement)
        self.assertEqual(status, 0)
        self.assertEqual(xml.etree.ElementTree.tostring(later), xml.etree.ElementTree.tostring(direct))

    def test_without_a_judgement_what_failed_is_an_error(self):
        root, status = self.report("report", self.result("r.json", "w", "allocations=1", "slack_bytes=3", "bad",
                                                         "status=timeout", "error=it did not end"))
        self.assertEqual((self.counts(root), status), ({"tests": 2, "failures": 0, "errors": 1, "skipped": 0}, 0))

    def test_empty_result_is_no_success(self):
        root, status = self.report("check", self.result("r.json"), "--baseline", self.folder / "none")
        self.assertEqual((status, self.counts(root)["errors"]), (3, 1))


if __name__ == "__main__":
    unittest.main()
