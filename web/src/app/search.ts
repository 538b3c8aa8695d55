export type Search = Record<string, string | string[]>;

/** Addresses stay readable and writable by hand: `?status=underpaid&status=processing`. */
export function readSearch(text: string): Search {
  const search: Search = {};
  const params = new URLSearchParams(text);
  for (const name of new Set(params.keys())) {
    const values = params.getAll(name).filter((value) => value !== '');
    if (values.length > 0) search[name] = values.length === 1 ? values[0]! : values;
  }
  return search;
}

export function writeSearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    for (const item of [value].flat()) {
      if (item !== undefined && item !== null && item !== '') params.append(name, String(item));
    }
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
