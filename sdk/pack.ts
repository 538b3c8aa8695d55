import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compile } from './compile.ts';
import { tarball } from './tarball.ts';

/** `npm run pack:sdk`: the client compiled and packed, from its sources alone. The service serves the same file. */
const { values } = parseArgs({ options: { output: { type: 'string', default: '.' } } });
const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
const { private: _, scripts: __, ...manifest } = JSON.parse(read('package.json'));
const bytes = tarball(
  new Map([
    ['package.json', `${JSON.stringify(manifest, null, 2)}\n`],
    ['README.md', read('README.md')],
    ['LICENSE', read('../LICENSE')],
    ...(await compile()),
  ]),
);
const file = join(values.output, `florin-sdk-${manifest.version}.tgz`);
writeFileSync(file, bytes);
process.stdout.write(`${file}\nsha512-${hash('sha512', bytes, 'base64')}\n`);
