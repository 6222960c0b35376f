"""No face of the algebra has an operation beyond algebra/operations.def: every function on layouts that lifts an operation to types, or
returns a result on values, is a row of the table or in a list below, with its reason."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALGEBRA = ROOT / "include/tilewright/algebra"
TABLE = (ALGEBRA / "operations.def").read_text(encoding="utf-8")
LIFTED = {"SIMPLIFY", "INVERT", "BY_TILER", "DIVIDE", "PRODUCT", "BY_LAYOUT"}
TYPES = ("operations.hpp", "swizzled.hpp", "query.hpp", "rearrange.hpp", "construct.hpp", "shape_arithmetic.hpp")
VALUES = ("value_operations.hpp", "value_query.hpp", "composed.hpp")

# Functions of one face alone, and other faces' names of rows.
OTHER_TYPES = {
    "recast_bits": "recast, whose widths are template arguments", "make_layout": "of shapes, strides and modes",
    "make_ordered_layout": "compact_order", "make_identity_layout": "identity_layout", "make_layout_like": "of a layout's pattern",
    "make_fragment_layout": "of registers", "layout": "mode", "product_each": "of shapes", "flat_coordinates": "for pictures"}
OTHER_VALUES = {"make_layout": "of a shape and a stride", "offset_at": "crd2idx with a tuple for a result", "product_each": "of shapes"}


def rows():
    """{name: section}"""
    return {name: section for section, name in re.findall(r"^TILEWRIGHT_X_([A-Z_]+)\((\w+),", TABLE, re.MULTILINE)}


def functions(file, head):
    """(name, body) of what `head` declares in a header, outside of the namespaces detail and op."""
    text = re.sub(r"^namespace (detail|op) \{.*?^\}  // namespace \1$", "", (ALGEBRA / file).read_text(encoding="utf-8"),
                  flags=re.MULTILINE | re.DOTALL)
    return re.findall(rf"^{head} (\w+)\((.*?)(?:^\}}$|\}}$)", text, re.MULTILINE | re.DOTALL)


def lifted_by_hand():
    """Functions on types whose body calls the bridge from types to values."""
    return {name for file in TYPES for name, body in functions(file, r"TILEWRIGHT_FN constexpr auto") if "lift::call<op::" in body}


def on_values():
    return {name for file in VALUES for name, _ in functions(file, r"constexpr result<[\w ]+>")}


class OperationTable(unittest.TestCase):
    def test_rows_are_named_once(self):
        names = re.findall(r"^TILEWRIGHT_X_[A-Z_]+\((\w+),", TABLE, re.MULTILINE)
        self.assertEqual(len(names), len(set(names)))
        self.assertGreater(len(names), 50)

    def test_types_have_no_other_operation(self):
        found = lifted_by_hand()
        self.assertLessEqual({"with_shape", "upcast", "flatten", "tile_to_shape"}, found)  # the search finds what is there
        self.assertEqual(found - set(rows()), set(OTHER_TYPES))

    def test_values_have_no_other_operation(self):
        found = on_values()
        self.assertLessEqual({"with_shape", "upcast", "flatten", "offset2crd", "cosize"}, found)
        self.assertEqual(found - set(rows()), set(OTHER_VALUES))

    def test_lifted_operations_are_made_of_their_rows_alone(self):
        """Only overloads of other operands are by hand: none takes what the row's section takes."""
        one = r"\((?:L|layout_value|composed_value) const& a\) \{"
        for file in TYPES + VALUES:
            for name, section in rows().items():
                if section in {"SIMPLIFY", "INVERT"}:
                    by_hand = re.findall(rf"^(?:TILEWRIGHT_FN )?constexpr .* {name}{one}", (ALGEBRA / file).read_text(encoding="utf-8"), re.MULTILINE)
                    self.assertEqual(by_hand, [], (file, name))

    def test_compat_lists_no_row_again(self):
        listed = re.findall(r"^using tilewright::(\w+);", (ROOT / "compat/cute/layout.hpp").read_text(encoding="utf-8"), re.MULTILINE)
        self.assertGreater(len(listed), 10)
        self.assertEqual(set(listed) & {name for name, section in rows().items() if section in LIFTED | {"OWN"}}, set())

    def test_the_page_names_every_lifted_operation(self):
        page = (ROOT / "docs/reference/algebra.md").read_text(encoding="utf-8")
        for name, section in rows().items():
            if section in LIFTED:
                self.assertRegex(page, rf"`{name}\b", name)


if __name__ == "__main__":
    unittest.main()
