export type Canonical = string | number | boolean | { readonly [key: string]: Canonical | undefined };

/** JSON of which there is one spelling only (RFC 8785), for the values that we write: keys in order, no spaces. */
export function canonicalJson(value: Canonical): string {
  if (typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key]!)}`);
  return `{${fields.join(',')}}`;
}

export function encodeCanonical(value: Canonical): string {
  return Buffer.from(canonicalJson(value)).toString('base64url');
}
