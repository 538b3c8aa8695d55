import { Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { ScreenTitle } from '../parts/screen-title.tsx';
import { t } from '../words/t.ts';

const TABS = [
  ['/settings', t('Shop')],
  ['/settings/members', t('Members')],
  ['/settings/account', t('Your account')],
] as const;

export function SettingsTabs({ here }: { here: (typeof TABS)[number][0] }) {
  const navigate = useNavigate();
  return (
    <>
      <ScreenTitle title={t('Settings')} />
      <Tabs value={here} onChange={(to) => to && void navigate({ to })} mb="md">
        <Tabs.List aria-label={t('Settings')}>
          {TABS.map(([to, label]) => (
            <Tabs.Tab key={to} value={to} aria-controls={undefined}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
    </>
  );
}
