import { Text } from '@mantine/core';
import { useProjects } from '../billing/use-projects.ts';
import { Section } from '../parts/detail-screen.tsx';
import { To } from '../parts/to.tsx';
import { t } from '../words/t.ts';

/** The way to them while there is no more than one, when the side bar has none. */
export function ProjectsSection() {
  const { open } = useProjects();
  const [only] = open;
  return (
    <Section title={t('Projects')}>
      <Text c="dimmed" size="sm" mb="xs" maw={640}>
        {t(
          'A project has its own catalog, customers, invoice numbers, brand, limits and payout address. One is enough for most shops.',
        )}
      </Text>
      {open.length === 1 && only ? (
        <>
          <To to={`/projects/${only.id}`}>{only.name}</To>
          {' · '}
        </>
      ) : null}
      <To to="/projects">{t('All projects')}</To>
    </Section>
  );
}
