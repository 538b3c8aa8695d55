/** For those who read sessions and change nothing of them. */
export { findSession } from './queries.ts';
