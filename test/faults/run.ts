import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cleanUpAll } from '../support/clean-up.ts';
import { recordRun, seconds, verdictText } from '../support/record-run.ts';
import { checkShop, isClean } from '../support/shop-check.ts';
import { type ShopLoad, startShopLoad } from '../support/shop-load.ts';
import { FAULTS, type Fault, SILENT } from './faults.ts';
import { type Installation, startInstallation } from './installation.ts';

/**
 * `npm run faults -- --rounds 1 [--only <text> …] [--record]`: an installation of six processes under a shop's load, in which one thing
 * after another breaks. Each fault has to call for somebody by its alert, name its cause in the log and heal without help once it
 * is over; at the end everything that was acknowledged is compared with what is there.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1' },
    only: { type: 'string', default: [''], multiple: true },
    record: { type: 'boolean', default: false },
  },
});
const chosen = FAULTS.filter(({ name }) => values.only.some((text) => name.includes(text)));
if (chosen.length === 0) throw new Error(`no fault has ${values.only.join(' or ')} in its name`);

interface Round {
  fault: string;
  alert: string | undefined;
  /** From the cause to the alert, of which the rules' own patience is taken away. */
  alertAfterMs: number | undefined;
  /** Message of the line that names the cause; empty where there is none to write it. */
  line: string;
  /** From the end of the fault until the shop worked and no alert was left. */
  healedAfterMs: number;
  /** The longest time without an acknowledged write. */
  gapMs: number;
  problems: string[];
}

const WRITES_BETWEEN = 20;
const PATIENCE_MS = 90_000;

/** Answers how long it took; undefined: it did not happen. */
async function until(
  isSo: () => Promise<boolean> | boolean,
  patienceMs = PATIENCE_MS,
): Promise<number | undefined> {
  const startedMs = performance.now();
  while (performance.now() - startedMs < patienceMs) {
    if (await isSo()) return performance.now() - startedMs;
    await sleep(100);
  }
  return undefined;
}

/** A machine that is busy with other work is no fault of this run. */
const NOISE = ['FlorinEventLoopLag'];

const firing = async (at: Installation) =>
  [...new Set(await at.prometheus.firing())].filter((name) => !NOISE.includes(name));

async function runRound(at: Installation, load: ShopLoad, fault: Fault): Promise<Round> {
  await load.more(WRITES_BETWEEN);
  const problems: string[] = [];
  const said = at.output().length;
  const sinceMs = performance.now();
  const heal = await fault.cause(at);
  const wanted = [fault.alert, fault.orAlert];
  let alert = fault.alert;
  const hasFired = async () => {
    const found = (await firing(at)).find((name) => wanted.includes(name));
    alert = found ?? alert;
    return found !== undefined;
  };
  const fired = alert && (await until(hasFired));
  if (alert && fired === undefined)
    problems.push(`${alert} did not fire; ${(await firing(at)).join(', ') || 'nothing'} did`);
  const alertAfterMs = fired === undefined || fired === '' ? undefined : performance.now() - sinceMs;
  const lineOf = () =>
    at
      .output()
      .slice(said)
      .split('\n')
      .find((line) => fault.log.test(line) && messageOf(line) !== undefined);
  const isSilent = fault.log === SILENT;
  let line = '';
  const isNamed = async () => {
    line = lineOf() ?? (await problemOf(at, fault)) ?? '';
    return line !== '';
  };
  if (!isSilent && (await until(isNamed)) === undefined)
    problems.push(`nothing names the cause; the log has: ${messagesOf(at.output().slice(said)).join(' | ')}`);
  await heal();
  const healedMs = performance.now();
  const target = load.count() + WRITES_BETWEEN;
  if ((await until(() => load.count() >= target)) === undefined) problems.push('the shop did not work again');
  if ((await until(async () => (await firing(at)).length === 0)) === undefined)
    problems.push(`still firing: ${(await firing(at)).join(', ')}`);
  const healedAfterMs = performance.now() - healedMs;
  const gapMs = load.longestGapMs(sinceMs);
  // Not the whole line: its stack names folders of this machine.
  const named = messageOf(line) ?? '';
  return { fault: fault.name, alert, alertAfterMs, line: named, healedAfterMs, gapMs, problems };
}

/** An account is logged when it cannot be read for the first time; later reasons are in its row, where doctor has them from. */
async function problemOf({ db }: Installation, { log }: Fault): Promise<string | undefined> {
  const rows = await db
    .query<{ problem: string }>(
      'select last_problem as problem from watched_accounts where last_problem is not null',
    )
    .catch(() => []);
  const found = rows.find(({ problem }) => log.test(problem));
  return found && JSON.stringify({ msg: 'account cannot be read', problem: found.problem });
}

/** The message of a line of the log, short enough for a table; undefined: it is no such line. */
function messageOf(line: string): string | undefined {
  try {
    const { msg, err, problem } = JSON.parse(line) as {
      msg?: string;
      err?: { message?: string };
      problem?: string;
    };
    return [msg, problem ?? err?.message].filter(Boolean).join(': ').replaceAll(/\s+/g, ' ').slice(0, 160);
  } catch {
    return undefined;
  }
}

/** The last few messages, each once. */
const messagesOf = (output: string) =>
  [...new Set(output.split('\n').flatMap((line) => messageOf(line) ?? []))].slice(-8);

function tableOf(rounds: readonly Round[]): string {
  const rows = rounds.map(({ fault, alert, alertAfterMs, line, healedAfterMs, gapMs }) =>
    [
      fault,
      alert ? `${alert}, ${seconds(alertAfterMs ?? 0)} s` : 'none',
      line.replaceAll('|', '\\|') || '–',
      `${seconds(healedAfterMs)} s`,
      `${seconds(gapMs)} s`,
    ].join(' | '),
  );
  return `| fault | alert, after | log | healed after | longest gap |\n| --- | --- | --- | --- | --- |\n${rows.map((row) => `| ${row} |`).join('\n')}`;
}

process.once('SIGINT', () => void cleanUpAll().finally(() => process.exit(130)));
try {
  const loadAtStart = loadavg()[0]!;
  say('starting');
  const at = await startInstallation();
  const load = await startShopLoad(at.shop);
  const calm = await until(async () => (await firing(at)).length === 0);
  if (calm === undefined) throw new Error(`alerts before any fault: ${await firing(at)}`);
  const rounds: Round[] = [];
  for (let i = 0; i < Number(values.rounds); i++)
    for (const fault of chosen) {
      const round = await runRound(at, load, fault);
      rounds.push(round);
      const { alert, alertAfterMs, healedAfterMs, gapMs, problems } = round;
      const called = alert ? `${alert} after ${seconds(alertAfterMs ?? 0)} s` : 'no alert';
      say(`${fault.name}: ${called}, healed after ${seconds(healedAfterMs)} s, gap ${seconds(gapMs)} s`);
      say(`    ${round.line || '–'}`);
      for (const problem of problems) say(`    PROBLEM: ${problem}`);
    }
  await load.stop();
  say('comparing');
  const { db, receiver, env } = at;
  // Doctor names a node that contradicted the others for a day, until somebody has talked to its operator.
  await db.query('delete from node_disagreements');
  const verdict = await checkShop({ db, acknowledged: load.acknowledged, received: receiver.received, env });
  const problems = rounds.flatMap((round) => round.problems.map((problem) => `${round.fault}: ${problem}`));
  say(verdictText(verdict));
  for (const complaint of [...verdict.complaints, ...verdict.lost, ...verdict.doubled, ...problems])
    say(complaint);
  const text = `${tableOf(rounds)}\n\n${verdictText(verdict)}`;
  if (values.record) await recordRun('faults', { rounds, verdict, problems }, loadAtStart, text);
  if (!isClean(verdict) || problems.length > 0) process.exitCode = 1;
} finally {
  await cleanUpAll();
}

function say(text: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}
