import type { MerchantProfile } from '@florin/sdk';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useAction } from '../app/action.ts';
import { askToConfirm } from '../app/confirmation.ts';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { formValues } from '../parts/form-values.ts';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { t } from '../words/t.ts';

/** Settings of the endpoint that every merchant has: its URL and its signing secret. */
export function WebhookSetting() {
  const can = useCan();
  const { data: profile, error } = useQuery({
    queryKey: ['profile'],
    queryFn: () => florin.merchant.retrieve(),
  });
  if (error) return <Failed error={error} />;
  if (!profile) return <Loading lines={2} />;
  if (!can.change) return null;
  return (
    <Stack gap="sm" mb="xl" maw={720}>
      {can.own && <UrlForm key={profile.webhookUrl} url={profile.webhookUrl ?? ''} />}
      <Secret profile={profile} />
    </Stack>
  );
}

function UrlForm({ url }: { url: string }) {
  const save = useAction<string>({
    run: (webhookUrl) => florin.merchant.updateWebhook({ webhookUrl }),
    done: t('Webhook URL saved.'),
    refresh: ['profile', 'webhook-endpoints'],
  });
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate(formValues(event.currentTarget).text('url'));
  };
  return (
    <form onSubmit={send}>
      <Group align="end" gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          label={t('Endpoint URL')}
          name="url"
          type="url"
          defaultValue={url}
          placeholder="https://shop.example/webhooks/florin"
          required
        />
        <Button type="submit" variant="default" loading={save.isPending}>
          {t('Save')}
        </Button>
        {url !== '' && (
          <ActionDialogButton
            label={t('Remove URL')}
            submit={t('Remove')}
            explanation={t(
              'No webhooks are sent until you add another URL. Events are kept, and your server can still list them.',
            )}
            isDangerous
            button={{ size: 'sm' }}
            action={{
              run: () => florin.merchant.removeWebhook(),
              done: t('Webhook URL removed.'),
              refresh: ['profile', 'webhook-endpoints'],
            }}
          />
        )}
      </Group>
    </form>
  );
}

function Secret({ profile }: { profile: MerchantProfile }) {
  const [fresh, setFresh] = useState<string>();
  const show = useAction({
    run: async () => {
      if (!(await askToConfirm())) return;
    },
    refresh: ['profile'],
  });
  return (
    <Group gap="xs">
      {profile.webhookSecret === null ? (
        <Button size="xs" variant="default" onClick={() => show.mutate()}>
          {t('Show secret')}
        </Button>
      ) : (
        <>
          <Text size="sm" c="dimmed">
            {t('Signed with')}
          </Text>
          <Copyable text={profile.webhookSecret} label={t('webhook secret')} />
        </>
      )}
      <ActionDialogButton
        label={t('Change secret')}
        explanation={t(
          'For 24 hours, every webhook carries two signatures: one with the old secret and one with the new. Update your server within that time.',
        )}
        button={{ variant: 'default' }}
        action={{
          run: () => florin.merchant.generateWebhookSecret(),
          refresh: ['profile'],
          onDone: ({ webhookSecret }) => setFresh(webhookSecret),
        }}
      />
      <SecretDialog title={t('New webhook secret')} secret={fresh} onClose={() => setFresh(undefined)}>
        {t('Your server uses it to verify webhooks. The old secret stays valid for 24 hours.')}
      </SecretDialog>
    </Group>
  );
}
