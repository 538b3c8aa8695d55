import { open, readFile, rm } from 'node:fs/promises';
import type { EarlierFindings } from '../../payments/reconcile/reconcile.ts';
import type { Difference, Findings } from '../../payments/reconcile/report.ts';
import { parseJson, stringifyJson } from '../../platform/lib/json.ts';
import { CommandFailed } from './context.ts';

/** Settings that must be the same for two runs to share a file. */
export type RunSettings = Record<string, string | boolean | null | readonly string[]>;

export interface ProgressFile {
  /** Number of accounts and refunds that an earlier run has compared, over all nodes. */
  count: number;
  ofNode(name: string): EarlierFindings;
  /** After a run that was not interrupted: the next one compares everything again. */
  delete(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the file in which a run keeps what it has compared completely, a line for each account and refund, so that another run
 * continues where it ended. What was found stays found: a difference of an earlier run is in the report of the last one.
 */
export async function openProgressFile(path: string, settings: RunSettings): Promise<ProgressFile> {
  const known = await readKnown(path, settings);
  const file = await open(path, 'a', 0o600);
  if (known.isNew) await file.appendFile(`${stringifyJson(settings)}\n`);
  else if (known.isTorn) await file.appendFile('\n');
  let written: Promise<unknown> = Promise.resolve();
  const append = (line: string) => {
    written = written.then(() => file.appendFile(line));
    return written;
  };
  const keyOf = (node: string, name: string) => `${node} ${name}`;
  return {
    count: known.findings.size,
    ofNode: (node) => ({
      find: (name) => known.findings.get(keyOf(node, name)),
      async keep(name, findings) {
        await append(`${stringifyJson({ of: keyOf(node, name), ...findings })}\n`);
      },
    }),
    async delete() {
      await rm(path);
    },
    close: () => file.close(),
  };
}

async function readKnown(path: string, settings: RunSettings) {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new CommandFailed(`${path} cannot be read: ${error.message}`);
  });
  const lines = text.split('\n');
  const isTorn = lines.pop() !== '';
  const [head, ...rest] = lines;
  if (head === undefined && !isTorn)
    return { isNew: true, isTorn: false, findings: new Map<string, Findings>() };
  if (head !== stringifyJson(settings))
    throw new CommandFailed(
      `${path} is of a run with other settings, or no file of florin reconcile: name another file, or delete this one`,
    );
  const findings = new Map<string, Findings>();
  for (const line of rest) {
    const kept = readLine(line);
    if (kept) findings.set(...kept);
  }
  return { isNew: false, isTorn, findings };
}

/** A line that a kill has cut off counts for nothing: its account is compared again. */
function readLine(line: string): [string, Findings] | undefined {
  try {
    const { of, ...findings } = parseJson(line) as unknown as Findings & { of: string };
    for (const difference of [...findings.differences, ...findings.repaired]) restoreAmounts(difference);
    return [of, findings];
  } catch {
    return undefined;
  }
}

/** JSON has small amounts as numbers. */
function restoreAmounts(difference: Difference): void {
  for (const name of ['booked', 'onChain'] as const)
    if (difference[name] !== null) difference[name] = BigInt(difference[name]);
}
