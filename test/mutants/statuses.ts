import { dirname } from 'node:path';

interface StatusList {
  file: string;
  words: string[];
}

/**
 * The closed lists of words that rows are in: `const INVOICE_STATUSES = ['open', …]`, `type RestingStatus = 'pending' | …`.
 * Read from the text: a list is always declared in this form.
 */
export function statusLists(sources: ReadonlyMap<string, string>): StatusList[] {
  const declared =
    /(?:const [A-Z_]*(?:STATUSES|KINDS|MODES|REASONS|ROLES) = \[|type \w*(?:Status|Kind|Role|Side)\s*=)([^;\]]*)/g;
  return [...sources].flatMap(([file, source]) =>
    [...source.matchAll(declared)]
      .map((match) => ({ file, words: [...match[1]!.matchAll(/'(\w+)'/g)].map((word) => word[1]!) }))
      .filter(({ words }) => words.length > 1),
  );
}

/** The words beside a word in the list that is declared nearest to `file`. */
export function siblingsIn(lists: readonly StatusList[], file: string): (word: string) => readonly string[] {
  const distance = (list: StatusList) =>
    list.file === file ? 0 : dirname(list.file) === dirname(file) ? 1 : 2;
  const nearest = [...lists].sort((a, b) => distance(a) - distance(b));
  return (word) => {
    const words = nearest.find((list) => list.words.includes(word))?.words ?? [];
    const at = words.indexOf(word);
    return [...words.slice(at + 1), ...words.slice(0, Math.max(at, 0))];
  };
}
