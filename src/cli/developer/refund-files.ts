import { stringifyJson } from '../../platform/lib/json.ts';
import { connect } from './connection.ts';
import { runCommand } from './explain.ts';
import { readNamed, writeNamed } from './files.ts';
import type { Given } from './flag-values.ts';
import { type Io, say, UsageError } from './io.ts';
import type { Extension } from './resources.ts';

/** `florin refunds prepare <id…> --payer <address> --out tx.json`: a file for signing offline. */
export function prepareExtension(io: Io): Extension {
  return (command, usual) =>
    command
      .argument('[ids...]', 'the refunds to send, in one transaction')
      .option('--out <file>', 'write what an offline signer needs to this file; - is stdout')
      .action(async (ids: string[], options: Given) => {
        await runCommand(io, Boolean(options.json), async () => {
          const { out, ...rest } = options;
          const given = ids.length > 0 ? { ...rest, ids: ids.join(',') } : rest;
          if (out === undefined) return usual(given);
          await writePrepared(io, given, String(out));
        });
      });
}

interface PreparedRefund {
  id: string;
  number: string;
  address: string;
  /** Names what is still to be sent, to the last unit. */
  paymentUrl: string;
}

async function writePrepared(io: Io, given: Given, out: string): Promise<void> {
  if (given.data !== undefined) throw new UsageError('--out takes the ids and --payer, not --data');
  if (given.ids === undefined) throw new UsageError('say which refunds to prepare');
  if (given.payer === undefined) throw new UsageError('missing: --payer');
  const request = { ids: String(given.ids).split(','), payer: given.payer as string };
  const { body } = await connect(io, given).ask({
    method: 'POST',
    path: '/api/v2/refunds/prepare',
    body: stringifyJson(request),
  });
  const refunds = body.refunds.map(({ id, number, address, paymentUrl }: PreparedRefund) => ({
    ...{ id, number, address },
    usdc: new URL(paymentUrl).searchParams.get('amount'),
  }));
  const { transaction, payer, lastValidBlockHeight } = body;
  const text = `${JSON.stringify({ transaction, payer, lastValidBlockHeight: Number(lastValidBlockHeight), refunds }, null, 2)}\n`;
  if (out === '-') return void io.stdout.write(text);
  writeNamed('--out', out, text);
  say(
    io,
    `Wrote ${out}: ${refunds.map(({ number, usdc, address }: Record<string, string>) => `${number}, ${usdc} USDC to ${address}`).join('; ')}.`,
  );
  say(
    io,
    `Sign "transaction" with ${payer} within a minute or so, then: florin refunds send --file <signed>`,
  );
}

/** `florin refunds send --file <signed>`: the file with its transaction signed, or the transaction alone. */
export function sendExtension(io: Io): Extension {
  return (command, usual) =>
    command
      .option(
        '--file <path>',
        'the signed transaction: base64, or JSON with it as transaction; - is stdin; instead of --transaction',
      )
      .action(async (options: Given) => {
        await runCommand(io, Boolean(options.json), async () => {
          const { file, ...rest } = options;
          if (file === undefined) return usual(rest);
          if (rest.transaction !== undefined)
            throw new UsageError('--file and --transaction say the same: give one');
          await usual({ ...rest, transaction: readTransaction(String(file)) });
        });
      });
}

function readTransaction(file: string): string {
  const text = readNamed('--file', file).toString('utf8').trim();
  if (!text.startsWith('{')) return text;
  let transaction: unknown;
  try {
    transaction = JSON.parse(text).transaction;
  } catch (error) {
    throw new UsageError(`--file is no JSON: ${(error as Error).message}`);
  }
  if (typeof transaction !== 'string') throw new UsageError('--file has no "transaction"');
  return transaction;
}
