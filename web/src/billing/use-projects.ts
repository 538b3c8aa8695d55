import type { Project } from '@florin/sdk';
import { useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';
import type { Filter } from '../parts/list-screen.tsx';
import { useAddressSearch } from '../parts/use-search.ts';
import { t } from '../words/t.ts';

const MAX = 500;

/** Every project by its id, including archived ones: what they sold still shows their name. */
export function useProjects(): { all: ReadonlyMap<string, Project>; open: Project[]; isRead: boolean } {
  const { data } = useQuery({
    queryKey: ['projects', 'all'],
    queryFn: async () => {
      const [open, archived] = await Promise.all([
        florin.projects.list({ limit: 100 }).toArray({ limit: MAX }),
        florin.projects.list({ limit: 100, archived: true }).toArray({ limit: MAX }),
      ]);
      return [...open, ...archived];
    },
    // Every row uses it; a change made here is still visible immediately.
    staleTime: 30_000,
  });
  const all = data ?? [];
  return {
    all: new Map(all.map((project) => [project.id, project])),
    open: all.filter(({ archivedAt }) => archivedAt === null),
    isRead: data !== undefined,
  };
}

/** Filters set by another screen's link. They are shown, so that a filtered list is not mistaken for the whole. */
const LINKED: Record<string, string> = {
  customerId: t('Customer ID'),
  subscriptionId: t('Subscription ID'),
  priceId: t('Price ID'),
  paymentLinkId: t('Payment link ID'),
};

/** The project filter, if there is more than one project, and the ids in the URL. */
export function useOwnerFilters(): readonly Filter[] {
  const { all } = useProjects();
  const [search] = useAddressSearch();
  const labels = Object.fromEntries([...all.values()].map(({ id, name }) => [id, shortName(name)]));
  const linked = Object.keys(LINKED).filter((name) => search[name] !== undefined);
  return [
    ...(all.size > 1
      ? [
          {
            kind: 'choice',
            name: 'projectId',
            label: t('Project'),
            options: [...all.keys()],
            labels,
          } as const,
        ]
      : []),
    ...linked.map((name) => ({ kind: 'text', name, label: LINKED[name]! }) as const),
  ];
}

/** A field is as wide as its longest choice. */
const shortName = (name: string) => (name.length <= 32 ? name : `${name.slice(0, 31)}…`);
