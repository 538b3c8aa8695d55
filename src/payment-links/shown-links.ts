import { findPrice } from '../catalog/find-price.ts';
import type { CatalogPrice } from '../catalog/price.ts';
import type { Database } from '../db/database.ts';
import { realNow } from '../lib/clock.ts';
import { findByToken, type LinkDisplay } from './queries.ts';

/** How long a link may be shown from memory: one that is switched off elsewhere is gone here within this time. */
const FRESH_MS = 1_000;
const MAX_REMEMBERED = 10_000;

export interface ShownLink extends LinkDisplay {
  price: CatalogPrice;
}

export interface ShownLinks {
  /** What the public page shows; undefined for a token that is none. */
  find(token: string): Promise<ShownLink | undefined>;
  /** Makes a change count at once in this process. */
  forget(token: string): void;
}

/** Public links, read at most once a second each, however many buyers open them. */
export function shownLinks(db: Database): ShownLinks {
  const remembered = new Map<string, { untilMs: number; shown: Promise<ShownLink | undefined> }>();

  async function read(token: string): Promise<ShownLink | undefined> {
    const display = await findByToken(db, token);
    if (!display) return undefined;
    const { merchantId, priceId } = display.link;
    const price = await findPrice(db, { merchantId, id: priceId });
    return { ...display, price: price! };
  }

  return {
    find(token) {
      const nowMs = realNow().getTime();
      const known = remembered.get(token);
      if (known && known.untilMs > nowMs) return known.shown;
      const shown = read(token);
      if (remembered.size >= MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!);
      remembered.delete(token);
      remembered.set(token, { untilMs: nowMs + FRESH_MS, shown });
      // A failure is not remembered: the next buyer asks again.
      shown.catch(() => remembered.delete(token));
      return shown;
    },
    forget: (token) => void remembered.delete(token),
  };
}
