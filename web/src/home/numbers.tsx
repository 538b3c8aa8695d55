import type { Int64, Revenue } from '@florin/sdk';
import type { ReactNode } from 'react';
import { numberText } from '../billing/price-text.ts';
import { moneyText } from '../parts/money.tsx';
import styles from './home-screen.module.css';
import { changeText, churnText, percentText, periodText } from './revenue-text.ts';

/** The figures of a business, each beside the period before. */
export function Numbers({ revenue }: { revenue: Revenue }) {
  const { current, previous } = revenue;
  return (
    <>
      <dl className={styles.numbers}>
        <Figure
          title="Revenue"
          main={<Cents of={current.netCents} />}
          change={changeText(current.netCents, previous.netCents)}
          more={
            Number(current.refundedCents) > 0
              ? `${moneyText(current.grossCents)} received, ${moneyText(current.refundedCents)} refunded`
              : `Before: ${moneyText(previous.netCents)}`
          }
        />
        <Figure
          title="Payments"
          main={numberText(current.paymentsCount)}
          change={changeText(current.paymentsCount, previous.paymentsCount)}
          more={`Before: ${numberText(previous.paymentsCount)}`}
        />
        <Figure
          title="Checkouts paid"
          main={percentText(current.checkoutsPaidCount, current.checkoutsOpenedCount)}
          more={`${numberText(current.checkoutsPaidCount)} of ${numberText(current.checkoutsOpenedCount)} opened; before: ${percentText(previous.checkoutsPaidCount, previous.checkoutsOpenedCount)}`}
        />
        {hasSubscribers(revenue) && <SubscriptionFigures revenue={revenue} />}
      </dl>
      <p className={styles.compared}>{periodText(revenue)}</p>
    </>
  );
}

/** A shop that sells no subscriptions has nothing to read here. */
function hasSubscribers({ subscribersCount, current, previous, renewals }: Revenue): boolean {
  const counts = [
    subscribersCount,
    current.lostSubscribersCount,
    previous.lostSubscribersCount,
    renewals.count,
  ];
  return counts.some((count) => Number(count) > 0);
}

function SubscriptionFigures({ revenue }: { revenue: Revenue }) {
  const { current, previous, renewals } = revenue;
  return (
    <>
      <Figure
        title="Monthly recurring revenue"
        main={<Cents of={revenue.monthlyRecurringCents} />}
        more={`${numberText(revenue.subscribersCount)} ${Number(revenue.subscribersCount) === 1 ? 'subscriber' : 'subscribers'} now`}
      />
      <Figure
        title="Subscribers"
        main={`+${numberText(current.newSubscribersCount)} −${numberText(current.lostSubscribersCount)}`}
        label={`${numberText(current.newSubscribersCount)} new, ${numberText(current.lostSubscribersCount)} lost`}
        more={`Churn ${churnText(current)}; before: ${churnText(previous)}`}
      />
      <Figure
        title="Renewals, next 30 days"
        main={<Cents of={renewals.cents} />}
        more={`${numberText(renewals.count)} expected, before discounts and tax`}
      />
    </>
  );
}

function Cents({ of }: { of: Int64 }) {
  return (
    <>
      {moneyText(of)} <small>USDC</small>
    </>
  );
}

interface FigureProps {
  title: string;
  main: ReactNode;
  /** What a screen reader says in place of it. */
  label?: string;
  change?: { text: string; tone: 'up' | 'down' | 'same' } | undefined;
  more: string;
}

function Figure({ title, main, label, change, more }: FigureProps) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <span className={styles.main} aria-hidden={label !== undefined}>
          {main}
        </span>
        {label && <span className={styles.unseen}>{label}</span>}
        {change && (
          <span className={styles.change} data-tone={change.tone}>
            {change.text}
          </span>
        )}
        <span className={styles.more}>{more}</span>
      </dd>
    </div>
  );
}
