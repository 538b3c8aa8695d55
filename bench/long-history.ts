import { createHash } from 'node:crypto';

/** Histories of accounts that hold nothing at first: payments, of which every 500th transaction takes all away. */
const CYCLE = 500;
const FIRST_SLOT = 1_000;
const FIRST_UNITS = 1_000_000;
const MORE_UNITS = 10_000;
/** One payment a minute, on average. */
export const SECONDS_EACH = 60;

export interface PastTransaction {
  signature: string;
  slot: number;
  before: number;
  after: number;
}

/** The n-th transaction of an account, the oldest first. Each fourth shares the slot of the one before it. */
export function pastTransaction(account: number, n: number): PastTransaction {
  const place = n % CYCLE;
  const isLast = place === CYCLE - 1;
  return {
    signature: signatureOf(account, n),
    slot: slotOf(n),
    before: heldAt(place),
    after: isLast ? 0 : heldAt(place + 1),
  };
}

export const slotOf = (n: number): number => FIRST_SLOT + n - (n % 4 === 3 ? 1 : 0);

const heldAt = (place: number) => place * FIRST_UNITS + (MORE_UNITS * place * (place - 1)) / 2;

/** Unlike any other at its beginning, and ends with its number. */
function signatureOf(account: number, n: number): string {
  const half = (salt: string) => createHash('md5').update(`${account}:${n}${salt}`).digest('hex');
  return `${half('a')}${half('b')}${String(n).padStart(9, '0')}`.replaceAll('0', 'x');
}

export const numberIn = (signature: string): number => Number(signature.slice(-9).replaceAll('x', '0'));

/** Fills the books with `each` transactions of each of these watched accounts, as the watcher would have. */
export const FILL_BOOKS = `
  insert into incoming_transfers (signature, destination, slot, block_time, received_base_units, balance_before,
                                  balance_after, has_failed, is_final, seen_at)
  select translate(md5(a.number || ':' || n || 'a') || md5(a.number || ':' || n || 'b') || lpad(n::text, 9, '0'), '0', 'x'),
         a.destination, ${FIRST_SLOT} + n - case when n % 4 = 3 then 1 else 0 end,
         timestamptz '2025-01-01Z' + n * interval '${SECONDS_EACH} seconds',
         case when place = ${CYCLE - 1} then 0 else ${FIRST_UNITS} + ${MORE_UNITS} * place end,
         place * ${FIRST_UNITS}::bigint + ${MORE_UNITS}::bigint * place * (place - 1) / 2,
         case when place = ${CYCLE - 1} then 0
              else (place + 1) * ${FIRST_UNITS}::bigint + ${MORE_UNITS}::bigint * (place + 1) * place / 2 end,
         false, true, now()
    from unnest($1::int[], $2::text[]) as a(number, destination),
         generate_series(0, $3::int - 1) as n, lateral (select n % ${CYCLE} as place) as p
   order by n, a.number`;
