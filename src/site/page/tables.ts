import { rangeInWords, stateLabels } from '../../core/words.ts';
import type { Row } from '../../core/query/fields.ts';
import type { State } from '../../core/states.ts';
import { make, withDays } from './dom.ts';

/** More are too many to read. */
export const maxShown = 100;

/** That a list goes on beyond what is shown; empty where it does not. */
export function andMore(count: number): string {
  return count > 0 ? `and ${count.toLocaleString('en')} more` : '';
}

type Cell = Node | string | readonly (Node | string)[];

/** The first cell of a row names it. */
export function makeTable(
  className: string,
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
): HTMLTableElement {
  const head = headings.map((heading) => make('th', { scope: 'col' }, heading));
  const body = rows.map((cells) =>
    make(
      'tr',
      {},
      ...cells.map((cell, at) => make(at ? 'td' : 'th', at ? {} : { scope: 'row' }, ...[cell].flat())),
    ),
  );
  return make('table', { className }, make('thead', {}, make('tr', {}, ...head)), make('tbody', {}, ...body));
}

/** The releases that a query selected, as many as a person reads. */
export function makeReleasesTable(releases: readonly Row[]): Node[] {
  const rows = releases
    .slice(0, maxShown)
    .map((row) => [
      make(
        'a',
        { href: `?q=${encodeURIComponent(`${row.component as string} ${row.version}`)}` },
        `${row.title} ${row.version}`,
      ),
      stateLabels[row.state as State],
      withDays(releasedIn(row)),
      withDays(rangeInWords({ from: row.supportedUntil, atMost: row.supportedUntilAtMost })),
    ]);
  if (rows.length === 0) return [];
  return [makeTable('found', ['Release', 'Support', 'Released', 'Support ends'], rows)];
}

function releasedIn({ releaseTimestamp, timestampKind }: Row): string {
  const day = releaseTimestamp?.slice(0, 10);
  return rangeInWords(timestampKind === 'observed' ? { atMost: day } : { from: day });
}
