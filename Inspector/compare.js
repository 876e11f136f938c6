// Two sessions side by side: what came in both, with which params, and what came in one alone.

/** A session of both: entries of `now`, each with its counterpart, and between them what only `before` has. */
function compared(before, now) {
  const merged = new Session();
  merged.title = `${now.title || "this session"} compared with ${before.title || "the other"}`;
  [merged.waits, merged.lost, merged.failures] = [now.waits, now.lost, now.failures];
  const add = (source, how, other) => {
    const entry = new Entry({ ...source, number: merged.entries.length + 1 }, merged);
    const changes = other ? differences(other.params ?? {}, source.params ?? {}) : [];
    // A value that both sessions made up by themselves is no difference.
    const real = changes.filter(({ before, after }) => !(isVolatile(before) && isVolatile(after)));
    entry.comparison = how === "same" && real.length ? "changed" : how;
    entry.changes = real;
    merged.append(entry);
  };
  const [old, fresh] = [before.entries, now.entries];
  const pairs = commonOrder(old.map((entry) => entry.name), fresh.map((entry) => entry.name));
  let [i, j] = [0, 0];
  for (const [nextOld, nextFresh] of [...pairs, [old.length, fresh.length]]) {
    while (i < nextOld) add(old[i++].source, "missing");
    while (j < nextFresh) add(fresh[j++].source, "added");
    if (i < old.length && j < fresh.length) add(fresh[j++].source, "same", old[i++].source);
  }
  return merged;
}

/** The pairs of places of a common order of two lists of names: the longest in each window, since its table would be large. */
function commonOrder(old, fresh) {
  let [oldEnd, freshEnd] = [old.length, fresh.length];
  while (oldEnd > 0 && freshEnd > 0 && old[oldEnd - 1] === fresh[freshEnd - 1]) (oldEnd--, freshEnd--);
  const pairs = [];
  for (let [top, left] = [0, 0]; top < oldEnd && left < freshEnd;) {
    if (old[top] === fresh[left]) {
      pairs.push([top++, left++]);
      continue;
    }
    const [rows, columns] = [Math.min(oldEnd - top, 2000), Math.min(freshEnd - left, 2000)];
    const lengths = Array.from({ length: rows + 1 }, () => new Uint16Array(columns + 1));
    for (let i = rows - 1; i >= 0; i--) {
      for (let j = columns - 1; j >= 0; j--) {
        lengths[i][j] = old[top + i] === fresh[left + j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
      }
    }
    let [i, j] = [0, 0];
    while (i < rows && j < columns) {
      if (old[top + i] === fresh[left + j]) pairs.push([top + i++, left + j++]);
      else if (lengths[i + 1][j] >= lengths[i][j + 1]) i++;
      else j++;
    }
    [top, left] = [top + i, left + j];
  }
  for (let i = oldEnd; i < old.length; i++) pairs.push([i, freshEnd + i - oldEnd]);
  return pairs;
}
