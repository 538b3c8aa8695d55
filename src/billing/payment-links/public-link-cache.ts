import type { ProjectSettings } from '../../accounts/projects/project.ts';
import { findProject } from '../../accounts/projects/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { serializer } from '../../platform/http/route.ts';
import { Memo } from '../../platform/lib/memo.ts';
import { shareWithPeers } from '../../platform/lib/peers.ts';
import type { CatalogPrice } from '../catalog/price.ts';
import { findPrice } from '../catalog/queries.ts';
import { linesForAnyone } from '../checkout-sessions/lines-for-anyone.ts';
import type { InvoiceLine } from '../invoices/invoice.ts';
import { PublicLinkView, presentPublicLink } from './present.ts';
import { findByToken, type LinkDisplay } from './queries.ts';

/**
 * Time for which a link can be served from memory: one that is deactivated by another process disappears here within
 * it.
 */
const FRESH_MS = 1_000;
const MAX_REMEMBERED = 10_000;

export interface PublicLink extends LinkDisplay {
  price: CatalogPrice;
  /** Lines of its checkout, with tax. */
  lines: InvoiceLine[];
  /** Settings of the project that its pages need. */
  settings: Pick<ProjectSettings, 'embedOrigins' | 'supportEmail' | 'termsUrl'>;
  /** The serialized response, shared by all concurrent readers. */
  text: string;
}

export interface PublicLinkCache {
  /** Finds what the public page shows; undefined for an unknown token. A cached link is returned immediately. */
  find(token: string): PublicLink | undefined | Promise<PublicLink | undefined>;
  /** The same, read from the database now. */
  read(token: string): Promise<PublicLink | undefined>;
  /** Makes a change visible immediately in this process. */
  forget(token: string): void;
}

const serialize = serializer(PublicLinkView);

/** Public links, read at most once a second each, however many buyers open them. */
export function publicLinkCache(db: Database): PublicLinkCache {
  const remembered = new Memo<PublicLink | undefined>(MAX_REMEMBERED, FRESH_MS);

  async function read(token: string): Promise<PublicLink | undefined> {
    const display = await findByToken(db, token);
    if (!display) return undefined;
    const { link, merchantName } = display;
    const price = (await findPrice(db, { merchantId: link.merchantId, id: link.priceId }))!;
    const project = (await findProject(db, { merchantId: link.merchantId, id: link.projectId }))!;
    const lines = await linesForAnyone(db, project, price);
    const text = serialize(presentPublicLink(link, price, lines, merchantName));
    return { ...display, price, lines, settings: project.settings, text };
  }

  const tellChanged = shareWithPeers<string>('changed payment links', (token) => remembered.forget(token));
  return {
    find: (token) => remembered.read(token, () => read(token)),
    read,
    forget(token) {
      remembered.forget(token);
      tellChanged(token);
    },
  };
}
