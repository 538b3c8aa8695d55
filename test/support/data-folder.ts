import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { cleanUp } from './clean-up.ts';
import { temporaryFolder } from './process.ts';

/** A data folder of one's own whose database is made and migrated already: a service starts on it three times as fast. */
export async function newDataFolder(): Promise<string> {
  const folder = await temporaryFolder(cleanUp);
  await promisify(execFile)('cp', ['-a', '--reflink=auto', `${inject('migratedFolder')}/.`, folder]);
  return folder;
}
