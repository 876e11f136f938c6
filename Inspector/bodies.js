// Bodies as their media types say: trees, fields, parts, pictures, bytes.

const bytesOf = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** The first bytes in rows of sixteen, with what can be read of them. */
function hexRows(bytes) {
  const rows = [];
  for (let at = 0; at < Math.min(bytes.length, 1024); at += 16) {
    const row = [...bytes.slice(at, at + 16)];
    rows.push(`${at.toString(16).padStart(4, "0")}  ${row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ").padEnd(47)}  ${
      row.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : "·")).join("")}`);
  }
  return rows.join("\n");
}

/** The parts of a multipart body as pairs of name and text. */
function multipart(body, type) {
  const boundary = /boundary="?([^";]+)/i.exec(type)?.[1];
  return boundary && body.split(`--${boundary}`).slice(1).filter((part) => !part.startsWith("--")).map((part) => {
    const [head, ...rest] = part.trimStart().split(/\r?\n\r?\n/);
    const named = (word) => new RegExp(`[; ]${word}="([^"]*)"`, "i").exec(head)?.[1];
    return { name: [named("name"), named("filename")].filter(Boolean).join(", ") || head, value: rest.join("\n\n").replace(/\r?\n$/, "") };
  });
}

/** An element that shows the body of a request or a response; `tree` shows JSON. */
function bodyView(source, fields, tree) {
  const { body, bodyBase64 } = source;
  const type = fields?.find(({ name }) => name.toLowerCase() === "content-type")?.value ?? "";
  if (bodyBase64 && /^image\/(png|jpeg|gif|webp)\b/i.test(type)) return make("img", { alt: "The picture in the body", src: `data:${type.split(";")[0]};base64,${bodyBase64}` });
  if (bodyBase64) return block("Bytes of the body", hexRows(bytesOf(bodyBase64)));
  const json = parsedBody(source);
  if (isContainer(json)) return tree(json);
  if (/^application\/x-www-form-urlencoded/i.test(type)) return table([...new URLSearchParams(body)].map(([name, value]) => ({ name, value })));
  const parts = /^multipart\//i.test(type) && multipart(body, type);
  return parts ? table(parts) : whole(block("Body"), body, 4000);
}
