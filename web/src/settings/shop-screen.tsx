import type { Brand } from '@florin/sdk';
import { Anchor, Button, ColorSwatch, Group, Image, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { Facts, Section } from '../parts/detail-screen.tsx';
import { formValues } from '../parts/form-values.ts';
import { ImageField, LOGO_HINT, logoSource } from '../parts/image-field.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { t } from '../words/t.ts';
import { NetworkFeesSection } from './network-fees.tsx';
import { PayoutAddressSection } from './payout-address.tsx';
import { ProjectsSection } from './projects-section.tsx';
import { SettingsTabs } from './settings-tabs.tsx';
import { TimeZoneSection } from './time-zone.tsx';

export default function ShopScreen() {
  const can = useCan();
  const brand = useQuery({ queryKey: ['brand'], queryFn: () => florin.merchant.retrieveBrand() });
  return (
    <>
      <SettingsTabs here="/settings" />
      {brand.error ? (
        <Failed error={brand.error} />
      ) : !brand.data ? (
        <Loading />
      ) : (
        <>
          {can.change ? (
            <BrandForm key={JSON.stringify(brand.data)} brand={brand.data} />
          ) : (
            <Facts
              of={[
                [t('Name'), brand.data.name],
                [t('Brand color'), brand.data.brandColor],
              ]}
            />
          )}
          <Logo brand={brand.data} />
          <PayoutAddressSection />
          <TimeZoneSection />
          <NetworkFeesSection />
          <ProjectsSection />
          {can.change && <FirstStepsSection />}
        </>
      )}
    </>
  );
}

function FirstStepsSection() {
  return (
    <Section title={t('First steps')}>
      <Anchor component={Link} to="/" search={{ steps: 'all' } as never} size="sm">
        {t('Show the first steps on the home page')}
      </Anchor>
    </Section>
  );
}

function Logo({ brand: { logoUrl } }: { brand: Brand }) {
  const can = useCan();
  return (
    <Section title={t('Logo')}>
      {logoUrl ? (
        <Image
          src={logoSource(logoUrl)}
          alt={t('Your logo')}
          w="auto"
          h={48}
          maw={220}
          fit="contain"
          bg="white"
        />
      ) : (
        <Text size="sm">{t('No logo. Pages show the first letter of your name.')}</Text>
      )}
      {can.change && (
        <ImageField
          noun="logo"
          hasImage={logoUrl !== null}
          hint={LOGO_HINT}
          set={(file) => florin.merchant.setLogo(file)}
          remove={() => florin.merchant.removeLogo()}
          without="the first letter of your name"
          refresh={['brand']}
        />
      )}
    </Section>
  );
}

const COLOR = /^#[0-9a-f]{6}$/i;

function BrandForm({ brand }: { brand: Brand }) {
  const [color, setColor] = useState(brand.brandColor ?? '');
  const save = useAction<{ name: string; brandColor: string | null }>({
    run: (body) => florin.merchant.updateBrand(body),
    done: t('Saved.'),
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
          label={t('Name')}
          description={t('Shown to customers.')}
          name="name"
          defaultValue={brand.name ?? ''}
          required
        />
        <TextInput
          label={t('Brand color')}
          description={t('Used on the pages your customers see. Optional.')}
          placeholder="#0b6b57"
          pattern="#[0-9a-fA-F]{6}"
          title={t('A hex color such as #0b6b57')}
          value={color}
          onChange={(event) => setColor(event.currentTarget.value)}
          leftSection={<ColorSwatch size={16} color={COLOR.test(color) ? color : 'transparent'} />}
        />
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t('Save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
