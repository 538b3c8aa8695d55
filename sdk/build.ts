import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `npm run build -w sdk`: dist/ from src/, JavaScript and declarations, and the license that goes along. */
const dist = join(import.meta.dirname, 'dist');
rmSync(dist, { recursive: true, force: true });
execFileSync('tsc', ['-p', import.meta.dirname], { stdio: 'inherit' });

// tsc rewrites `./x.ts` in the JavaScript alone; older compilers cannot follow it in a declaration.
for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.d.ts')) continue;
  const file = join(dist, name);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(['"]\.{1,2}\/[^'"\n]+)\.ts(['"])/g, '$1.js$2'));
}

copyFileSync(join(import.meta.dirname, '../LICENSE'), join(import.meta.dirname, 'LICENSE'));
