import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenApi } from './openapi.ts';
import { printResources } from './print-resources.ts';
import { printTypes } from './print-types.ts';

const root = join(import.meta.dirname, '../..');

/** The generated files by name, formatted like the rest. */
export function generate(): Record<string, string> {
  const api = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as OpenApi;
  const types = printTypes(api);
  const typeNames = [...types.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name!).sort();
  return {
    'types.ts': format('types.ts', types),
    'resources.ts': format('resources.ts', printResources(api, typeNames)),
  };
}

function format(name: string, text: string): string {
  const path = `sdk/src/generated/${name}`;
  const biome = join(root, 'node_modules/.bin/biome');
  return execFileSync(biome, ['check', '--write', `--stdin-file-path=${path}`], {
    cwd: root,
    input: text,
    encoding: 'utf8',
    maxBuffer: 10_000_000,
  });
}
