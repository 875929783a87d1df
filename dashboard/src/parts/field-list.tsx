import type { ReactNode } from 'react';
import style from './field-list.module.css';

export type Field = { readonly label: string; readonly value: ReactNode };

/** Names and values of one thing, two columns on a wide screen. Fields whose value is null are left out. */
export function FieldList({ fields }: { readonly fields: readonly Field[] }) {
  return (
    <dl className={style['list']}>
      {fields
        .filter(({ value }) => value !== null)
        .map(({ label, value }) => (
          <div key={label} className={style['field']}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
