import type { LimitUse, Project } from '@florin/sdk';
import { Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { numberText } from '../billing/price-text.ts';
import { Copyable } from '../parts/copyable.tsx';
import { DetailScreen, Facts, Section } from '../parts/detail-screen.tsx';
import { moneyText } from '../parts/money.tsx';
import { PendingPayoutChangeNote } from '../parts/pending-payout-change.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { feeModeText } from '../settings/network-fees.tsx';
import { locale } from '../words/language.ts';
import { t, tc, tn } from '../words/t.ts';
import { ChangeSettings } from './change-settings.tsx';
import { ProjectBrand } from './project-brand.tsx';
import { ArchiveProject, ChangeLimits, ChangePayout, RenameProject } from './project-forms.tsx';
import styles from './project-screen.module.css';
import { ProjectSeller } from './project-seller.tsx';

export default function ProjectScreen() {
  const can = useCan();
  const navigate = useNavigate();
  return (
    <DetailScreen<Project>
      name="projects"
      load={(id) => florin.projects.retrieve(id)}
      back={{ to: '/projects', label: t('Projects') }}
      title={({ name }) => name}
      badge={({ archivedAt }) => archivedAt && <Status of="archived" />}
      actions={(project) =>
        can.change &&
        !project.archivedAt && (
          <>
            <RenameProject project={project} />
            <ArchiveProject project={project} onDone={() => void navigate({ to: '/projects' })} />
          </>
        )
      }
    >
      {(project) => <ProjectParts project={project} />}
    </DetailScreen>
  );
}

function ProjectParts({ project }: { project: Project }) {
  const can = useCan();
  const { settings } = project;
  const isOpen = !project.archivedAt;
  return (
    <>
      <Facts
        of={[
          [t('Created'), <Time key="c" at={project.createdAt} />],
          [t('Updated'), <Time key="u" at={project.updatedAt} />],
          [t('Project ID'), <Copyable key="i" text={project.id} label={t('project ID')} />],
          ...(project.archivedAt ? [[t('Archived'), <Time key="a" at={project.archivedAt} />] as const] : []),
        ]}
      />
      <ProjectBrand project={project} />
      <ProjectSeller project={project} canChange={can.change && isOpen} />
      <Section title={t('Payout address')} actions={can.own && isOpen && <ChangePayout project={project} />}>
        {project.payoutAddress ? (
          <Copyable text={project.payoutAddress} label={t('payout address')} short={false} />
        ) : (
          t('Your main address, as set in Settings.')
        )}
        <PendingPayoutChangeNote change={project.pendingChange} refresh={['projects']}>
          {project.pendingChange?.payoutAddress
            ? t('New address: {address}.', { address: project.pendingChange.payoutAddress })
            : t('The project will use your main address again.')}
        </PendingPayoutChangeNote>
      </Section>
      {project.portalSignInUrl && (
        <Section title={t('Customer portal')}>
          <p>{t('Customers sign in here by e-mail. Link to it from your website.')}</p>
          <Copyable text={project.portalSignInUrl} label={t('sign-in address')} short={false} />
        </Section>
      )}
      <Section
        title={t('Limits this month')}
        actions={can.change && isOpen && <ChangeLimits project={project} />}
      >
        <Limits project={project} />
      </Section>
      <Section title={t('Settings')} actions={can.change && isOpen && <ChangeSettings project={project} />}>
        <Facts
          of={[
            [t('Renewal invoice'), tn(settings.renewalLeadDays, '{count} day before', '{count} days before')],
            [t('Grace period'), daysText(settings.gracePeriodDays)],
            [
              t('Reminders'),
              settings.reminderDays.length
                ? t('{days} before', { days: and.format(settings.reminderDays.map(daysText)) })
                : tc('reminders', 'None'),
            ],
            [t('Invoice prefix'), settings.invoicePrefix],
            [t('Credits per unit of usage'), creditsLine(settings.usageCredits)],
            [
              t('Low balance'),
              settings.lowBalanceCredits === null
                ? t('Off')
                : tn(settings.lowBalanceCredits, '{count} credit', '{count} credits'),
            ],
            [
              t('Network fee'),
              settings.sponsorFees ? feeModeText(settings.sponsorFees) : t('As in your settings'),
            ],
            [t('Support e-mail'), settings.supportEmail ?? tc('address', 'None')],
            [tc('legal', 'Terms'), settings.termsUrl ?? tc('legal', 'None')],
            [t('Customers sign in by e-mail'), settings.portalSignIn ? t('Yes') : t('No')],
            [t('Websites with your checkout'), settings.embedOrigins.join(', ') || tc('websites', 'None')],
            [
              t('Refunds by assistants'),
              BigInt(settings.agentRefundLimitCents) === 0n
                ? tc('refunds', 'None')
                : t('Up to {amount} USDC per payment', {
                    amount: moneyText(settings.agentRefundLimitCents),
                  }),
            ],
          ]}
        />
      </Section>
    </>
  );
}

const and = new Intl.ListFormat(locale);

const daysText = (days: number) => tn(days, '{count} day', '{count} days');

const creditsLine = (credits: Record<string, number>) =>
  Object.entries(credits)
    .map(([metric, cost]) => `${metric} ${cost}`)
    .join(', ') || tc('price', 'Free');

function Limits({ project }: { project: Project }) {
  const { monthlyVolumeLimitCents: volume, monthlyRequestLimit: requests } = project;
  const isLimited = volume !== null || requests !== null;
  const { data } = useQuery({
    queryKey: ['limits', project.id],
    queryFn: () => florin.billing.overview({ projectId: project.id }),
    enabled: isLimited,
    refetchInterval: 30_000,
  });
  if (!isLimited) return t('No limits.');
  const use = data?.limits.find(({ projectId }) => projectId === project.id);
  return (
    <div className={styles.limits}>
      {volume !== null && (
        <Bar
          label={t('Volume')}
          used={use?.volumeCents}
          limit={volume}
          text={(value) => `${moneyText(value)} USDC`}
        />
      )}
      {requests !== null && (
        <Bar label={t('Requests')} used={use?.requestCount} limit={requests} text={numberText} />
      )}
    </div>
  );
}

interface BarProps {
  label: string;
  used: LimitUse['volumeCents'] | undefined;
  limit: LimitUse['volumeCents'];
  text(value: number | bigint): string;
}

function Bar({ label, used = 0, limit, text }: BarProps) {
  const share = BigInt(limit) === 0n ? 100 : Number((BigInt(used) * 100n) / BigInt(limit));
  return (
    <div>
      <div className={styles.bar}>
        <span>{label}</span>
        <span>{t('{used} of {limit}', { used: text(used), limit: text(limit) })}</span>
      </div>
      <Progress.Root>
        <Progress.Section
          value={Math.min(share, 100)}
          color={share >= 90 ? 'red' : 'green'}
          aria-label={t('{label}: {share} % used', { label, share })}
        />
      </Progress.Root>
    </div>
  );
}
