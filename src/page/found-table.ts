import type { Row } from '../query/fields.ts';
import { releaseAnchor } from '../render/addresses.ts';
import { make } from './dom.ts';

const maxShown = 100;

/** The releases that a query found, as far as somebody reads. */
export function foundTable(releases: readonly Row[]): Node[] {
  const headings = ['Release', 'Status', 'Released', 'Leaves support'];
  const rows = releases.slice(0, maxShown).map(({ component, version, status, ...row }) => {
    const link = make('a', { href: releaseAddress(component!, version!) }, `${component} ${version}`);
    const cells = [status, row.releaseTimestamp?.slice(0, 10), row.supportedUntil];
    return make(
      'tr',
      {},
      make('th', { scope: 'row' }, link),
      ...cells.map((cell) => make('td', {}, String(cell ?? ''))),
    );
  });
  const more = releases.length - rows.length;
  const table = make(
    'table',
    {},
    make('thead', {}, make('tr', {}, ...headings.map((heading) => make('th', { scope: 'col' }, heading)))),
    make('tbody', {}, ...rows),
  );
  return [table, ...(more > 0 ? [make('p', {}, `and ${more.toLocaleString('en')} more`)] : [])];
}

/** Where a release is looked at, from the list of components. */
export function releaseAddress(component: string, version: string): string {
  return `${component}.html#${releaseAnchor(version)}`;
}
