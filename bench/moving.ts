import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { startEmbeddedPostgres } from '../src/platform/db/embedded-postgres.ts';
import { newReferenceAddress } from '../src/platform/lib/base58.ts';
import type { BenchResult, BenchRun } from './bench.ts';
import { createDatabase } from './create-database.ts';
import { fillBilling } from './fill-billing.ts';
import { BODY } from './outbox.ts';
import { type Round, spreadOf } from './rounds.ts';
import { type Ran, runCommand } from './run-command.ts';
import { withWorkshop } from './workshop.ts';

/** Number of customers, intents, checkout sessions, invoices and events each: a million rows. */
const EACH = 200_000;
const ALLOWED_SECONDS = 300;

/**
 * Measures how long a merchant with a million rows is closed, from the start of its export to the end of its import;
 * the yardstick is five minutes.
 */
export function moving({ rounds, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const server = await startEmbeddedPostgres({ dataFolder: data, purpose: 'service' });
    shop.onClose(() => server.stop());
    const source = await createDatabase(shop, data, 'here', [newReferenceAddress()]);
    const { id } = source.merchants[0]!;
    const db = await shop.connect(data, 'here');
    say('filling a million rows');
    await fillBilling(db, [id], EACH);
    await fillEvents(db, id);
    const [identity, file] = ['move.key', 'shop.florin-merchant'].map((name) => join(shop.folder, name));
    // A passphrase would take a quarter of a gigabyte to become a key.
    const { publicKey } = (await runCommand({}, ['backup', 'keygen', identity!])).result;
    const lock = ['--out', file!, '--recipient', publicKey!];
    const unlock = ['--identity', identity!];

    const measured: Round[] = [];
    const runs: { exported: Ran; imported: Ran; fileMb: number }[] = [];
    for (let i = 1; i <= rounds; i++) {
      const target = await createDatabase(shop, data, `there_${i}`, []);
      await db.query('checkpoint');
      const { ran: exported } = await runCommand(source.env, ['merchants', 'export', id, ...lock]);
      const { ran: imported } = await runCommand(target.env, ['merchants', 'import', file!, ...unlock]);
      const fileMb = (await stat(file!)).size / 2 ** 20;
      runs.push({ exported, imported, fileMb });
      const ours = exported.seconds + imported.seconds;
      measured.push({ ours, yardstick: ALLOWED_SECONDS, ratio: ALLOWED_SECONDS / ours });
      say(
        `round ${i} of ${rounds}: out in ${exported.seconds.toFixed(0)} s, in in ${imported.seconds.toFixed(0)} s`,
      );
      await runCommand(source.env, ['merchants', 'reopen', id]);
      await rm(file!);
      await db.query(`drop database there_${i} with (force)`);
    }
    const spread = spreadOf(measured);
    return { ratio: spread.median, spread, unit: 's', rounds: measured, extra: { runs } };
  });
}

async function fillEvents(db: pg.Client, merchantId: string): Promise<void> {
  await db.query('set session_replication_role = replica');
  await db.query(
    `insert into events (merchant_id, id, event, object_type, object_id, sequence, status, ordering_key, body, created_at)
     select merchant_id, id, 'payment_intent.succeeded', 'payment_intent', id, 1, 'succeeded', id, $2, created_at
       from payment_intents where merchant_id = $1`,
    [merchantId, BODY],
  );
  await db.query('reset session_replication_role');
  await db.query('vacuum analyze events');
}
