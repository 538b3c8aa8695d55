import { changeSponsorFees } from '../../accounts/merchants/change-sponsor-fees.ts';
import { SPONSOR_MODES } from '../../accounts/merchants/sponsor-fees.ts';
import { keyedRoute } from '../../platform/access/keyed-route.ts';
import { PEOPLE } from '../../platform/http/assistant.ts';
import type { App } from '../../platform/http/route.ts';
import { Count, Flag, Int64, Nullable, OneOf, Shape, Text } from '../../platform/http/schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { type ReadSponsorParts, readSponsor } from './read-sponsor.ts';
import { REASONS_OFF } from './sponsor.ts';

const MODES = 'Whose network fees are paid: nobody’s, those of wallets with next to no SOL, or everybody’s.';

const SponsorChange = Shape('UpdateSponsorRequest', { sponsorFees: OneOf(SPONSOR_MODES, MODES) });

const SponsorView = Shape('Sponsor', {
  sponsorFees: OneOf(SPONSOR_MODES, MODES),
  isOn: Flag('Network fees can be paid for payers right now.'),
  reasonOff: Nullable(OneOf(REASONS_OFF, 'Why not. Null: they can.')),
  address: Nullable(
    Text({ max: 44, description: 'The wallet that pays the fees; send SOL to it to top it up.' }),
  ),
  balanceLamports: Nullable(Int64({ description: 'Null: not known.' })),
  spentTodayLamports: Int64({ description: 'On this UTC day, for all merchants of this service.' }),
  limitLamportsPerDay: Int64(),
  merchantLimitLamportsPerDay: Nullable(
    Int64({ description: 'For you alone. Null: no limit of your own, because you share it with nobody.' }),
  ),
  transactionsTodayCount: Count('Your payments on this UTC day whose fee was paid.'),
});

export interface SponsorRoutes extends ReadSponsorParts {
  clock: Clock;
}

export function sponsorRoutes(app: App, parts: SponsorRoutes): void {
  const { db, clock } = parts;
  keyedRoute(app, {
    method: 'GET',
    path: '/api/v2/sponsor',
    id: 'getSponsor',
    sdk: 'sponsor.retrieve',
    assistant: 'read',
    tag: 'Sponsor',
    summary: 'Get the fee sponsor',
    description:
      'Whether network fees are paid for payers who hold no SOL, from what, and how much of it is left.',
    scopes: ['payments:read'],
    success: { status: 200, schema: SponsorView, description: 'The sponsor’s state, and your choice.' },
    errors: [],
    handle: ({ principal }) => readSponsor(parts, principal.merchantId, clock.now()),
  });

  keyedRoute(app, {
    method: 'PATCH',
    path: '/api/v2/sponsor',
    id: 'updateSponsor',
    sdk: 'sponsor.update',
    assistant: { withheld: `It turns sponsored network fees on and off. ${PEOPLE}` },
    tag: 'Sponsor',
    summary: 'Choose whose fees are paid',
    description: 'Applies to payments from now on. A project may choose for itself in its settings.',
    scopes: ['payments:write'],
    body: SponsorChange,
    success: { status: 200, schema: SponsorView, description: 'The sponsor’s state, and your new choice.' },
    errors: ['BAD_REQUEST'],
    handle: async ({ principal, body }) => {
      const { merchantId, actor } = principal;
      const now = clock.now();
      await db.transaction((tx) => changeSponsorFees(tx, { merchantId, actor, now }, body.sponsorFees));
      return readSponsor(parts, merchantId, now);
    },
  });
}
