import type { DetailsFile } from '../model/published/details-file.ts';
import { releaseAnchor } from '../render/addresses.ts';
import { make, makeButton } from './dom.ts';
import { failure, index } from './fetched-index.ts';
import { makeTable } from './tables.ts';

type Release = DetailsFile['releases'][number];

/** The releases that are too many for the page, on demand. */
export function setUpOlder(section: HTMLElement, component: string): void {
  const status = make('p', { role: 'status' });
  const button = makeButton('', 'Show them here, by year', async () => {
    try {
      const { releases } = await index.details(component);
      const older = releases.filter(({ version }) => !document.getElementById(releaseAnchor(version)));
      const years = Map.groupBy(older.reverse(), ({ releaseTimestamp = '' }) => releaseTimestamp.slice(0, 4));
      button.replaceWith(...[...years].sort(([a], [b]) => Number(b) - Number(a)).map(foldOf));
    } catch (error) {
      status.textContent = failure(error);
    }
  });
  section.append(button, status);
}

/** A year, whose releases are put into the page when it is opened. */
function foldOf([year, releases]: [string, Release[]]): HTMLElement {
  const fold = make('details', {}, make('summary', {}, `${year || 'Of no known day'}: ${releases.length}`));
  fold.addEventListener('toggle', () => fold.append(tableOf(releases)), { once: true });
  return fold;
}

function tableOf(releases: readonly Release[]): HTMLTableElement {
  const table = makeTable('releases', ['Version', 'Released', 'Support'], releases.map(cellsOf));
  for (const [at, row] of [...table.tBodies[0]!.rows].entries())
    row.id = releaseAnchor(releases[at]!.version);
  return table;
}

function cellsOf({ version, releaseTimestamp = '', changelogUrl, status }: Release): (Node | string)[] {
  const notes = changelogUrl
    ? [make('a', { href: changelogUrl, ariaLabel: `Notes of ${version}` }, 'Notes')]
    : [];
  return [
    make('a', { href: `#${releaseAnchor(version)}` }, version),
    make('span', {}, `${releaseTimestamp.slice(0, 10)} `, ...notes),
    status,
  ];
}
