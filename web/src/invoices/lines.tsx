import type { CheckoutSessionLine } from '@florin/sdk';
import { PlainTable } from '../parts/short-list.tsx';
import { t } from '../words/t.ts';
import { LINE_COLUMNS } from './line-columns.tsx';

/** Table of what was bought. Lines have no id of their own; they never move. */
export function Lines({ of }: { of: readonly CheckoutSessionLine[] }) {
  return (
    <PlainTable
      caption={t('Lines')}
      columns={LINE_COLUMNS}
      items={of}
      idOf={(line) => String(of.indexOf(line))}
    />
  );
}
