import type { Int64 } from '@florin/sdk';
import { Link } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { moneyText } from '../parts/money.tsx';
import { t, tn } from '../words/t.ts';
import styles from './home-screen.module.css';

export interface NeedItem {
  id: string;
  name: string;
  to: string;
  cents: Int64;
  /** The amount is what was not paid. */
  isMissing?: boolean;
  /** The payment whose buyer can get a reminder from here. */
  remindable?: string | undefined;
}

export interface Need {
  count: number;
  /** Only the first page of them was counted. */
  isMore?: boolean;
  /** Name of the items; the number comes before it. */
  text: string;
  to: string;
  search?: Record<string, string | string[]>;
  /** All of them together, where all are known. */
  cents?: bigint;
  isMissing?: boolean;
  /** The first of them. */
  items?: readonly NeedItem[];
}

export function NeedRow({ need }: { need: Need }) {
  const { count, isMore, text, to, search, cents, isMissing, items = [] } = need;
  const unnamed = count - items.length;
  return (
    <>
      <Link to={to} search={search as never} data-row>
        <span className={styles.count}>{`${count}${isMore ? '+' : ''}`}</span> {text}
        {cents !== undefined && <Amount cents={cents} isMissing={isMissing} />}
      </Link>
      {items.length > 0 && (
        <ul className={styles.items}>
          {items.map((item) => (
            <Item key={item.id} item={item} />
          ))}
          {unnamed > 0 && (
            <li className={styles.dim}>
              {isMore
                ? tn(unnamed, 'and {count}+ more', 'and {count}+ more')
                : tn(unnamed, 'and {count} more', 'and {count} more')}
            </li>
          )}
        </ul>
      )}
    </>
  );
}

function Item({ item: { name, to, cents, isMissing, remindable } }: { item: NeedItem }) {
  const { change } = useCan();
  return (
    <li>
      <Link to={to} className={styles.name}>
        {name}
      </Link>
      <Amount cents={cents} isMissing={isMissing} />
      {change && remindable && (
        <ActionDialogButton
          label={t('Send reminder')}
          explanation={t('The customer gets an e-mail with the link to pay the remaining {amount} USDC.', {
            amount: moneyText(cents),
          })}
          button={{ variant: 'default', size: 'compact-xs' }}
          action={{
            run: async () => {
              await florin.intents.remind(remindable);
            },
            done: t('The reminder is on its way.'),
            refresh: ['invoices'],
          }}
        />
      )}
    </li>
  );
}

function Amount({ cents, isMissing }: { cents: Int64; isMissing: boolean | undefined }) {
  const amount = moneyText(cents);
  return (
    <span className={styles.amount}>
      {isMissing ? t('{amount} USDC missing', { amount }) : `${amount} USDC`}
    </span>
  );
}
