import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from './compile.ts';
import { publishedManifest } from './manifest.ts';
import { tarball } from './tarball.ts';

const root = join(import.meta.dirname, '../..');

export interface Packed {
  fileName: string;
  bytes: Buffer;
}

/** The package in this folder, for others to install. */
export async function packWorkspace(name: string): Promise<Packed> {
  const folder = join(root, name);
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const manifest = publishedManifest(read('package.json'));
  const compiled = [...(await compile(folder))].map(([file, text]) => [`dist/${file}`, text] as const);
  const files = new Map([
    ['package.json', `${JSON.stringify(manifest, null, 2)}\n`],
    ['README.md', read('README.md')],
    ['LICENSE', read('../LICENSE')],
    ...compiled,
  ]);
  return { fileName: `florin-${name}-${manifest.version}.tgz`, bytes: tarball(files) };
}
