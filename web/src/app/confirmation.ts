import { createQuestion } from './question.ts';

/** Question of the dialog in which members prove that it is them. */
export const confirmation = createQuestion();

/** Opens the dialog; true when the member has shown that it is them. */
export const askToConfirm = confirmation.ask;

/** True while the dialog is on top of everything else and handles Escape and Tab. */
export const useIsConfirming = confirmation.useIsOpen;
