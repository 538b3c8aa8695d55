import { toDecimal } from '../../chain/solana/pay-url.ts';
import { type App, route } from '../../platform/http/route.ts';
import { Shape, Text, Timestamp } from '../../platform/http/schema.ts';
import { plainUrl } from './plain-url.ts';
import { type ReserveParts, reserveAmount } from './reserve-amount.ts';

const ReservedAmountView = Shape('ReservedAmount', {
  amount: Text({
    max: 21,
    description: 'The USDC to send, to the last of six decimals: more than what is due, by less than a cent.',
  }),
  destinationAddress: Text(),
  mint: Text({ description: 'The token to send: USDC.' }),
  paymentUrl: Text({
    max: 2048,
    description:
      'A Solana Pay URL with address, amount and token alone, for wallets that refuse a reference.',
  }),
  expiresAt: Timestamp(),
});

/** The route by which payers ask for an amount that names their order. */
export function reservedAmountRoutes(app: App, parts: ReserveParts & { mint: string }): void {
  route(app, {
    method: 'POST',
    path: '/api/public/intents/{intentId}/reserved-amount',
    id: 'reservePublicPaymentAmount',
    sdk: 'publicIntents.reserveAmount',
    repeatable: true,
    tag: 'Paying',
    summary: 'Reserve an exact amount',
    description:
      'For exchanges and wallets that send neither reference nor memo: an amount that only this intent is paid by at this address. While the same is due, you get the same amount.',
    success: { status: 200, schema: ReservedAmountView, description: 'What to send, and where to.' },
    errors: ['NOT_FOUND', 'INVALID_STATE', 'RATE_LIMITED'],
    async handle({ params, request }) {
      const { intent, baseUnits } = await reserveAmount(parts, params.intentId!.toLowerCase(), request.ip);
      const { destinationAddress, expiresAt } = intent;
      const { mint } = parts;
      return {
        amount: toDecimal(baseUnits),
        destinationAddress,
        mint,
        paymentUrl: plainUrl({ destinationAddress, baseUnits, mint }),
        expiresAt,
      };
    },
  });
}
