import type { Int64, Revenue } from '@florin/sdk';
import type { ReactNode } from 'react';
import { numberText } from '../billing/price-text.ts';
import { moneyText } from '../parts/money.tsx';
import { t, tn } from '../words/t.ts';
import styles from './home-screen.module.css';
import { changeText, churnText, percentText, periodText } from './revenue-text.ts';

/** The figures of a business, each beside the period before. */
export function Numbers({ revenue }: { revenue: Revenue }) {
  const { current, previous } = revenue;
  return (
    <>
      <dl className={styles.numbers}>
        <Figure
          title={t('Revenue')}
          main={<Cents of={current.netCents} />}
          change={changeText(current.netCents, previous.netCents)}
          more={
            Number(current.refundedCents) > 0
              ? t('{received} received, {refunded} refunded', {
                  received: moneyText(current.grossCents),
                  refunded: moneyText(current.refundedCents),
                })
              : t('Before: {value}', { value: moneyText(previous.netCents) })
          }
        />
        <Figure
          title={t('Payments')}
          main={numberText(current.paymentsCount)}
          change={changeText(current.paymentsCount, previous.paymentsCount)}
          more={t('Before: {value}', { value: numberText(previous.paymentsCount) })}
        />
        <Figure
          title={t('Checkouts paid')}
          main={percentText(current.checkoutsPaidCount, current.checkoutsOpenedCount)}
          more={tn(
            current.checkoutsOpenedCount,
            '{paid} of {count} opened; before: {previous}',
            '{paid} of {count} opened; before: {previous}',
            {
              paid: numberText(current.checkoutsPaidCount),
              previous: percentText(previous.checkoutsPaidCount, previous.checkoutsOpenedCount),
            },
          )}
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
        title={t('Monthly recurring revenue')}
        main={<Cents of={revenue.monthlyRecurringCents} />}
        more={tn(revenue.subscribersCount, '{count} subscriber now', '{count} subscribers now')}
      />
      <Figure
        title={t('Subscribers')}
        main={
          <span dir="ltr">{`+${numberText(current.newSubscribersCount)} −${numberText(current.lostSubscribersCount)}`}</span>
        }
        label={t('{gained} new, {lost} lost', {
          gained: numberText(current.newSubscribersCount),
          lost: numberText(current.lostSubscribersCount),
        })}
        more={t('Churn {current}; before: {previous}', {
          current: churnText(current),
          previous: churnText(previous),
        })}
      />
      <Figure
        title={t('Renewals, next 30 days')}
        main={<Cents of={renewals.cents} />}
        more={tn(
          renewals.count,
          '{count} expected, before discounts and added tax',
          '{count} expected, before discounts and added tax',
        )}
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
  /** Text that a screen reader reads in its place. */
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
