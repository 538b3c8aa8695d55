import { createQuestion } from './question.ts';

/** Whether the member has just shown that it is them. */
export const confirmation = createQuestion();

/** Opens the dialog; true when the member has shown that it is them. */
export const askToConfirm = confirmation.ask;

/** Whether the dialog is on top of everything else: then it handles Escape and Tab. */
export const useIsConfirming = confirmation.useIsOpen;
