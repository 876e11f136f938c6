// A request as a line for a shell.

/** A word for a shell; whatever a reader could not see is escaped. */
const shellWord = (text) => (text.search(invisible) < 0 ? `'${text.replaceAll("'", "'\\''")}'`
  : `$'${text.replace(/[\\']/g, "\\$&").replace(invisible, (character) => `\\U${codePoint(character).padStart(8, "0")}`)}'`);

/** The request as `curl` sends it; without what was left out of the session. */
function curlFor({ method, target, headers = [], body, bodySize }) {
  const host = headers.find(({ name }) => name.toLowerCase() === "host")?.value ?? location.host;
  const sent = headers.filter(({ name, value }) => !/^(host|content-length|connection|accept-encoding)$/i.test(name) && value !== "(left out)");
  return ["curl", ...(method === "GET" ? [] : ["-X", shellWord(method)]), shellWord(`http://${host}${target}`),
    ...sent.flatMap(({ name, value }) => ["-H", shellWord(`${name}: ${value}`)]), ...(bodySize ? ["--data-binary", shellWord(body ?? "")] : [])].join(" ");
}
