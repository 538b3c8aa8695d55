import { Anchor, NativeSelect, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { T } from '../words/rich.tsx';
import { t } from '../words/t.ts';
import { useProjects } from './use-projects.ts';

/** Field for the project of something new; if there is none, a link to create one. */
export function ProjectField({ value, onChange }: { value?: string; onChange?(id: string): void }) {
  const { open, isRead } = useProjects();
  if (isRead && open.length === 0) {
    return (
      <Text size="sm">
        <T
          of="Everything you sell belongs to a project, and you don’t have one yet. {link}"
          link={
            <Anchor component={Link} to="/projects">
              {t('Create a project')}
            </Anchor>
          }
        />
      </Text>
    );
  }
  // Nothing to choose.
  if (open.length === 1) return <input type="hidden" name="projectId" value={open[0]!.id} />;
  return (
    <NativeSelect
      label={t('Project')}
      name="projectId"
      required
      value={value}
      onChange={onChange && ((event) => onChange(event.currentTarget.value))}
      data={open.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}

export function ProjectName({ id }: { id: string }) {
  const { all } = useProjects();
  return <>{all.get(id)?.name ?? '…'}</>;
}

export function ProjectLink({ id }: { id: string }) {
  return (
    <Anchor component={Link} to={`/projects/${id}`} size="sm">
      <ProjectName id={id} />
    </Anchor>
  );
}
