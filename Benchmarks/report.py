"""The figures as a table: in full for the terminal, and short for the documentation."""
import textwrap

# The figures that help to decide, as the article names them.
IN_ARTICLE = {
    "server, 8 connections: CPU per request",
    "server, arrays of 100 events, 8 connections: CPU per request",
    "track an event: cost to the caller, in a burst",
    "track an event: cost to the caller, one at a time",
    "wait, from the event to the return: `wait(for:), event tracked in process`",
    "wait, from the event to the return: `wait(for:), event sent by the double`",
    "asynchronous wait, from the event to the return",
    "start + stop",
    "memory of an event in the journal, 3 short params",
    "clean debug build of a dependent, time: `TrackingVerifier`",
    "size added to an app, a stripped release build",
}
START, END = "<!-- benchmarks -->", "<!-- /benchmarks -->"


def add_ratios(rows):
    """Each figure over the floor's of the same run and configuration."""
    floors = {(row["what"], row["configuration"]): row["median"] for row in rows if row["role"] == "floor"}
    for row in rows:
        floor = floors.get((row["what"], row["configuration"]))
        if floor and row["role"] != "floor":
            row["ratio"] = row["median"] / floor


def text(results):
    lines = [f"{about(results)}, medians of {results['rounds']} rounds", ""]
    for configuration in unique(row["configuration"] for row in results["rows"]):
        rows = [row for row in results["rows"] if row["configuration"] == configuration]
        lines += [f"{configuration:<62}{'median':>16}{'p99':>12}{'ratio':>9}{'events/s':>11}"]
        for what in unique(row["what"] for row in rows):
            lines += [what] + [line(row) for row in rows if row["what"] == what]
        lines += [""]
    return "\n".join(lines)


def line(row):
    p99 = number(row["p99"]) if "p99" in row else ""
    ratio = f"{row['ratio']:.2f}" if "ratio" in row else ""
    rate = f"{row['events_per_second']:,.0f}" if "events_per_second" in row else ""
    return f"    {row['contestant']:<58}{amount(row):>16}{p99:>12}{ratio:>9}{rate:>11}"


def write_article(results, path):
    with open(path) as file:
        article = file.read()
    if START not in article or END not in article:
        raise SystemExit(f"{path} has no {START} ... {END}")
    before, rest = article.split(START, 1)
    after = rest.split(END, 1)[1]
    with open(path, "w") as file:
        file.write(before + START + "\n" + markdown(results) + END + after)


def markdown(results):
    """One line for each figure of `IN_ARTICLE`, with the other contestants' of the same run."""
    words = (
        f"Measured on {about(results)}; medians of {results['rounds']} interleaved rounds; the last column "
        "is for tests, which run in debug builds.")
    lines = textwrap.wrap(words, 120) + [
        "",
        "| What | Here | Others (ours divided by theirs) | Here, in a debug build |",
        "|---|---|---|---|",
    ]
    rows = results["rows"]
    for row in rows:
        if row["role"] != "ours" or row["configuration"] != rows[0]["configuration"]:
            continue
        what = row["what"]
        if sum(other["what"] == what and other["role"] == "ours" and other["configuration"] == row["configuration"]
               for other in rows) > 1:
            what += f": `{row['contestant']}`"
        if what in IN_ARTICLE:
            lines.append(f"| {what} | {cell(row)} | {beside(row, rows)} | {in_debug(row, rows)} |")
    return "\n".join(lines) + "\n"


def cell(row):
    text = amount(row)
    if "p99" in row and (row["part"] == "waits" or "caller" in row["what"]):
        text += f", p99 {number(row['p99'])}"
    if "events_per_second" in row:
        text += f" ({row['events_per_second']:,.0f} events/s)"
    return text


def beside(row, rows):
    others = [
        other for other in rows
        if other["what"] == row["what"] and other["configuration"] == row["configuration"] and other["role"] != "ours"
    ]
    return ", ".join(f"{other['contestant']} {amount(other)}{quotient(row, other)}" for other in others)


def quotient(row, other):
    # A ratio of ratios says nothing.
    if row["unit"] == "times":
        return ""
    ratio = row["median"] / other["median"]
    return f" ({ratio:.2f})" if ratio >= 0.1 else f" ({ratio:.2g})"


def in_debug(row, rows):
    same = [
        other for other in rows
        if other["what"] == row["what"] and other["contestant"] == row["contestant"] and other["configuration"] == "debug"
    ]
    return amount(same[0]) if same else ""


def about(results):
    cores = f"{results['cores']} cores"
    return f"{results['date']}, {results['cpu']}, {cores}, {results['system']}, Swift {results['swift']}"


def amount(row):
    return f"{number(row['median'])} {row['unit']}"


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def unique(values):
    return list(dict.fromkeys(values))
