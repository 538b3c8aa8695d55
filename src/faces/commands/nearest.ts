/** `; did you mean "x"?`, where one of the names is near enough to be meant. */
export function nearest(given: string, names: readonly string[]): string {
  const ranked = names
    .map((name) => ({ name, distance: distanceOf(given, name) }))
    .sort((one, other) => one.distance - other.distance);
  const best = ranked[0];
  return best && best.distance <= Math.max(2, given.length * 0.4) ? `; did you mean "${best.name}"?` : '';
}

/** How many letters must be put in, taken out or changed. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
