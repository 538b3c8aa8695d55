import type { Member } from '@florin/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { florin } from '../app/florin.ts';
import { useCan, useSession } from '../app/session.ts';
import { Section } from '../parts/detail-screen.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { SimpleTable } from '../parts/simple-table.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { t } from '../words/t.ts';
import { Invitations } from './invitations.tsx';
import { InviteButton } from './invite-button.tsx';
import { MemberActions } from './member-actions.tsx';
import { ROLE_NAMES } from './role-names.ts';
import { Security } from './security.tsx';
import { SettingsTabs } from './settings-tabs.tsx';

/** A link that is to be handed over, and what to say with it. */
export interface HandOver {
  url: string;
  text: string;
}

export default function MembersScreen() {
  const { own } = useCan();
  const { member: me } = useSession();
  const [link, setLink] = useState<HandOver>();
  const { data, error, refetch } = useQuery({ queryKey: ['members'], queryFn: () => florin.members.list() });
  const rowOf = (member: Member) => ({
    id: member.id,
    cells: [
      member.id === me.id ? t('{name} (you)', { name: member.name }) : member.name,
      member.email,
      ROLE_NAMES[member.role],
      <Status key="s" of={member.isActive ? 'active' : 'disabled'} />,
      <Time key="t" at={member.lastSignedInAt} />,
      ...(own ? [<MemberActions key="a" member={member} isMe={member.id === me.id} onLink={setLink} />] : []),
    ],
  });
  return (
    <>
      <SettingsTabs here="/settings/members" />
      {error ? (
        <Failed error={error} retry={refetch} />
      ) : !data ? (
        <Loading />
      ) : (
        <SimpleTable
          caption={t('Members')}
          titles={[t('Name'), t('E-mail'), t('Role'), t('Status'), t('Last signed in'), ...(own ? [''] : [])]}
          rows={data.map(rowOf)}
        />
      )}
      {own && (
        <Section title={t('Invitations')} actions={<InviteButton onLink={setLink} />}>
          <Invitations />
        </Section>
      )}
      {own && <Security />}
      <SecretDialog title={t('Share this link')} secret={link?.url} onClose={() => setLink(undefined)}>
        {link?.text} {t('It works once and won’t be shown again.')}
      </SecretDialog>
    </>
  );
}
