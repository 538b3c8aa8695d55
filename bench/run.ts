import { cpus, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { allCores } from './all-cores.ts';
import { badPayloads } from './bad-payloads.ts';
import type { Bench, BenchResult } from './bench.ts';
import { calls } from './calls.ts';
import { checkoutSession } from './checkout-session.ts';
import { createIntent } from './create-intent.ts';
import { day } from './day.ts';
import { detection } from './detection.ts';
import { erasure } from './erasure.ts';
import { expand } from './expand.ts';
import { growth } from './growth.ts';
import { home } from './home.ts';
import { listPage } from './list-page.ts';
import { livePages } from './live-pages.ts';
import { memory } from './memory.ts';
import { migrations } from './migrations.ts';
import { moving } from './moving.ts';
import { neighbour } from './neighbour.ts';
import { peers } from './peers.ts';
import { publicLink } from './public-link.ts';
import { readIntent } from './read-intent.ts';
import { reconcile } from './reconcile.ts';
import { recordResult } from './record.ts';
import { refunds } from './refunds.ts';
import { refundsSent } from './refunds-sent.ts';
import { renewals } from './renewals.ts';
import { revenueTriggers } from './revenue-triggers.ts';
import { search } from './search.ts';
import { settlement } from './settlement.ts';
import { missingTools, type Tool } from './tools.ts';
import { usage } from './usage.ts';
import { watchedAccounts } from './watched-accounts.ts';
import { webhooks } from './webhooks.ts';
import { worstAnswers } from './worst-answers.ts';
import { x402Offer } from './x402-offer.ts';
import { x402Settle } from './x402-settle.ts';

const benches: Record<string, { run: Bench; tools: Tool[] }> = {
  'create-intent': { run: createIntent, tools: ['wrk', 'pgbench'] },
  'read-intent': { run: readIntent, tools: ['wrk'] },
  'all-cores': { run: allCores, tools: ['wrk'] },
  growth: { run: growth, tools: ['wrk'] },
  usage: { run: usage, tools: ['wrk', 'pgbench'] },
  'checkout-session': { run: checkoutSession, tools: ['wrk', 'pgbench'] },
  'list-page': { run: listPage, tools: [] },
  expand: { run: expand, tools: [] },
  erasure: { run: erasure, tools: [] },
  refunds: { run: refunds, tools: [] },
  'refunds-sent': { run: refundsSent, tools: [] },
  'public-link': { run: publicLink, tools: ['wrk'] },
  'x402-offer': { run: x402Offer, tools: ['wrk'] },
  'x402-settle': { run: x402Settle, tools: [] },
  'bad-payloads': { run: badPayloads, tools: ['wrk'] },
  memory: { run: memory, tools: [] },
  detection: { run: detection, tools: [] },
  calls: { run: calls, tools: [] },
  migrations: { run: migrations, tools: [] },
  moving: { run: moving, tools: [] },
  reconcile: { run: reconcile, tools: [] },
  'watched-accounts': { run: watchedAccounts, tools: [] },
  neighbour: { run: neighbour, tools: [] },
  'worst-answers': { run: worstAnswers, tools: [] },
  renewals: { run: renewals, tools: ['pgbench'] },
  settlement: { run: settlement, tools: [] },
  webhooks: { run: webhooks, tools: [] },
  search: { run: search, tools: [] },
  home: { run: home, tools: [] },
  'revenue-triggers': { run: revenueTriggers, tools: [] },
  'live-pages': { run: livePages, tools: [] },
  day: { run: day, tools: [] },
  peers: { run: peers, tools: [] },
};

const LEAST_ROUNDS = 4;
const LEAST_SECONDS = 30;
const USUAL_SECONDS = 600;
const USAGE = `npm run bench -- <name> [--rounds N] [--seconds N] [--full] [--json] [--record] [--profile FOLDER]

  names      ${Object.keys(benches).join(', ')}
  --rounds   how often both sides are measured, at least and by default ${LEAST_ROUNDS}
  --seconds  how long day lasts, at least ${LEAST_SECONDS} and by default ${USUAL_SECONDS}
  --full     the longer form, where there is one
  --json     the result as JSON on the last line
  --record   keep the result in bench/results/
  --profile  a CPU profile of the service under test goes into this folder
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: String(LEAST_ROUNDS) },
    seconds: { type: 'string', default: String(USUAL_SECONDS) },
    full: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
});
const name = positionals[0] ?? '';
const bench = benches[name];
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const isAtLeast = (value: number, least: number) => Number.isInteger(value) && value >= least;
if (!bench || !isAtLeast(rounds, LEAST_ROUNDS) || !isAtLeast(seconds, LEAST_SECONDS)) stop(USAGE);
const missing = missingTools(bench.tools);
if (missing) stop(`${missing}\n`);

// Ctrl-C also ends wrk and the service, so the run fails and cleans up; a second one ends it at once.
process.once('SIGINT', () => process.stderr.write('stopping\n'));
process.once('SIGTERM', () => process.exit(1));

const startedMs = performance.now();
const say = (line: string) =>
  process.stdout.write(`[${((performance.now() - startedMs) / 1000).toFixed(0).padStart(3)} s] ${line}\n`);
const loadAtStart = loadavg()[0]!;
if (loadAtStart > cpus().length / 2) {
  say(`other work is going on here (load ${loadAtStart.toFixed(1)}): expect a wide spread`);
}
const profileFolder = values.profile && resolve(values.profile);
const result = await bench.run({ rounds, seconds, full: values.full, profileFolder, say });
process.stdout.write(report(name, result));
if (values.record) say(`recorded in ${await recordResult(name, result, loadAtStart)}`);
if (values.json) process.stdout.write(`${JSON.stringify({ bench: name, ...result })}\n`);

function stop(message: string): never {
  process.stderr.write(message);
  process.exit(1);
}

function report(title: string, { unit, rounds: measured, ratio, spread, table, extra }: BenchResult): string {
  const cells = [
    ['', `ours, ${unit}`, `yardstick, ${unit}`, 'ratio'],
    ...measured.map((round, i) => [
      round.of ?? `round ${i + 1}`,
      figure(round.ours),
      figure(round.yardstick),
      round.ratio.toFixed(2),
    ]),
  ];
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const lines = cells.map((row) => row.map((cell, column) => cell.padStart(widths[column]!)).join('   '));
  const summary = `${title}: ${ratio.toFixed(2)} [${spread.min.toFixed(2)}-${spread.max.toFixed(2)}]`;
  const more = extra ? `${JSON.stringify(extra, null, 2)}\n` : '';
  return `\n${lines.join('\n')}\n\n${summary}\n${table ? `\n${table}\n` : ''}${more}`;
}

function figure(value: number): string {
  return value.toFixed(value < 20 ? 1 : 0);
}
