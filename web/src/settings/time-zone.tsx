import { NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { Section } from '../parts/detail-screen.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { t } from '../words/t.ts';

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** Section on the time zone in which the dashboard shows times and counts days. */
export function TimeZoneSection() {
  const can = useCan();
  const profile = useQuery({ queryKey: ['profile'], queryFn: () => florin.merchant.retrieve() });
  const save = useAction<string>({
    run: (timeZone) => florin.merchant.update({ timeZone }),
    done: t('Saved.'),
    refresh: ['profile', 'stats', 'session'],
  });
  const zone = profile.data?.timeZone;
  return (
    <Section title={t('Time zone')}>
      {profile.error ? (
        <Failed error={profile.error} />
      ) : zone === undefined ? (
        <Loading lines={1} />
      ) : can.change ? (
        <NativeSelect
          maw={420}
          label={t('Times and days in the dashboard')}
          description={t(
            'Every time is shown in this time zone, and each day begins at its midnight. Invoices stay in UTC.',
          )}
          value={zone}
          disabled={save.isPending}
          onChange={(event) => save.mutate(event.currentTarget.value)}
          data={(ZONES.includes(zone) ? ZONES : [zone, ...ZONES]).map((name) => ({
            value: name,
            label: name.replaceAll('_', ' '),
          }))}
        />
      ) : (
        <Text size="sm">{zone.replaceAll('_', ' ')}</Text>
      )}
    </Section>
  );
}
