import { useNavigate } from '@tanstack/react-router';
import { lazy, useEffect, useRef, useState } from 'react';
import { listStepOf } from '../parts/list-step.ts';
import { OnceNeeded } from '../parts/once-needed.tsx';
import { usePlaces } from './navigation.ts';

const ShortcutList = lazy(() => import('./shortcut-list.tsx'));

const SECOND_KEY_MS = 1_500;

/** Keys that work everywhere but in a field; one of them opens the list of them. */
export function Shortcuts() {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const goAtMs = useRef(Number.NEGATIVE_INFINITY);
  const reachable = usePlaces().flatMap((group) => group.places);

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && isSearch(event.target)) (event.target as HTMLElement).blur();
      if (event.defaultPrevented) return;
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('[role="dialog"]') && event.key !== '?') return;
      const place = reachable.find(({ key }) => key === event.key);
      if (place && event.timeStamp - goAtMs.current < SECOND_KEY_MS) {
        void navigate({ to: place.to });
      } else if (event.key === '/') {
        document.querySelector<HTMLInputElement>('[data-search]')?.focus();
      } else if (event.key === 'c' || event.key === 'n') {
        document.querySelector<HTMLElement>('[data-create]')?.click();
      } else if (event.key === '?') {
        setOpen((open) => !open);
      } else if (!moveInList(event.key)) {
        goAtMs.current = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
        return;
      }
      goAtMs.current = Number.NEGATIVE_INFINITY;
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [navigate, reachable]);

  return (
    <OnceNeeded isNeeded={isOpen}>
      {(isShown) => <ShortcutList isOpen={isShown} onClose={() => setOpen(false)} />}
    </OnceNeeded>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable="true"]');
}

function isSearch(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('[data-search]');
}

/** Up and down go from row to row; whether the key was one of them. */
function moveInList(key: string): boolean {
  const step = listStepOf(key);
  if (!step) return false;
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  if (rows.length === 0) return false;
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = at === -1 ? (step === 1 ? 0 : rows.length - 1) : at + step;
  rows[Math.max(0, Math.min(next, rows.length - 1))]!.focus();
  return true;
}
