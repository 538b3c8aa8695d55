export {
  updateNotUnapplied as clearUnapplied,
  updateUnapplied as markUnapplied,
} from './unapplied-queries.ts';
