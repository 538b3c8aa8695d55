import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from './generate.ts';

/** `npm run sdk`: writes the client's types and methods from openapi.json. */
const folder = join(import.meta.dirname, '../src/generated');
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(generate())) writeFileSync(join(folder, name), text);
