import type { Project } from '@florin/sdk';
import { Alert } from '@mantine/core';
import { useProjects } from '../billing/use-projects.ts';
import { t } from '../words/t.ts';

/** Says that another project issues the same invoice numbers in the name of the same seller; nothing where none does. */
export function SharedPrefix({ project }: { project: Project }) {
  const { all } = useProjects();
  const other = [...all.values()].find((each) => each.id !== project.id && isAlike(each, project));
  if (!other) return null;
  return (
    <Alert color="yellow" mb="sm">
      {t(
        '{project} has the same seller and the same invoice prefix, so two invoices can have the same number. Change one of the prefixes.',
        { project: other.name },
      )}
    </Alert>
  );
}

function isAlike(one: Project, two: Project): boolean {
  const sellerOf = ({ seller }: Project) => seller && `${seller.country} ${seller.legalName.toLowerCase()}`;
  return (
    sellerOf(one) !== null &&
    sellerOf(one) === sellerOf(two) &&
    one.settings.invoicePrefix === two.settings.invoicePrefix
  );
}
