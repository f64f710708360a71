import { make } from './dom.ts';

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
