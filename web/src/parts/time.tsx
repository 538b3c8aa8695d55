const moment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

export const momentText = (at: string | Date) => moment.format(new Date(at));
export const dayText = (at: string | Date) => day.format(new Date(at));

/** Local time; pointing at it shows the exact moment in UTC. */
export function Time({ at }: { at: string | Date | null | undefined }) {
  if (!at) return <span>–</span>;
  const iso = new Date(at).toISOString();
  return (
    <time dateTime={iso} title={iso}>
      {momentText(at)}
    </time>
  );
}
