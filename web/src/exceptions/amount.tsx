import type { PaymentException } from '@florin/sdk';
import { Money, moneyText } from '../parts/money.tsx';
import { tokenText } from '../parts/token-text.ts';
import { t } from '../words/t.ts';

type Arrived = Pick<PaymentException, 'amountCents' | 'amountBaseUnits' | 'decimals' | 'mint'>;

/** `56.00 USDC`, or `56 of an unknown token (4KcX…8c9H)`: another token is never written as dollars. */
export function amountText(of: Arrived): string {
  if (of.amountCents !== null) return t('{amount} USDC', { amount: moneyText(of.amountCents) });
  const token = `${of.mint.slice(0, 4)}…${of.mint.slice(-4)}`;
  if (of.decimals === null) return t('An unknown token ({token})', { token });
  const amount = tokenText(of.amountBaseUnits, of.decimals);
  return t('{amount} of an unknown token ({token})', { amount, token });
}

export function Arrived({ of }: { of: Arrived }) {
  if (of.amountCents !== null) return <Money cents={of.amountCents} />;
  return (
    <span title={of.mint} style={{ whiteSpace: 'normal' }}>
      {amountText(of)}
    </span>
  );
}
