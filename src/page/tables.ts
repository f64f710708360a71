import { make } from './dom.ts';

/** The first cell of a row names it. */
export function makeTable(
  className: string,
  headings: readonly string[],
  rows: readonly (readonly (Node | string)[])[],
): HTMLTableElement {
  const head = headings.map((heading) => make('th', { scope: 'col' }, heading));
  const body = rows.map(([name, ...cells]) =>
    make('tr', {}, make('th', { scope: 'row' }, name!), ...cells.map((cell) => make('td', {}, cell))),
  );
  return make('table', { className }, make('thead', {}, make('tr', {}, ...head)), make('tbody', {}, ...body));
}
