import type { Refund, RefundClaimLink } from '@florin/sdk';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { t } from '../words/t.ts';

/** Shown once: anyone with the link can name the address. */
export function ClaimLink({ url, onClose }: { url: string | undefined; onClose(): void }) {
  return (
    <SecretDialog title={t('Claim link')} secret={url} onClose={onClose}>
      {t(
        'Send it to this customer only: they enter the address the refund goes to, and you approve it before anything is sent. It won’t be shown again; a new link replaces it.',
      )}
    </SecretDialog>
  );
}

export function ClaimLinkButton({ refund }: { refund: Refund }) {
  const [url, setUrl] = useState<string>();
  const create = useAction<void, RefundClaimLink>({
    run: () => florin.refunds.createClaimLink(refund.id),
    onDone: (link) => setUrl(link.url),
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={() => create.mutate()} loading={create.isPending}>
        {refund.address === null ? t('Ask the customer') : t('Ask again')}
      </Button>
      <ClaimLink url={url} onClose={() => setUrl(undefined)} />
    </>
  );
}
