/** For those who are about to ask for money. */
export { hasMoney, isSettling, listSettling } from './settling-queries.ts';
