/** The name that is near enough to be meant by what was typed, where there is one. */
export function nearestName(
  given: string,
  names: readonly string[],
  mostChanges = Math.max(2, given.length * 0.4),
): string | undefined {
  let best: { name: string; distance: number } | undefined;
  for (const name of names) {
    const distance = distanceOf(given, name);
    if (!best || distance < best.distance) best = { name, distance };
  }
  return best && best.distance <= mostChanges ? best.name : undefined;
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
