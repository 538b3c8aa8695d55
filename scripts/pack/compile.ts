import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A project's sources as JavaScript and declarations, by their names in its output. Nothing is written there: the checkout may be read-only. */
export async function compile(project: string): Promise<Map<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'florin-pack-'));
  try {
    const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
    execFileSync(process.execPath, [tsc, '-p', project, '--outDir', folder], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(js|d\.ts)$/.test(name),
    );
    return new Map(names.map((name) => [name, readOutput(join(folder, name))]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** tsc rewrites `./x.ts` in the JavaScript alone; older compilers cannot follow it in a declaration. */
function readOutput(file: string): string {
  const text = readFileSync(file, 'utf8');
  return file.endsWith('.d.ts') ? text.replace(/(['"]\.{1,2}\/[^'"\n]+)\.ts(['"])/g, '$1.js$2') : text;
}
