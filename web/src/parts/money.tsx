import type { Int64 } from '@florin/sdk';
import { moneyText } from './money-text.ts';

export { moneyText, parseMoney, requireMoney } from './money-text.ts';

export function Money({ cents }: { cents: Int64 }) {
  return (
    <span className="money" dir="ltr">
      {moneyText(cents)} <small>USDC</small>
    </span>
  );
}
