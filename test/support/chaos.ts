import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { cleanUp, cleanUpAll } from './clean-up.ts';
import { killUnderLoad, type Victim } from './kill-rounds.ts';
import { gapRows, gapTable, recordRun, verdictText } from './record-run.ts';
import { isClean } from './shop-check.ts';

/** Victims in the order of `--victim all`: of four rounds two kill the service, one a worker and one PostgreSQL. */
const ALL: readonly Victim[] = ['service', 'worker', 'service', 'postgres'];

/** Many rounds of kill -9 under load: `npm run chaos -- --rounds 200 --victim service|worker|postgres|all [--minutes 60] [--record]`. */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    victim: { type: 'string', default: 'all' },
    minutes: { type: 'string', default: '600' },
    record: { type: 'boolean', default: false },
  },
});
const turn = values.victim === 'all' ? ALL : ALL.filter((victim) => victim === values.victim);
if (turn.length === 0) throw new Error(`there is no victim ${values.victim}`);
process.once('SIGINT', () => void cleanUpAll().finally(() => process.exit(130)));
try {
  const loadAtStart = loadavg()[0]!;
  let round = 0;
  const report = await killUnderLoad({
    victims: Array.from({ length: Number(values.rounds) }, (_, i) => turn[i % turn.length]!),
    longestMs: Number(values.minutes) * 60_000,
    onDone: cleanUp,
    onRound({ fault, gapMs, startMs, load, log = [] }, acknowledged) {
      round += 1;
      const took = `nothing for ${gapMs} ms, back after ${startMs} ms at load ${load.toFixed(1)}`;
      const at = new Date().toISOString().slice(11, 19);
      process.stdout.write(`${at} round ${round}, ${fault}: ${took}, ${acknowledged} acknowledged\n`);
      for (const line of log) process.stdout.write(`    ${line}\n`);
    },
  });
  const { verdict, rounds, ended } = report;
  for (const row of gapRows(rounds)) process.stdout.write(`${row.join(', ')}\n`);
  process.stdout.write(`${verdictText(verdict)}\n`);
  for (const complaint of [...verdict.complaints, ...ended]) process.stdout.write(`${complaint}\n`);
  const text = `${gapTable('what was killed', rounds)}\n\n${verdictText(verdict)}`;
  if (values.record) await recordRun('chaos', report, loadAtStart, text);
  if (!isClean(verdict) || ended.length > 0) process.exitCode = 1;
} finally {
  await cleanUpAll();
}
