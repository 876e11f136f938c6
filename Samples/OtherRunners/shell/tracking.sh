# A client of `tracking serve` for suites in sh; `tracking` and curl 7.76 or later must be in PATH. Copy it beside your suite.

failed=0

# Starts a server with the options, and sets the variables of the app and of the checks, unless `tracking serve -- sh SUITE` has.
start() {
  [ -z "${TRACKING_SERVE_URL:-}" ] || return 0
  folder=$(mktemp -d)
  tracking serve --write-env "$folder/serve.env" --save tracking-session.json "$@" >"$folder/serve.log" 2>&1 &
  server=$!
  trap stop EXIT
  trap 'exit 130' INT TERM
  until [ -s "$folder/serve.env" ]; do
    kill -0 "$server" 2>/dev/null || { cat "$folder/serve.log" >&2; exit 1; }
    sleep 0.1
  done
  . "$folder/serve.env"
}

# Ends the server. After a failed check, the session and a report of it stay in the current folder.
stop() {
  kill "$server" 2>/dev/null && wait "$server"
  if [ "$failed" = 1 ]; then tracking report tracking-session.json --output tracking-report.html; else rm -f tracking-session.json; fi
  rm -rf "$folder"
}

# Sends a request to the server: its method, its name and its body. If the body can't be read, the response says what is wrong, and where.
send() {
  # Not through the proxy of `http_proxy`, which doesn't reach this machine's loopback.
  response=$(curl -sS --noproxy '*' --fail-with-body -X "$1" -H "Authorization: Bearer $TRACKING_SERVE_TOKEN" "$TRACKING_SERVE_URL$2" ${3:+-d "$3"}) ||
    { echo "$1 $2: $response" >&2; failed=1; }
}

begin() {
  echo "== $1"
  send DELETE stubs
  tracking mark --as-default --test "$1" >/dev/null || failed=1
}

stub() { send POST stubs "$1"; }

check() { tracking wait "$@" || failed=1; }

# Ends the test, and writes the tests so far to a file.
finish() { tracking finish --junit "$1" || failed=1; }
