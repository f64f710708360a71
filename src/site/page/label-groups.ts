import { announce, find, findAll, make, on } from './dom.ts';

/** Buttons that group the components by a label. One is pressed at a time. The label of the first is empty. */
export function setUpLabels(chips: HTMLElement): void {
  const group = grouping();
  chips.hidden = false;

  on(chips, 'click', ({ target }) => {
    const button = (target as Element).closest<HTMLButtonElement>('button');
    if (!button) {
      return;
    }

    for (const each of findAll('button', chips)) {
      each.ariaPressed = String(each === button);
    }

    group(button.dataset['label']!);
  });
}

/** Groups the table of components and its links by a label. The build groups them by letter. */
function grouping(): (label: string) => void {
  const rows = findAll<HTMLTableRowElement>('#component-table [data-component]');
  const letters = new Map(rows.map((row) => [row, find('th', row.parentElement!).textContent]));

  return (label) => {
    const readValue = (row: HTMLElement) =>
      labelsIn(row)
        .find((each) => each.startsWith(`${label}=`))
        ?.slice(label.length + 1) ?? `no ${label}`;

    const groups = Map.groupBy(rows, (row) => (label === '' ? letters.get(row)! : readValue(row)));
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
