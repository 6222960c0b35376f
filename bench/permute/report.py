"""What bench/permute makes of its rows: a table, a summary for each suite, a file of JSON, and a plot (plot.py).

usage: report.py FILE.json... [--svg FILE]    prints the table of one or several files of rows, and draws it
"""
import argparse
import json
import math
import os
import pathlib
import sys
import tempfile

from plot import draw

PEER_ORDER = ["naive", "eigen", "eigen matrix", "onednn", "fftw", "numpy", "torch", "torch.compile", "cupy"]


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(math.log(value) for value in values) / len(values)) if values else None


def duration(seconds):
    """Four characters and a unit: 12.3 ms, 1.23 µs."""
    for unit, size in [("s ", 1), ("ms", 1e-3), ("µs", 1e-6)]:
        if seconds >= size:
            break
    else:
        unit, size = "ns", 1e-9
    value = seconds / size
    return f"{value:.3g} {unit}" if value < 100 else f"{value:.0f} {unit}"


def is_measured(row):
    return "seconds" in row


def peers_of(rows):
    """The names of the peers in any of the rows, in a fixed order."""
    found = {name for row in rows for name in row["peers"]}
    return sorted(found, key=lambda name: (PEER_ORDER.index(name) if name in PEER_ORDER else len(PEER_ORDER), name))


# --- The table ---------------------------------------------------------------------------------------------------------

def header(peers):
    columns = f"{'case':40} {'type':>4} {'MB':>6} {'time':>8} {'GB/s':>6} {'memcpy':>8} {'share':>6} {'roof':>6}"
    return columns + "".join(f" {name:>{max(6, len(name))}}" for name in peers)


def line(row, peers):
    """A row of the table: MB of both tensors together, and each peer's time as a multiple of the library's."""
    label = f"{row['suite']} {row['case']}"
    if len(label) > 72:
        label = label[:71] + "…"
    start = f"{label:40} {row['element']:>4} {row['bytes'] / 1e6:6.3g}"
    if not is_measured(row):
        verdict = "WRONG" if row["wrong"] else f"right: {', '.join(row.get('checked', []))}"
        return f"{start} {verdict}"
    roof = row.get("roof_share")
    cells = (f" {duration(row['seconds']):>8} {row['bytes'] / row['seconds'] / 1e9:6.3g}"
             f" {duration(row['memcpy_seconds']):>8} {row['share']:6.3f} {'–' if roof is None else f'{roof:.3f}':>6}")
    for name in peers:
        ratio = row["peers"].get(name, {}).get("ratio")
        cells += f" {'–' if ratio is None else f'{ratio:.2f}×':>{max(6, len(name))}}"
    return start + cells + (" WRONG" if row["wrong"] else "")


# --- The summary -------------------------------------------------------------------------------------------------------

def summary_of(rows):
    """suite -> geometric means and worst cases, of the shares and of the ratios to each peer"""
    suites = {}
    for suite in dict.fromkeys(row["suite"] for row in rows if is_measured(row)):
        measured = [row for row in rows if row["suite"] == suite and is_measured(row)]
        worst = min(measured, key=lambda row: row["share"])
        fastest = geometric_mean(row["memcpy_min_seconds"] / row["min_seconds"] for row in measured)
        found = {"cases": len(measured), "share": {"geometric_mean": geometric_mean(row["share"] for row in measured),
                                                   "worst": worst["share"], "worst_case": key_of(worst),
                                                   "geometric_mean_of_fastest_turns": fastest}, "peers": {}}
        if roofs := {key_of(row): row["roof_share"] for row in measured if "roof_share" in row}:
            lowest = min(roofs, key=roofs.get)
            found["roof_share"] = {"cases": len(roofs), "geometric_mean": geometric_mean(roofs.values()),
                                   "worst": roofs[lowest], "worst_case": lowest,
                                   "below_0.7": sum(share < 0.7 for share in roofs.values())}
        for name in peers_of(measured):
            ratios = {key_of(row): row["peers"][name]["ratio"] for row in measured
                      if "ratio" in row["peers"].get(name, {})}
            if ratios:
                closest = min(ratios, key=ratios.get)
                found["peers"][name] = {"cases": len(ratios), "geometric_mean": geometric_mean(ratios.values()),
                                        "worst": ratios[closest], "worst_case": closest,
                                        "faster_than_the_library": sum(ratio < 1 for ratio in ratios.values()),
                                        "faster_by_2_percent": sum(ratio < 0.98 for ratio in ratios.values())}
        suites[suite] = found
    return suites


def key_of(row):
    return f"{row['case']} {row['element']}"


def summary_lines(suites):
    for suite, found in suites.items():
        share = found["share"]
        yield (f"{suite}: {found['cases']} cases, share of memcpy {share['geometric_mean']:.3f} (geometric mean), worst "
               f"{share['worst']:.3f} ({share['worst_case']}); {share['geometric_mean_of_fastest_turns']:.3f} "
               "by the fastest rounds")
        if "roof_share" in found:
            roof = found["roof_share"]
            yield (f"  share of the roof {roof['geometric_mean']:.3f} (geometric mean of {roof['cases']}), worst "
                   f"{roof['worst']:.3f} ({roof['worst_case']}), below 0.70 in {roof['below_0.7']}")
        for name, peer in found["peers"].items():
            yield (f"  {name}: takes {peer['geometric_mean']:.2f}× the library's time in {peer['cases']} cases, least "
                   f"{peer['worst']:.2f}× ({peer['worst_case']}); faster than the library in "
                   f"{peer['faster_than_the_library']}, by more than 2 % in {peer['faster_by_2_percent']}")


def family_lines(rows):
    """A line for each family of the suite `families`: the share of the roof, and where it is lowest."""
    families = {}
    for row in rows:
        if row["suite"] == "families" and is_measured(row) and "roof_share" in row:
            families.setdefault(row["case"].split()[0], []).append(row)
    for name, found in sorted(families.items()):
        worst = min(found, key=lambda row: row["roof_share"])
        mean = geometric_mean(row["roof_share"] for row in found)
        behind = sum(any(peer.get("ratio", 1) < 0.98 for peer in row["peers"].values()) for row in found)
        yield (f"  {name:12} {len(found):3} cases, share of the roof {mean:.3f}, worst {worst['roof_share']:.3f} "
               f"({key_of(worst)}); a peer is more than 2 % faster in {behind}")


def absences(rows):
    """Why peers are missing from rows: one line for each reason."""
    reasons = {}
    for row in rows:
        for name, peer in row["peers"].items():
            if "absent" in peer:
                reasons.setdefault((name, peer["absent"]), []).append(row)
    for (name, reason), where in reasons.items():
        yield f"{name} takes no part in {len(where)} of {len(rows)} cases: {reason}"


# --- Files -------------------------------------------------------------------------------------------------------------

def write_beside(path, text):
    """The whole text or nothing appears at `path`."""
    path = pathlib.Path(path)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name + ".")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def document_of(about, rows):
    """`about` says on what the rows were measured: device, machine, threads, …"""
    return {**about, "rows": rows, "summary": summary_of(rows)}


def write_json(path, document):
    write_beside(path, json.dumps(document, indent=1, ensure_ascii=False) + "\n")


def print_end(document, out=sys.stdout):
    """What follows the table."""
    for text in [*summary_lines(document["summary"]), *family_lines(document["rows"]), *absences(document["rows"]),
                 *(sentence for row in document["rows"] for sentence in row["wrong"])]:
        print(text, file=out)


def main():
    parser = argparse.ArgumentParser(description="print and draw rows of bench/permute")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--svg", type=pathlib.Path)
    arguments = parser.parse_args()
    documents = []
    for path in arguments.files:
        try:
            documents.append(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            sys.exit(f"report: {path} is no file of rows: {error}")
    about = {name: value for name, value in documents[0].items() if name not in ("rows", "summary")}
    document = document_of(about, [row for one in documents for row in one["rows"]])
    peers = peers_of(document["rows"])
    print(header(peers))
    for row in document["rows"]:
        print(line(row, peers))
    print_end(document)
    if arguments.svg:
        write_beside(arguments.svg, draw(document))


if __name__ == "__main__":
    main()
