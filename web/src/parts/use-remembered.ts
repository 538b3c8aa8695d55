import { useState } from 'react';

/** Yes or no, kept in this browser; no until it is set. Without storage it lasts as long as the page. */
export function useRemembered(key: string): [is: boolean, remember: (is: boolean) => void] {
  const [is, set] = useState(() => read(key));
  return [
    is,
    (next) => {
      set(next);
      try {
        localStorage.setItem(key, String(next));
      } catch {}
    },
  ];
}

function read(key: string): boolean {
  try {
    return localStorage.getItem(key) === 'true';
  } catch {
    return false;
  }
}
