import { t } from '../words/t.ts';

/** One line of the form. */
export interface MetadataRow {
  id: number;
  key: string;
  value: string;
}

let last = 0;

export function rowsOf(metadata: Record<string, string>): MetadataRow[] {
  return Object.entries(metadata).map(([key, value]) => ({ id: ++last, key, value }));
}

/** Returns the change to send: null for removed keys, and the other values that differ. Empty lines do not count. */
export function changeOf(
  before: Record<string, string>,
  rows: readonly MetadataRow[],
): Record<string, string | null> {
  const filled = rows.filter(({ key, value }) => key.trim() !== '' || value !== '');
  const after = new Map<string, string>();
  for (const row of filled) {
    const key = row.key.trim();
    if (key === '') throw new Error(t('Every value needs a key.'));
    if (after.has(key)) throw new Error(t('The key “{key}” is there twice.', { key }));
    after.set(key, row.value);
  }
  const gone = Object.keys(before).filter((key) => !after.has(key));
  const changed = [...after].filter(([key, value]) => !Object.hasOwn(before, key) || before[key] !== value);
  return Object.fromEntries([...gone.map((key) => [key, null] as const), ...changed]);
}
