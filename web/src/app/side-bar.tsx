import { Text, UnstyledButton } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { useId } from 'react';
import { Icon } from '../parts/icon.tsx';
import { useRemembered } from '../parts/use-remembered.ts';
import { tc } from '../words/t.ts';
import styles from './layout.module.css';
import { type Place, type PlaceGroup, usePlaces } from './navigation.ts';

export function SideBar() {
  return (
    <nav aria-label={tc('navigation', 'Main')}>
      {usePlaces().map((group) =>
        group.folded ? (
          <FoldedGroup key={group.title} group={group} />
        ) : (
          <div key={group.title ?? ''} className={styles.group}>
            {group.title && (
              <Text size="xs" c="dimmed" fw={600} px="sm" pb={4}>
                {group.title}
              </Text>
            )}
            <Places of={group.places} />
          </div>
        ),
      )}
    </nav>
  );
}

/** Closed until a member opens it, and open while one of its screens is shown. */
function FoldedGroup({ group: { title, folded, places } }: { group: PlaceGroup }) {
  const [isOpened, setOpened] = useRemembered(`florin-side-bar-${folded}`);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isOpen = isOpened || places.some((place) => isAt(path, place));
  const listId = useId();
  return (
    <div className={styles.group}>
      <UnstyledButton
        className={styles.fold}
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        onClick={() => setOpened(!isOpen)}
      >
        {title}
        <Icon name={isOpen ? 'fold' : 'unfold'} size={12} />
      </UnstyledButton>
      {isOpen && (
        <div id={listId}>
          <Places of={places} />
        </div>
      )}
    </div>
  );
}

function Places({ of }: { of: readonly Place[] }) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return of.map((place) => {
    const isHere = isAt(path, place);
    return (
      <Link
        key={place.to}
        to={place.to}
        className={styles.place}
        data-active={isHere || undefined}
        aria-current={isHere ? 'page' : undefined}
      >
        <Icon name={place.icon} />
        {place.label}
      </Link>
    );
  });
}

const isAt = (path: string, { to }: Place) =>
  to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`);
