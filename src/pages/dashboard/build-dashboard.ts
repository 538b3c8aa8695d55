import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { elapsedMs } from '../../platform/lib/clock.ts';
import { DIST_FOLDER, STAMP_FILE, sourceStamp } from './source-stamp.ts';

const BUILD_SCRIPT = join(DIST_FOLDER, '../build.ts');

/**
 * Builds the dashboard unless it is up to date. Never throws: payments do not depend on a page, so a failed build is
 * reported and everything else starts. In a separate process, so that the bundler's memory is freed.
 */
export async function ensureDashboardBuilt(say: (line: string) => void): Promise<void> {
  try {
    if (await isDashboardUpToDate()) return;
    say('Building the dashboard …');
    const startedMs = elapsedMs();
    if (!(await build())) return;
    say(`The dashboard is built (${((elapsedMs() - startedMs) / 1000).toFixed(1)} s).`);
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    say(`The dashboard could not be built; everything else works. Try again with "npm run build:web".`);
    say((stderr || message).trim());
  }
}

/** Ends with this process, which may be stopped meanwhile: false where it was. */
async function build(): Promise<boolean> {
  let isStopping = false;
  const building = promisify(execFile)(process.execPath, [BUILD_SCRIPT]);
  const end = () => {
    isStopping = true;
    building.child.kill();
  };
  for (const event of ENDING) process.once(event, end);
  try {
    await building;
    return true;
  } catch (error) {
    if (isStopping) return false;
    throw error;
  } finally {
    for (const event of ENDING) process.off(event, end);
  }
}

const ENDING = ['SIGTERM', 'SIGINT', 'exit'] as const;

export async function isDashboardUpToDate(): Promise<boolean> {
  const built = await readFile(join(DIST_FOLDER, STAMP_FILE), 'utf8').catch(() => undefined);
  if (built === undefined) return false;
  // Shipped without its sources there is nothing to build from, and nothing that could be newer.
  return built === (await sourceStamp().catch(() => built));
}
