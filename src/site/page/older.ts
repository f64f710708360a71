import type { DetailsFile } from '../../core/schemas/published/details-file.ts';
import { releaseAnchor } from '../render/addresses.ts';
import { announce, make, makeButton, releaseRow } from './dom.ts';
import { failure, readDetails } from './fetched-index.ts';
import { makeTable } from './tables.ts';

type Release = DetailsFile['releases'][number];

/** The releases that are too many for the page, on demand. */
export function setUpOlder(section: HTMLElement, component: string): void {
  const button = makeButton('', 'Show them here, by year', async () => {
    try {
      const { releases } = await readDetails(component);
      const older = releases.filter(({ version }) => !releaseRow(version)).reverse();
      // Years come in order as keys, and 0 before them.
      const byYear = Object.groupBy(older, ({ releaseTimestamp }) => parseInt(releaseTimestamp ?? '0'));
      button.replaceWith(
        ...Object.entries(byYear)
          .reverse()
          .map(([year, ofYear]) => foldOf(year, ofYear!)),
      );
    } catch (error) {
      button.textContent = failure(error);
      announce(button.textContent);
    }
  });
  section.append(button);
}

/** A year, whose releases are put into the page when it is opened. */
function foldOf(year: string, releases: readonly Release[]): HTMLElement {
  const name = Number(year) || 'Of no known day';
  const fold = make('details', {}, make('summary', {}, `${name}: ${releases.length}`));
  fold.addEventListener('toggle', () => fold.append(tableOf(releases)), { once: true });
  return fold;
}

function tableOf(releases: readonly Release[]): HTMLTableElement {
  const rows = releases.map(({ version, releaseTimestamp = '', changelogUrl: href, status }) => [
    make('a', { href: `#${releaseAnchor(version)}` }, version),
    [
      `${releaseTimestamp.slice(0, 10)} `,
      href ? make('a', { href, ariaLabel: `Notes of ${version}` }, 'Notes') : '',
    ],
    status,
  ]);
  const table = makeTable('releases', ['Version', 'Released', 'Support'], rows);
  for (const [at, { version }] of releases.entries()) table.rows[at + 1]!.id = releaseAnchor(version);
  return table;
}
