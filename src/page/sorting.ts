import { makeButton } from './dom.ts';

const collator = new Intl.Collator('en', { numeric: true });

export function addSortButton(header: HTMLTableCellElement): void {
  header.replaceChildren(makeButton('sort', header.textContent, () => sortBy(header)));
}

/** The components of each group by a column; what has nothing there comes last either way. */
function sortBy(header: HTMLTableCellElement): void {
  const { ariaSort } = header;
  const order = ariaSort ? (ariaSort === 'ascending' ? 'descending' : 'ascending') : header.dataset['sort']!;
  for (const other of header.parentElement!.children) other.ariaSort = null;
  header.ariaSort = order;
  const sign = order === 'ascending' ? 1 : -1;
  const keyOf = (row: HTMLTableRowElement) => sortKey(row.cells[header.cellIndex]!);
  for (const group of header.closest('table')!.tBodies) {
    const rows = [...group.rows]
      .filter((row) => row.dataset['component'])
      .map((row) => ({ row, key: keyOf(row) }));
    rows.sort((a, b) =>
      a.key && b.key ? sign * collator.compare(a.key, b.key) : Number(!a.key) - Number(!b.key),
    );
    group.append(...rows.map(({ row }) => row));
  }
}

/** What a row is called, or its day. */
function sortKey(cell: HTMLTableCellElement): string {
  return cell.tagName === 'TH' ? cell.textContent : (cell.querySelector('time')?.dateTime ?? '');
}
