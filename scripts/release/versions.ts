import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** `1.2.3` or `1.2.3-rc.1`. */
export const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;

/** Every file that states the version, with the texts around it. A place that no longer matches stops the release. */
const PLACES: Record<string, (version: string) => readonly string[]> = {
  'package.json': (version) => [`"version": "${version}"`, `"@florin/sandbox-chain": "${version}"`],
  'sdk/package.json': (version) => [`"version": "${version}"`],
  'sandbox-chain/package.json': (version) => [`"version": "${version}"`],
  'web/package.json': (version) => [`"version": "${version}"`, `"@florin/sdk": "${version}"`],
  'README.md': (version) => [`Florin ${version} ·`],
  'docs/sdk.md': (version) => [`"version": "${version}"`, `florin-sdk-${version}.tgz`],
};

const LOCK = 'package-lock.json';
const WORKSPACES = ['', 'sdk', 'sandbox-chain', 'web'];

/** Writes the new version wherever the old one is stated. */
export async function setVersion(root: string, from: string, to: string): Promise<void> {
  for (const [file, places] of Object.entries(PLACES)) {
    const path = join(root, file);
    let text = await readFile(path, 'utf8');
    for (const [i, place] of places(from).entries()) {
      if (!text.includes(place)) throw new Error(`${file} does not contain ${place}`);
      text = text.replaceAll(place, places(to)[i]!);
    }
    await writeFile(path, text);
  }
  const lock = JSON.parse(await readFile(join(root, LOCK), 'utf8'));
  lock.version = to;
  for (const workspace of WORKSPACES) lock.packages[workspace].version = to;
  lock.packages[''].dependencies['@florin/sandbox-chain'] = to;
  lock.packages.web.dependencies['@florin/sdk'] = to;
  await writeFile(join(root, LOCK), `${JSON.stringify(lock, null, 2)}\n`);
}

/** True if `next` comes after `current`. A pre-release comes before its release. */
export function isLater(next: string, current: string): boolean {
  const [a, b] = [next, current].map(partsOf) as [Parts, Parts];
  for (const i of [0, 1, 2]) if (a.numbers[i] !== b.numbers[i]) return a.numbers[i]! > b.numbers[i]!;
  if (a.suffix === '' || b.suffix === '') return a.suffix === '' && b.suffix !== '';
  return a.suffix.localeCompare(b.suffix, 'en', { numeric: true }) > 0;
}

interface Parts {
  numbers: number[];
  suffix: string;
}

function partsOf(version: string): Parts {
  const [core, ...suffix] = version.split('-');
  return { numbers: core!.split('.').map(Number), suffix: suffix.join('-') };
}
