"""The kernels of the third document, from its text, which lost its indentation."""


def printed_kernels(text):
    """The kernels of a listing that lost its indentation: a body is one level deep, what follows a colon one more."""
    lines = text.splitlines()
    for start in [i for i, line in enumerate(lines) if line.startswith("@cute.kernel")]:
        out, deeper, in_body = [], 0, False
        for line in lines[start:]:
            if not in_body:
                out.append("    " * (len(out) > 1 and not line.startswith(")")) + line)
                in_body = line.startswith("):")
                continue
            out.append("    " * (1 + deeper) + line)
            if not line.startswith("#"):
                deeper = int(line.endswith(":"))
            if line == "cute.print_tensor(rA)":
                break
        yield "\n".join(out)
