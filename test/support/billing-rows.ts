import { randomUUID } from 'node:crypto';
import { nextInvoiceNumber } from '../../src/accounts/projects/next-invoice-number.ts';
import type { Database, Queryable } from '../../src/platform/db/database.ts';
import type { TestMerchant } from './service.ts';

/** Billing is mounted twice: everything is asked of both. */
export const MOUNTS = ['/api/v2', '/api'];

interface InProject {
  merchantId: string;
  projectId: string;
}

/** A session with its intent, as a checkout would have left it; `volumeMonth` null: it counts toward no month. */
export async function insertSession(
  db: Queryable,
  { merchantId, projectId }: InProject,
  { amountCents, volumeMonth }: { amountCents: bigint; volumeMonth: string | null },
): Promise<string> {
  const [id, intentId] = [randomUUID(), randomUUID()];
  await db.query(
    `insert into payment_intents (merchant_id, id, expected_amount_cents, reference_address, destination_address,
                                  created_at, expires_at)
     values ($1, $2::uuid, $3, $2::text, 'd', now(), now() + interval '1 day')`,
    [merchantId, intentId, amountCents],
  );
  await db.query(
    `insert into checkout_sessions (merchant_id, id, project_id, mode, origin, amount_cents, payment_intent_id, token,
                                    checkout_url, volume_month, created_at, expires_at)
     values ($1, $2::uuid, $3, 'one_time', 'key', $4, $5, $2::text, 'u', $6, now(), now() + interval '1 day')`,
    [merchantId, id, projectId, amountCents, intentId, volumeMonth],
  );
  return id;
}

/** An open invoice. */
export async function insertInvoice(db: Database, { merchantId, projectId }: InProject): Promise<string> {
  const id = randomUUID();
  await db.transaction(async (tx) => {
    const { number, text } = await nextInvoiceNumber(tx, { merchantId, projectId, seller: null });
    await tx.query(
      `insert into invoices (merchant_id, id, project_id, number, number_text, billing_reason, lines, subtotal_cents,
                             total_cents, created_at)
       values ($1, $2, $3, $4, $5, 'one_time', '[]', 5, 5, now())`,
      [merchantId, id, projectId, number, text],
    );
  });
  return id;
}

/** The ids of a whole list, page by page; `between` runs after each page. */
export async function readPages(
  merchant: TestMerchant,
  path: string,
  between: () => Promise<unknown> = async () => {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const { status, body } = await merchant.call('GET', path + cursor);
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    ids.push(...body.data.map((one: { id: string }) => one.id));
    if (!body.hasMore) return ids;
    cursor = `&cursor=${body.nextCursor}`;
    await between();
  }
}

/** The cells of a CSV answer without quoted ones, line by line. */
export async function readCsv(merchant: TestMerchant, path: string): Promise<string[]> {
  const answer = await merchant.call('GET', path, undefined, { accept: 'text/csv' });
  if (!answer.headers.get('content-type')?.startsWith('text/csv')) throw new Error('not CSV');
  return answer.text.trimEnd().split('\r\n');
}
