import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

export const PICTURES = join(ROOT, 'docs/images');

/** The file names of the pictures that the README and the documents show. */
export function documentPictures(): Set<string> {
  const documents = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
  const texts = ['README.md', ...documents.map((name) => `docs/${name}`)].map((path) =>
    readFileSync(join(ROOT, path), 'utf8'),
  );
  const shown = texts.flatMap((text) => [...text.matchAll(/!\[[^\]]*\]\(([^)]*images\/[^)]+)\)/g)]);
  return new Set(shown.map(([, path]) => basename(path!)));
}
