import { markup } from '../render/html/markup.ts';
import { announce, fill, find, findAll, on } from './dom.ts';

/** Buttons that group the components by a label. One is pressed at a time. The first has no label: the build groups by letter. */
export function setUpLabels(chips: HTMLElement): void {
  const rows = findAll<HTMLTableRowElement>('#component-table [data-component]');
  const letters = new Map(rows.map((row) => [row, find('th', row.parentElement!).textContent]));
  chips.hidden = false;

  on(chips, 'click', ({ target }) => {
    const button = (target as Element).closest<HTMLButtonElement>('button');
    if (!button) {
      return;
    }

    for (const each of findAll('button', chips)) {
      each.ariaPressed = String(each === button);
    }

    const label = button.dataset['label']!;
    showGroups(
      Map.groupBy(rows, (row) => (label === '' ? letters.get(row)! : readLabel(row, label))),
    );
  });
}

function readLabel({ dataset }: HTMLElement, label: string): string {
  const labels = dataset['labels']?.split('\n') ?? [];
  const value = labels.find((each) => each.startsWith(`${label}=`));
  return value?.slice(label.length + 1) ?? `no ${label}`;
}

/** Shows the rows of components and the links to them by group. */
function showGroups(groups: ReadonlyMap<string, readonly HTMLElement[]>): void {
  const table = find('#component-table');
  const bodies = findAll('tbody', table);
  const heading = find('.group', table);
  const names = [...groups.keys()].sort();
  const links = names.map((name, index) => markup`<a href="#group-${String(index)}">${name}</a>`);

  for (const [index, name] of names.entries()) {
    const group = bodies[0]!.cloneNode() as HTMLElement;
    group.id = `group-${index}`;
    group.append(heading.cloneNode(true), ...groups.get(name)!);
    find('th', group).textContent = name;
    table.append(group);
  }

  for (const body of bodies) {
    body.remove();
  }

  fill(find('.letters'), ...links);
  announce(`${names.length} groups`);
}
