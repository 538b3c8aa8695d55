import type { Int64 } from '@florin/sdk';
import { Link } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { moneyText } from '../parts/money.tsx';
import { t } from '../words/t.ts';
import styles from './home-screen.module.css';

export interface NeedItem {
  id: string;
  name: string;
  to: string;
  cents: Int64;
  centsAre?: string;
  /** The payment whose buyer can get a reminder from here. */
  remindable?: string | undefined;
}

export interface Need {
  count: number;
  /** Only the first page of them was counted. */
  isMore?: boolean;
  /** For one, and for more. */
  text: [string, string];
  to: string;
  search?: Record<string, string | string[]>;
  /** All of them together, where all are known. */
  cents?: bigint;
  centsAre?: string;
  /** The first of them. */
  items?: readonly NeedItem[];
}

export function NeedRow({ need }: { need: Need }) {
  const { count, isMore, text, to, search, cents, centsAre, items = [] } = need;
  return (
    <>
      <Link to={to} search={search as never} data-row>
        <span className={styles.count}>{`${count}${isMore ? '+' : ''}`}</span> {text[count === 1 ? 0 : 1]}
        {cents !== undefined && <Amount cents={cents} are={centsAre} />}
      </Link>
      {items.length > 0 && (
        <ul className={styles.items}>
          {items.map((item) => (
            <Item key={item.id} item={item} />
          ))}
          {count > items.length && (
            <li className={styles.dim}>
              and {count - items.length}
              {isMore ? '+' : ''} more
            </li>
          )}
        </ul>
      )}
    </>
  );
}

function Item({ item: { name, to, cents, centsAre, remindable } }: { item: NeedItem }) {
  const { change } = useCan();
  return (
    <li>
      <Link to={to} className={styles.name}>
        {name}
      </Link>
      <Amount cents={cents} are={centsAre} />
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

function Amount({ cents, are }: { cents: Int64; are: string | undefined }) {
  return (
    <span className={styles.amount}>
      {moneyText(cents)} USDC{are && ` ${are}`}
    </span>
  );
}
