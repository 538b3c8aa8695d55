import type { Customer, PortalSession } from '@florin/sdk';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { momentText } from '../parts/time.tsx';
import { t } from '../words/t.ts';

/** A link into the portal as this customer. It is shown once: anyone who has it gets in. */
export function OpenPortal({ customer }: { customer: Customer }) {
  const [session, setSession] = useState<PortalSession>();
  const create = useAction<void, PortalSession>({
    run: () => florin.portalSessions.create({ projectId: customer.projectId, customerId: customer.id }),
    onDone: setSession,
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={() => create.mutate()} loading={create.isPending}>
        {t('Portal link')}
      </Button>
      <SecretDialog
        title={t('Customer portal link')}
        secret={session?.url}
        onClose={() => setSession(undefined)}
      >
        {session &&
          t(
            'Send it to this customer only: it opens their subscriptions, invoices and balance. It works once, expires on {time} and won’t be shown again.',
            { time: momentText(session.expiresAt) },
          )}
      </SecretDialog>
    </>
  );
}
