import type { PublishedReleaseOn } from '../../ask/answers/details-on.ts';
import { markup } from '../render/html/markup.ts';
import { stateLabels } from '../../core/model/words.ts';
import { releaseAnchor } from '../../core/text/anchors.ts';
import { markDays } from '../render/html/end-view.ts';
import { announce, make, makeButton, releaseRow } from './dom.ts';
import { describeFailure } from './site-documents.ts';
import { loadAnswers } from './load-answers.ts';
import { makeTable } from './tables.ts';

/** A button that adds the older releases, which the page omits for its size. */
export function setUpOlderReleases(section: HTMLElement, component: string): void {
  const button = makeButton('', 'Show them here, by year', async () => {
    try {
      const { readComponent } = await loadAnswers();
      const { releases } = await readComponent(component);
      const older = releases.filter(({ version }) => !releaseRow(version)).reverse();

      // Objects order integer keys, so the unknown year 0 comes first.
      const byYear = Object.groupBy(older, ({ releaseTimestamp }) =>
        parseInt(releaseTimestamp ?? '0'),
      );

      button.replaceWith(
        ...Object.entries(byYear)
          .reverse()
          .map(([year, ofYear]) => renderYear(year, ofYear!)),
      );
    } catch (error) {
      button.textContent = describeFailure(error as Error);
      announce(button.textContent);
    }
  });

  section.append(button);
}

/** A closed year. Its table is made when a person opens it. */
function renderYear(year: string, releases: readonly PublishedReleaseOn[]): HTMLElement {
  const name = Number(year) || 'Release days unknown';
  const details = make('details', {}, make('summary', {}, `${name}: ${releases.length}`));

  details.addEventListener('toggle', () => details.append(renderTable(releases)), { once: true });

  return details;
}

function renderTable(releases: readonly PublishedReleaseOn[]): Node {
  const rows = releases.map(({ version, releaseTimestamp = '', changelogUrl: href, state }) => {
    const anchor = releaseAnchor(version);
    const notes = markup` <a href="${href ?? ''}" aria-label="Notes of ${version}">Notes</a>`;

    return markup`<tr id="${anchor}"><th scope="row"><a href="#${anchor}">${version}</a></th><td>${markDays(releaseTimestamp.slice(0, 10))}${href ? notes : ''}</td><td>${stateLabels[state]}</td></tr>`;
  });

  return makeTable('releases', ['Version', 'Released', 'Support'], rows);
}
