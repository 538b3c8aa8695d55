import { type ChainReport, verifyAudit } from '../../platform/audit/verify-audit.ts';
import { isUuid } from '../../platform/lib/ids.ts';
import { type CommandContext, CommandFailed, chooseMerchant } from './context.ts';

export interface VerifyAuditOptions {
  merchant?: string;
  expect?: string[];
}

const PROGRESS_ROWS = 100_000;

export async function verifyAuditCommand(
  context: CommandContext,
  options: VerifyAuditOptions,
): Promise<void> {
  const { db, print, say } = context;
  const merchantId = options.merchant && (await chooseMerchant(context, options.merchant));
  const expected = readExpected(options.expect ?? []);
  for (const id of expected.keys()) {
    await chooseMerchant(context, id);
    if (merchantId && id !== merchantId)
      throw new CommandFailed('--expect and --merchant must be the same merchant');
  }
  let rows = 0;
  const onRows = (count: number) => {
    const before = rows;
    rows += count;
    if (Math.floor(rows / PROGRESS_ROWS) > Math.floor(before / PROGRESS_ROWS)) say(`… ${rows} rows so far`);
  };
  const chains: ChainReport[] = [];
  for await (const chain of verifyAudit(db, { merchantId, expected, onRows })) {
    chains.push(chain);
    say(describe(chain));
  }
  const broken = chains.filter(({ faults }) => faults.length > 0).length;
  print(
    { ok: broken === 0, rows, chains },
    broken === 0
      ? `OK: ${rows} rows of ${chains.length} merchants.`
      : `The audit log of ${broken} of ${chains.length} merchants has been altered.`,
  );
  if (broken > 0) process.exitCode = 1;
}

function readExpected(given: readonly string[]): Map<string, string[]> {
  const expected = new Map<string, string[]>();
  for (const text of given) {
    const [id = '', hash = '', ...rest] = text.toLowerCase().split(':');
    if (!isUuid(id) || !/^[0-9a-f]{64}$/.test(hash) || rest.length > 0)
      throw new CommandFailed(`--expect must be <merchant id>:<hash>, as audit verify prints them: ${text}`);
    expected.set(id, [...(expected.get(id) ?? []), hash]);
  }
  return expected;
}

function describe({ merchantId, rows, head, faults, unlisted }: ChainReport): string {
  const lines = [`${faults.length === 0 ? '✓' : '✗'} ${merchantId}:${head ?? ' nothing yet'}  ${rows} rows`];
  for (const { rowId, kind, text } of faults)
    lines.push(`    ${kind}: ${rowId ? `row ${rowId}: ` : ''}${text}`);
  if (unlisted > 0) lines.push(`    and ${unlisted} more`);
  return lines.join('\n');
}
