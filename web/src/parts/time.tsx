import { timeZone, useTimeZone } from '../app/time-zone.ts';
import { dateLocale } from '../words/language.ts';

const FORMS = {
  moment: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  exact: { dateStyle: 'medium', timeStyle: 'medium' },
} as const;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Made once for each zone: a list has hundreds of times. */
function formatOf(form: keyof typeof FORMS, zone: string): Intl.DateTimeFormat {
  const key = `${form} ${zone}`;
  const made = formats.get(key) ?? new Intl.DateTimeFormat(dateLocale, { ...FORMS[form], timeZone: zone });
  formats.set(key, made);
  return made;
}

export const momentText = (at: string | Date) => formatOf('moment', timeZone()).format(new Date(at));

/** Time on the merchant's clock; pointing at it shows the time zone, and the time in UTC. */
export function Time({ at }: { at: string | Date | null | undefined }) {
  const zone = useTimeZone();
  if (!at) return <span>–</span>;
  const moment = new Date(at);
  const iso = moment.toISOString();
  return (
    <time dateTime={iso} title={`${formatOf('exact', zone).format(moment)} ${zoneText(zone)}\n${iso}`}>
      {formatOf('moment', zone).format(moment)}
    </time>
  );
}

/** `America/New_York` → America/New York. */
export const zoneText = (zone: string) => zone.replaceAll('_', ' ');
