/** For those who read sessions and change nothing of them. */
export { findSession, findSessions } from './queries.ts';
