/** Headers that decide who asks, for what or how often. Of two, Node keeps one or joins both, and a proxy may read the other. */
const SINGLE = [
  'Authorization',
  'Content-Type',
  'Host',
  'Idempotency-Key',
  'Payment-Signature',
  'X-Csrf-Token',
  'X-Payment',
];

const NAMES = new Map(SINGLE.map((name) => [name.toLowerCase(), name]));
const LENGTHS = new Set(SINGLE.map(({ length }) => length));

/** The first of them that a request has twice. */
export function repeatedHeader(rawHeaders: readonly string[]): string | undefined {
  const seen: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!LENGTHS.has(rawHeaders[i]!.length)) continue;
    const name = NAMES.get(rawHeaders[i]!.toLowerCase());
    if (name === undefined) continue;
    if (seen.includes(name)) return name;
    seen.push(name);
  }
  return undefined;
}
