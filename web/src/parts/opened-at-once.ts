import { createContext, useContext } from 'react';

/** Set where a dialog is opened by something other than its own button, such as a menu. It is open at once, and has no button. */
export const OpenedAtOnce = createContext<{ onClose(): void } | null>(null);

export const useOpenedAtOnce = () => useContext(OpenedAtOnce);
