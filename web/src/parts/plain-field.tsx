import { type ComponentProps, type ReactNode, useId } from 'react';
import { Icon } from './icon.tsx';
import styles from './plain-field.module.css';

interface PlainInputProps extends ComponentProps<'input'> {
  /** Above the field; one without has a name of its own. */
  label?: string;
  /** Content at the beginning of the field; `after` is at its end. */
  before?: ReactNode;
  after?: ReactNode;
}

/** The small fields of the first view. They look like the library's, which bring 15 KB of script along. */
export function PlainInput({ label, before, after, ...rest }: PlainInputProps) {
  const id = useId();
  return (
    <div>
      {label && <Label of={id}>{label}</Label>}
      <div className={styles.box}>
        {before && <span className={styles.before}>{before}</span>}
        <input id={id} className={styles.field} {...rest} />
        {after && <span className={styles.after}>{after}</span>}
      </div>
    </div>
  );
}

interface PlainSelectProps extends ComponentProps<'select'> {
  label: string;
  options: readonly { value: string; label: string }[];
}

export function PlainSelect({ label, options, ...rest }: PlainSelectProps) {
  const id = useId();
  return (
    <div className={styles.box}>
      <Label of={id}>{label}</Label>
      <div className={styles.box}>
        <select id={id} className={styles.field} {...rest}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <span className={styles.after}>
          <Icon name="choose" size={14} />
        </span>
      </div>
    </div>
  );
}

function Label({ of, children }: { of: string; children: string }) {
  return (
    <label htmlFor={of} className={styles.label}>
      {children}
    </label>
  );
}
