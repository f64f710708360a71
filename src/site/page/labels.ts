import { announce, findAll, on } from './dom.ts';

/** Buttons that leave the components with a label, and show all again. */
export function setUpLabels(): void {
  for (const chips of findAll('#label-chips')) {
    chips.hidden = false;
    on(chips, 'click', ({ target }) => {
      const button = (target as Element).closest<HTMLButtonElement>('button');
      if (!button) return;
      const label = button.ariaPressed === 'true' ? undefined : button.dataset['label']!;
      for (const each of findAll<HTMLButtonElement>('button', chips))
        each.ariaPressed = String(each === button && label !== undefined);
      show(label);
    });
  }
}

function show(label: string | undefined): void {
  for (const months of findAll('.months')) months.classList.toggle('filtered', label !== undefined);
  const rows = findAll('[data-labels], tbody tr[data-component], .days li:not(:has(ul)), .ended li');
  for (const row of rows)
    row.hidden = label !== undefined && !row.dataset['labels']?.split('\n').includes(label);
  const isEmpty = (part: Element) => !part.querySelector('li:not([hidden], :has(ul))');
  for (const day of findAll('.days > li:has(ul)')) day.hidden = isEmpty(day);
  for (const count of findAll('.strip .count')) {
    const month = document.getElementById(count.closest('a')!.hash.slice(1));
    if (month) count.textContent = String(findAll('li:not([hidden], :has(ul))', month).length);
  }
  const shown = rows.filter(({ hidden }) => !hidden).length;
  announce(`${shown} shown`);
}
