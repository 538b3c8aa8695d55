/** For those who read a customer's movements and make none. */
export { listPostings } from './queries.ts';
