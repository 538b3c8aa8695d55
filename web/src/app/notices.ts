/** A file of its own, so that the store, which actions write to, is not fetched together with what shows it. */
export { Notifications as default } from '@mantine/notifications';
