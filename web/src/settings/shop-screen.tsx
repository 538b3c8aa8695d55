import type { Brand, MerchantProfile } from '@florin/sdk';
import { Button, ColorSwatch, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { Facts, Section } from '../parts/detail-screen.tsx';
import { formValues } from '../parts/form-values.ts';
import { OnChain } from '../parts/on-chain.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { SettingsTabs } from './settings-tabs.tsx';

export default function ShopScreen() {
  const can = useCan();
  const brand = useQuery({ queryKey: ['brand'], queryFn: () => florin.merchant.retrieveBrand() });
  const profile = useQuery({ queryKey: ['profile'], queryFn: () => florin.merchant.retrieve() });
  const error = brand.error ?? profile.error;
  return (
    <>
      <SettingsTabs here="/settings" />
      {error ? (
        <Failed error={error} />
      ) : !brand.data || !profile.data ? (
        <Loading />
      ) : (
        <>
          {can.change ? (
            <BrandForm key={JSON.stringify(brand.data)} brand={brand.data} />
          ) : (
            <Facts
              of={[
                ['Name', brand.data.name],
                ['Brand colour', brand.data.brandColor],
              ]}
            />
          )}
          <PayoutAddress profile={profile.data} canChange={can.own} />
        </>
      )}
    </>
  );
}

const COLOR = /^#[0-9a-f]{6}$/i;

function BrandForm({ brand }: { brand: Brand }) {
  const [color, setColor] = useState(brand.brandColor ?? '');
  const save = useAction<{ name: string; brandColor: string | null }>({
    run: (body) => florin.merchant.updateBrand(body),
    done: 'Customers see it from now on.',
    refresh: ['brand', 'session'],
  });
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate({ name: formValues(event.currentTarget).text('name'), brandColor: color || null });
  };
  return (
    <form onSubmit={send}>
      <Stack maw={420}>
        <TextInput
          label="Name"
          description="What customers see."
          name="name"
          defaultValue={brand.name ?? ''}
          required
        />
        <TextInput
          label="Brand colour"
          description="Tints the pages your customers see. Optional."
          placeholder="#0b6b57"
          pattern="#[0-9a-fA-F]{6}"
          title="# and six digits or letters from a to f"
          value={color}
          onChange={(event) => setColor(event.currentTarget.value)}
          leftSection={<ColorSwatch size={16} color={COLOR.test(color) ? color : 'transparent'} />}
        />
        <Group>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function PayoutAddress({ profile, canChange }: { profile: MerchantProfile; canChange: boolean }) {
  return (
    <Section title="Payout address">
      <Text c="dimmed" mb="xs" maw={640}>
        Your own Solana address. Payments arrive there directly; Florin never holds a key to it.
      </Text>
      <Group>
        {profile.payoutAddress ? (
          <OnChain kind="address" text={profile.payoutAddress} label="payout address" />
        ) : (
          <Text fw={600}>None is set: nobody can pay you yet.</Text>
        )}
        {canChange && (
          <ActionDialogButton
            label={profile.payoutAddress ? 'Change the address' : 'Set the address'}
            button={{ variant: 'default' }}
            explanation="Counts for payments asked for from now on; open ones keep the address they were made with. Every owner is told by mail where mail is set up."
            action={{
              run: (given) => florin.merchant.updatePayoutAddress({ payoutAddress: given.text('address') }),
              done: 'New payments arrive there.',
              refresh: ['profile'],
            }}
          >
            <TextInput label="Solana address" name="address" autoComplete="off" spellCheck={false} required />
          </ActionDialogButton>
        )}
      </Group>
    </Section>
  );
}
