import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { requireTool } from '../support/debian.ts';

const MACHINES: Partial<Record<NodeJS.Architecture, string>> = { x64: 'x86_64', arm64: 'aarch64' };
const DATABASE_HOST = 'database.florin.test';

/** Names that the processes of an installation look up, and nobody else on this machine. */
export interface Names {
  databaseHost: string;
  env: Record<string, string>;
  forget(): Promise<void>;
  know(): Promise<void>;
}

/** A hosts file of their own, which a library of Debian shows to the C library’s resolver. */
export async function knowNames(folder: string): Promise<Names> {
  const library = `/usr/lib/${MACHINES[process.arch]}-linux-gnu/libnss_wrapper.so`;
  requireTool(library, 'libnss-wrapper');
  const file = join(folder, 'hosts');
  const names: Names = {
    databaseHost: DATABASE_HOST,
    env: { LD_PRELOAD: library, NSS_WRAPPER_HOSTS: file },
    forget: () => writeFile(file, '127.0.0.1 localhost\n'),
    know: () => writeFile(file, `127.0.0.1 localhost ${DATABASE_HOST}\n`),
  };
  await names.know();
  return names;
}
