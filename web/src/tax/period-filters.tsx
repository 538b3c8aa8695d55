import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useNow } from '../app/now.ts';
import { useProjects } from '../billing/use-projects.ts';
import { useAddressSearch } from '../parts/use-search.ts';
import { t, tc } from '../words/t.ts';
import { isoDay, type Period, usualPeriods } from './periods.ts';

interface PeriodFiltersProps {
  of: Omit<Period, 'label'> & { projectId: string | undefined };
  hasProjects: boolean;
  /** Label of the choice of no project, if that is possible. */
  allProjects?: string;
}

/** Chooses the project and the days of a report, in the address. */
export function PeriodFilters({ of, hasProjects, allProjects }: PeriodFiltersProps) {
  const { all } = useProjects();
  const [, change] = useAddressSearch();
  const periods = usualPeriods(useNow());
  const usual = periods.findIndex(({ from, to }) => from === of.from && to === of.to);
  const projects = [...all.values()].map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Group gap="xs" align="end" mb="md">
      {hasProjects && (
        <NativeSelect
          size="xs"
          label={t('Project')}
          value={of.projectId ?? ''}
          onChange={(event) => change({ projectId: event.currentTarget.value || undefined })}
          data={allProjects === undefined ? projects : [{ value: '', label: allProjects }, ...projects]}
          maw="100%"
        />
      )}
      <NativeSelect
        size="xs"
        label={t('Period')}
        value={String(usual)}
        onChange={(event) => {
          const chosen = periods[Number(event.currentTarget.value)];
          if (chosen) change({ from: chosen.from, to: chosen.to });
        }}
        data={[
          ...(usual === -1 ? [{ value: '-1', label: t('Own dates') }] : []),
          ...periods.map(({ label }, at) => ({ value: String(at), label })),
        ]}
      />
      <Day label={tc('time span', 'From')} day={of.from} onChange={(from) => change({ from, to: of.to })} />
      <Day label={tc('time span', 'To')} day={of.to} onChange={(to) => change({ from: of.from, to })} />
    </Group>
  );
}

function Day({ label, day, onChange }: { label: string; day: string; onChange(day: string): void }) {
  return (
    <TextInput
      size="xs"
      type="date"
      label={label}
      value={day}
      onChange={(event) => isoDay(event.currentTarget.value) && onChange(event.currentTarget.value)}
    />
  );
}
