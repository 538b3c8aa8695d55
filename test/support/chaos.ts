import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { crashUnderLoad } from './crash.ts';

/** Many rounds of kill -9 under load: `npm run chaos -- --rounds 100 --victim service|postgres`. */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '100' }, victim: { type: 'string', default: 'service' } },
});
const dataFolder = await mkdtemp(join(tmpdir(), 'florin-chaos-'));
const report = await crashUnderLoad({
  dataFolder,
  rounds: Number(values.rounds),
  victim: values.victim === 'postgres' ? 'postgres' : 'service',
  onRound: (round, acknowledged) => process.stdout.write(`\rround ${round}: ${acknowledged} acknowledged `),
});
await rm(dataFolder, { recursive: true, force: true });
const slowest = Math.round(Math.max(...report.gapsMs));
process.stdout.write(
  `\n${report.acknowledged} acknowledged, ${report.lost.length} lost, ${report.doubled.length} doubled; slowest return ${slowest} ms\n`,
);
if (report.lost.length + report.doubled.length > 0) process.exitCode = 1;
