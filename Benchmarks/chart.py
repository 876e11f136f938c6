"""Draws the chart of CPU per request as SVG for the documentation, for a light and a dark page."""
import html, os

CATALOGUE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Sources/TrackingVerifier/TrackingVerifier.docc")
FONT = "font-family=\"-apple-system, 'Segoe UI', Helvetica, Arial, sans-serif\""
# Text on the page, quieter text, the product's color, the peers' color.
PALETTES = {
    "": {"ink": "#1f2328", "quiet": "#59636e", "ours": "#0a69da", "peer": "#c3cad2"},
    "~dark": {"ink": "#e6edf3", "quiet": "#9aa4af", "ours": "#4c9aff", "peer": "#3d4650"},
}


def draw(rows, palette):
    """Bars of CPU per request, one group for each load."""
    groups = {}
    for row in rows:
        name, _, unit = row["what"].partition(": ")
        if row["part"] == "servers" and row["configuration"] == "release" and unit == "CPU per request" and "idle" not in name \
                and "arrays" not in name:
            groups.setdefault(name.removeprefix("server, "), []).append(row)
    longest = max(row["median"] for group in groups.values() for row in group)
    parts = ["<title>CPU per request, in microseconds, of this server and of its peers</title>"]

    def text(x, y, words, size, color="ink", weight="normal"):
        parts.append(f'<text x="{x}" y="{y}" {FONT} font-size="{size}" font-weight="{weight}" text-anchor="start" '
                     f'fill="{palette[color]}">{html.escape(words)}</text>')

    text(10, 24, "CPU per request in µs: less is better", 15, weight="600")
    y = 44
    for name, group in groups.items():
        text(10, y + 16, name, 14, weight="600")
        y += 26
        for row in sorted(group, key=lambda row: row["median"]):
            ours = row["role"] == "ours"
            text(24, y + 13, row["contestant"], 13, "ours" if ours else "ink")
            width = max(520 * row["median"] / longest, 2)
            parts.append(f'<rect x="230" y="{y}" width="{width:.1f}" height="17" rx="2" fill="{palette["ours" if ours else "peer"]}"/>')
            text(238 + width, y + 13, f"{row['median']:.3g}", 12, "quiet")
            y += 24
        y += 8
    height = y + 16
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="860" height="{height}" viewBox="0 0 860 {height}" role="img">\n'
            + "\n".join(parts) + "\n</svg>\n")


def write(rows):
    for suffix, palette in PALETTES.items():
        with open(os.path.join(CATALOGUE, f"cpu-per-request{suffix}.svg"), "w") as file:
            file.write(draw(rows, palette))
