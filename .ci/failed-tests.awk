# Reads the log of `swift test` and prints what decided its failure: each failed test with its message, crashes, reports of the
# sanitizers, and the tests that were running when the process ended. At most 150 lines.

# The arguments of a process that was ended by a signal are thousands of test names, and since standard output is buffered
# they may stand in the middle of another line. The test that was running is among those after the last line.
/exited with unexpected signal/ {
  match($0, /exited with unexpected signal.*/)
  say("the process of the tests " substr($0, RSTART))
  if (match($0, /^Test Case '[A-Za-z0-9_.]*/)) say("the last line that it had written: " substr($0, 1, RLENGTH))
  crashed = 1
  next
}

function say(line) { if (++said <= 150) print substr(line, 1, 400) }

# XCTest: one test at a time. Swift Testing: several, each with a display name or a function's name.
/^Test Case '.*' started at / { xctest = $3; next }
/^Test Case '/ { xctest = ""; following = 0; next }
/^◇ Test run started/ { next }
# The end of a case isn't reported on a separate line.
/^◇ Test case passing / { next }
/^◇ Test .* started\.$/ { name = $0; sub(/^◇ Test /, "", name); sub(/ started\.$/, "", name); running[name] = 1; next }
/^(✔|━|➜) / { following = 0 }
/^[^ ]+ Test .* (passed|failed) after / { name = $0; sub(/^[^ ]+ Test /, "", name); sub(/ (passed|failed) after .*/, "", name); delete running[name] }
/^[^ ]+ Test .* skipped/ { name = $0; sub(/^[^ ]+ Test /, "", name); sub(/ skipped.*/, "", name); delete running[name] }

# An error of XCTest or of the compiler, or an issue of Swift Testing, with the lines of its message that follow.
/^[^:]+:[0-9]+(:[0-9]+)?: error: / || /^error: / || /^✘ / { say($0); following = 14; next }
/Fatal error|unexpected signal|Program crashed|Thread [0-9]+.* crashed|runtime error:|(WARNING|ERROR): [A-Za-z]+Sanitizer/ {
  say($0)
  crashed = 1
  following = 14
  next
}
following > 0 { say($0); following-- }

END {
  if (said > 150) print "... and " (said - 150) " more lines, in the log above"
  if (crashed && xctest) print "running when the process ended: " xctest
  if (crashed) for (name in running) print "running when the process ended: " name
  if (!said) print "no message of a failed test was found in the log above"
}
