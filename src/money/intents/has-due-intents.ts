export { hasDueIntents } from './queries.ts';
