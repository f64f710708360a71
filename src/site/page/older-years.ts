import type { PublishedReleaseOn } from '../../ask/answers/details-on.ts';
import type { Day } from '../../core/model/dates.ts';
import { renderNoDay, renderReleaseTable } from '../render/html/release-rows.ts';
import { make, makeMarkup, releaseRow } from './dom.ts';
import { openSite } from './site-index.ts';

/** The releases of a component that its page omits, by year. */
export async function listOlderYears(component: string): Promise<HTMLElement[]> {
  const { releases, day } = (await openSite().details(component))!;
  const older = releases.filter(({ version }) => !releaseRow(version)).reverse();

  // Objects order integer keys, so the unknown year 0 comes first.
  const byYear = Object.groupBy(older, ({ releaseTimestamp }) => parseInt(releaseTimestamp ?? '0'));
  return Object.entries(byYear)
    .reverse()
    .map(([year, ofYear]) => renderYear(year, ofYear!, day));
}

/** A closed year. Its table is made when a person opens it. */
function renderYear(year: string, releases: readonly PublishedReleaseOn[], day: Day): HTMLElement {
  const name = year === '0' ? 'Release days unknown' : year;
  const showDay = year === '0' ? renderNoDay : undefined;
  const summary = make('summary', {}, `${name}: ${releases.length}`);
  const details = make('details', { className: 'fold releases' }, summary);
  details.addEventListener(
    'toggle',
    () => details.append(makeMarkup(renderReleaseTable(name, releases, day, showDay))),
    { once: true },
  );

  return details;
}
