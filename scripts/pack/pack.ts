import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packServer } from './pack-server.ts';
import { packWorkspace } from './pack-workspace.ts';

/**
 * `npm run pack`: the server as it is installed. `npm run pack:sdk`, `npm run pack:sandbox-chain`: the package in this folder. Each is
 * compiled and packed from its sources alone.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { output: { type: 'string', default: '.' } },
});
const [workspace] = positionals;
const { fileName, bytes } = await (workspace === undefined ? packServer() : packWorkspace(workspace));
const file = join(values.output, fileName);
writeFileSync(file, bytes);
process.stdout.write(`${file}\nsha512-${hash('sha512', bytes, 'base64')}\n`);
