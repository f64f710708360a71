import type { Row } from '../../core/query/fields.ts';
import { releaseAnchor } from '../render/addresses.ts';
import { make } from './dom.ts';
import { andMore, makeTable, maxShown } from './tables.ts';

/** The releases that a query found, as far as somebody reads. */
export function foundTable(releases: readonly Row[]): (Node | string)[] {
  const rows = releases
    .slice(0, maxShown)
    .map(({ component, version, status, releaseTimestamp = '', supportedUntil = '' }) => [
      make('a', { href: releaseAddress(component as string, version!) }, `${component} ${version}`),
      status as string,
      releaseTimestamp.slice(0, 10),
      supportedUntil,
    ]);
  return rows[0]
    ? [
        makeTable('found', ['Release', 'Status', 'Released', 'Leaves support'], rows),
        make('p', {}, andMore(releases.length - rows.length)),
      ]
    : [];
}

/** Where a release is looked at, from the list of components. */
export function releaseAddress(component: string, version: string): string {
  return `${component}.html#${releaseAnchor(version)}`;
}
