import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compile } from './compile.ts';
import { publishedManifest } from './manifest.ts';
import { tarball } from './tarball.ts';

/** `npm run pack:sdk`, `npm run pack:sandbox-chain`: the package in this folder compiled and packed, from its sources alone. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { output: { type: 'string', default: '.' } },
});
const [name] = positionals as [string];
const folder = join(import.meta.dirname, '../..', name);
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const manifest = publishedManifest(read('package.json'));
const bytes = tarball(
  new Map([
    ['package.json', `${JSON.stringify(manifest, null, 2)}\n`],
    ['README.md', read('README.md')],
    ['LICENSE', read('../LICENSE')],
    ...(await compile(folder)),
  ]),
);
const file = join(values.output, `florin-${name}-${manifest.version}.tgz`);
writeFileSync(file, bytes);
process.stdout.write(`${file}\nsha512-${hash('sha512', bytes, 'base64')}\n`);
