// Two sessions side by side: what came in both, with which params, and what came in one alone.

/** A session of both: entries of `now`, each with its counterpart, and between them what only `before` has. */
function compared(before, now) {
  const merged = new Session();
  merged.title = `${now.title || "this session"} compared with ${before.title || "the other"}`;
  for (const member of ["waits", "lost", "failures", "plan", "mutants"]) merged[member] = now[member];
  const add = (source, how, other) => {
    const entry = new Entry({ ...source, number: merged.entries.length + 1 }, merged);
    // An identifier or a time that each session generated isn't a difference.
    entry.changes = differences(facts(other ?? entry), facts(entry)).filter(({ before, after }) => !(isVolatile(before) && isVolatile(after)));
    entry.comparison = entry.changes.length ? "changed" : how;
    merged.append(entry);
  };
  const [old, fresh] = [before.entries, now.entries];
  let [i, j] = [0, 0];
  for (const [nextOld, nextFresh] of [...commonOrder(old, fresh), [old.length, fresh.length]]) {
    while (i < nextOld) add(old[i++].source, "missing");
    while (j < nextFresh) add(fresh[j++].source, "added");
    if (i < old.length && j < fresh.length) add(fresh[j++].source, "same", old[i++]);
  }
  return merged;
}

/** What is compared of an entry. */
function facts({ kind, params, source }) {
  if (kind === "event") return params;
  const { status, target, stub, fault, problem, reason, path } = source;
  return { status, query: target?.split("?")[1], body: parsedBody(source) ?? source.body, stub, fault, problem, reason, path };
}

/** The pairs of indexes that align two lists best by names and contents; in windows, because a table of everything would be large. */
function commonOrder(old, fresh) {
  const numbers = new Map();
  const number = (text) => numbers.get(text) ?? (numbers.set(text, numbers.size), numbers.size - 1);
  const [olds, freshes] = [old, fresh].map((entries) => entries.map((entry) =>
    [number(entry.name), number(entry.name + JSON.stringify(facts(entry), (key, value) => (isVolatile(value) ? "" : raw(key, value))))]));
  const score = (i, j) => (olds[i][1] === freshes[j][1] ? 3 : olds[i][0] === freshes[j][0] ? 2 : 0);
  let [oldEnd, freshEnd] = [old.length, fresh.length];
  while (oldEnd > 0 && freshEnd > 0 && score(oldEnd - 1, freshEnd - 1) === 3) (oldEnd--, freshEnd--);
  const pairs = [];
  for (let [top, left] = [0, 0]; top < oldEnd && left < freshEnd;) {
    if (score(top, left) === 3) {
      pairs.push([top++, left++]);
      continue;
    }
    const [rows, columns] = [Math.min(oldEnd - top, 1000), Math.min(freshEnd - left, 1000)];
    const best = Array.from({ length: rows + 1 }, () => new Uint16Array(columns + 1));
    const paired = (i, j) => score(top + i, left + j) && score(top + i, left + j) + best[i + 1][j + 1];
    for (let i = rows - 1; i >= 0; i--) {
      for (let j = columns - 1; j >= 0; j--) best[i][j] = Math.max(best[i + 1][j], best[i][j + 1], paired(i, j));
    }
    let [i, j] = [0, 0];
    while (i < rows && j < columns) {
      if (best[i][j] === best[i + 1][j]) i++;
      else if (best[i][j] === best[i][j + 1]) j++;
      else pairs.push([top + i++, left + j++]);
    }
    [top, left] = [top + i, left + j];
  }
  for (let i = oldEnd; i < old.length; i++) pairs.push([i, freshEnd + i - oldEnd]);
  return pairs;
}
