import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { describeSlowest } from './slowest.ts';
import { TIMINGS_FILE } from './timing-reporter.ts';

/** `npm run test:slow`: what took longest in the last test run; with arguments for Vitest, in a run of its own. */
const args = process.argv.slice(2);
if (args.length > 0)
  process.exitCode = spawnSync('vitest', ['run', ...args], { stdio: 'inherit' }).status ?? 1;

const recorded = await readFile(TIMINGS_FILE, 'utf8').catch(() => undefined);
if (recorded === undefined) {
  process.stderr.write(
    'No test run is recorded yet. Run the tests first: npm test, or npx vitest run <files>.\n',
  );
  process.exitCode = 1;
} else {
  process.stdout.write(describeSlowest(JSON.parse(recorded)));
}
