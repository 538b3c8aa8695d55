import type { CheckoutSession } from '@florin/sdk';
import { moneyText } from '../parts/money.tsx';
import { Time } from '../parts/time.tsx';
import styles from './timeline.module.css';

interface Step {
  text: string;
  at?: string | null;
  isAhead?: boolean;
}

/** What has become of a session so far, and what comes next. */
export function Timeline({ session }: { session: CheckoutSession }) {
  return (
    <ol className={styles.timeline}>
      {stepsOf(session).map(({ text, at, isAhead }) => (
        <li key={text} className={isAhead ? styles.ahead : undefined}>
          <span>{text}</span>
          {at && <Time at={at} />}
        </li>
      ))}
    </ol>
  );
}

function stepsOf(session: CheckoutSession): Step[] {
  const { status, paymentStatus, amountReceivedCents, expiresAt } = session;
  const steps: Step[] = [{ text: 'Opened', at: session.createdAt }];
  const isPart = BigInt(amountReceivedCents) > 0n && status !== 'complete';
  if (isPart) steps.push({ text: `${moneyText(amountReceivedCents)} USDC arrived, not all of it` });
  if (status === 'complete') {
    steps.push({ text: 'Paid', at: session.completedAt });
  } else if (status === 'expired') {
    steps.push({ text: 'Expired unpaid', at: expiresAt });
  } else if (status === 'canceled') {
    steps.push({ text: 'Canceled' });
  } else if (paymentStatus === 'processing') {
    steps.push(
      { text: 'A payment was seen' },
      { text: 'Waits until it is final, some seconds', isAhead: true },
    );
  } else {
    steps.push({
      text: isPart ? 'Waits for the rest, or expires' : 'Waits to be paid, or expires',
      at: expiresAt,
      isAhead: true,
    });
  }
  return steps;
}
