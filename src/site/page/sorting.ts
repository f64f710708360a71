import { naturalOrder } from '../../core/version.ts';
import { find, findAll, makeButton } from './dom.ts';

export function addSortButton(header: HTMLTableCellElement): void {
  header.replaceChildren(makeButton('sort', header.textContent, () => sortBy(header)));
}

/** Sorts the components of each group by a column; those without a value come last either way. */
function sortBy(header: HTMLTableCellElement): void {
  const { ariaSort, cellIndex } = header;
  const isReversed = (ariaSort ?? header.dataset['sort']) === (ariaSort ? 'ascending' : 'descending');
  for (const other of header.parentElement!.children) other.ariaSort = null;
  header.ariaSort = isReversed ? 'descending' : 'ascending';
  for (const group of header.closest('table')!.tBodies) {
    const rows = findAll<HTMLTableRowElement>('[data-component]', group).map((row) => {
      const cell = row.cells[cellIndex]!;
      // The name of the row, or its day.
      const sortKey = cellIndex ? find<HTMLTimeElement>('time', cell)?.dateTime : cell.textContent;
      return { row, sortKey };
    });
    rows.sort((a, b) =>
      a.sortKey && b.sortKey
        ? naturalOrder.compare(a.sortKey, b.sortKey) * (isReversed ? -1 : 1)
        : Number(!a.sortKey) - Number(!b.sortKey),
    );
    group.append(...rows.map(({ row }) => row));
  }
}
