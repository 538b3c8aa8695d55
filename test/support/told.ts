import { expect } from 'vitest';
import type { TestMerchant, TestService } from './service.ts';

type Fields = Record<string, unknown>;

/** Path and fields by which an object of a kind is read, and its place in events. */
interface Kind {
  path: string;
  /** Returns the fields that an event has of the object; all of them must equal what is read. */
  told(data: Fields, event: string): Fields;
  /** Fields that depend on the moment of reading, or have events of another object. */
  except: readonly string[];
  /** Read under another name. */
  names?: Record<string, string>;
}

const KINDS: Record<string, Kind> = {
  payment_intent: {
    path: '/api/merchants/intents',
    // A failed payment brought nothing: only its event names it.
    told: ({ paymentIntentId: id, ...data }, event) => ({
      ...data,
      id,
      ...(event === 'payment_intent.failed' && { txSignature: null }),
    }),
    names: { amountCents: 'amountReceivedCents' },
    except: [],
  },
  checkout_session: {
    path: '/api/v2/checkout-sessions',
    told: ({ checkoutSession }) => checkoutSession as Fields,
    except: ['metadata'],
  },
  invoice: {
    path: '/api/v2/invoices',
    told: ({ invoice }) => invoice as Fields,
    except: ['isOverdue', 'metadata', 'sentAt'],
  },
  subscription: {
    path: '/api/v2/subscriptions',
    told: ({ subscription }) => subscription as Fields,
    except: ['renewalCheckoutUrl'],
  },
  exception: {
    path: '/api/v2/exceptions',
    told: ({ exception }) => exception as Fields,
    except: ['refundId', 'balanceEntryId', 'transferCount'],
  },
  refund: { path: '/api/v2/refunds', told: ({ refund }) => refund as Fields, except: ['metadata'] },
  customer: {
    path: '/api/v2/customers',
    told: ({ customer }) => customer as Fields,
    except: ['creditBalance', 'accountCreditCents'],
  },
  customer_balance: {
    path: '/api/v2/customers',
    told: ({ customerId: id, creditBalance, accountCreditCents }) => ({
      id,
      creditBalance,
      accountCreditCents,
    }),
    except: [],
  },
};

/**
 * One change, one event: whatever is read of an object is what its last event said. So a change without an event shows up
 * wherever this is asked.
 */
export async function expectTold(service: TestService): Promise<void> {
  const untold: Fields[] = [];
  for (const shop of service.merchants) untold.push(...(await listUntold(service, shop, null)));
  expect(untold).toEqual([]);
}

/** The same of these objects alone: quick enough to be asked after each step. */
export async function listUntoldOf(
  service: TestService,
  shop: TestMerchant,
  ids: readonly string[],
): Promise<Fields[]> {
  return listUntold(service, shop, ids);
}

async function listUntold(
  service: TestService,
  shop: TestMerchant,
  ids: readonly string[] | null,
): Promise<Fields[]> {
  const last = await service.db.query<{
    type: string;
    id: string;
    event: string;
    status: string;
    data: Fields;
  }>(
    `select distinct on (object_type, object_id) object_type as type, object_id as id, event, status,
            body::json -> 'data' as data
       from events where merchant_id = $1
        -- What is erased of a customer is overwritten without a word, in objects and in their events.
        and not exists (select from customers c where c.merchant_id = $1 and c.erased_at is not null)
        and object_type = any($2)
        and ($3::uuid[] is null or object_id = any($3))
      order by object_type, object_id, sequence desc`,
    [shop.id, Object.keys(KINDS), ids],
  );
  const untold: Fields[] = [];
  for (const [type, events] of Map.groupBy(last, (one) => one.type)) {
    const kind = KINDS[type]!;
    const read = ids === null ? await readAll(shop, kind.path) : await readEach(shop, kind.path, events);
    for (const { id, event, status, data } of events) {
      const now = read.get(id);
      // Deleted, or not listed to anybody.
      if (!now) continue;
      const told = { ...kind.told(data, event), ...('status' in now && { status }) };
      for (const [name, said] of Object.entries(told)) {
        const is = now[kind.names?.[name] ?? name];
        if (kind.except.includes(name) || is === undefined || same(said, is)) continue;
        untold.push({ type, id, lastEvent: event, field: name, said, is });
      }
    }
  }
  return untold;
}

async function readAll(shop: TestMerchant, path: string): Promise<Map<string, Fields>> {
  const found = new Map<string, Fields>();
  for (let cursor = ''; ; ) {
    const { status, body } = await shop.call('GET', `${path}?limit=100${cursor}`);
    // A merchant that a test has closed, or whose key it has taken away, reads nothing.
    if (status !== 200) return found;
    for (const one of body.data) found.set(one.id, one);
    if (!body.hasMore) return found;
    cursor = `&cursor=${body.nextCursor}`;
  }
}

async function readEach(shop: TestMerchant, path: string, events: readonly { id: string }[]) {
  const found = new Map<string, Fields>();
  for (const { id } of events) {
    const { status, body } = await shop.call('GET', `${path}/${id}`);
    if (status === 200) found.set(id, body);
  }
  return found;
}

const same = (a: unknown, b: unknown) => plain(a) === plain(b);

const plain = (value: unknown) =>
  JSON.stringify(value, (_key, part) => {
    if (typeof part === 'bigint') return Number(part);
    const isObject = part !== null && typeof part === 'object' && !Array.isArray(part);
    return isObject ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part;
  });
