import { announce, find, findAll, make, on } from './dom.ts';

/** Buttons that show only components with a label, or group components by a label. */
export function setUpLabels(): void {
  for (const chips of findAll('.chips')) {
    setUpChips(chips, chips.id === 'group-by' ? grouping() : filter);
  }
}

/** One button is pressed at a time. The label of the first is empty. */
function setUpChips(chips: HTMLElement, choose: (label: string) => void): void {
  chips.hidden = false;

  on(chips, 'click', ({ target }) => {
    const button = (target as Element).closest<HTMLButtonElement>('button');
    if (!button) {
      return;
    }

    for (const each of findAll('button', chips)) {
      each.ariaPressed = String(each === button);
    }

    choose(button.dataset['label']!);
  });
}

function filter(label: string): void {
  for (const months of findAll('.months')) {
    months.classList.toggle('label-filter', label !== '');
  }

  const rows = findAll('.days li:not(:has(ul)), .past-ends li');

  for (const row of rows) {
    row.hidden = label !== '' && !labelsIn(row).includes(label);
  }

  const isEmpty = (part: Element) => !part.querySelector('li:not([hidden], :has(ul))');

  for (const day of findAll('.days > li:has(ul)')) {
    day.hidden = isEmpty(day);
  }

  for (const count of findAll('.strip .count')) {
    const month = document.getElementById(count.closest('a')!.hash.slice(1));
    if (month) {
      count.textContent = String(findAll('li:not([hidden], :has(ul))', month).length);
    }
  }

  announce(`${rows.filter(({ hidden }) => !hidden).length} shown`);
}

/** Groups the table of components and its links by a label. The build groups them by letter. */
function grouping(): (label: string) => void {
  const rows = findAll<HTMLTableRowElement>('#component-table [data-component]');
  const letters = new Map(rows.map((row) => [row, find('th', row.parentElement!).textContent]));

  return (label) => {
    const valueOf = (row: HTMLElement) =>
      labelsIn(row)
        .find((each) => each.startsWith(`${label}=`))
        ?.slice(label.length + 1) ?? `no ${label}`;

    const groups = Map.groupBy(rows, (row) => (label === '' ? letters.get(row)! : valueOf(row)));
    const names = [...groups.keys()].sort();

    const bodies = names.map((name, at) => {
      const heading = make('th', { colSpan: 5, scope: 'rowgroup' }, name);

      return make(
        'tbody',
        { id: `group-${at}` },
        make('tr', { className: 'group' }, heading),
        ...groups.get(name)!,
      );
    });

    const links = names.map((name, at) => make('a', { href: `#group-${at}` }, name));

    for (const body of findAll('#component-table tbody')) {
      body.remove();
    }

    find('#component-table').append(...bodies);
    find('.letters').replaceChildren(...links);
    announce(`${names.length} groups`);
  };
}

function labelsIn({ dataset }: HTMLElement): readonly string[] {
  return dataset['labels']?.split('\n') ?? [];
}
