import { markup } from '../render/html/markup.ts';
import { rangeInWords, stateLabels } from '../../core/model/words.ts';
import type { Row } from '../../core/query/fields.ts';
import type { State } from '../../core/model/states.ts';
import { markDays } from '../render/html/end-view.ts';
import { makeMarkup } from './dom.ts';

/** More rows are too many to read. */
export const maxShown = 100;

/** The number of rows that are not shown, in words; empty if there are none. */
export function andMore(count: number): string {
  return count > 0 ? `and ${count.toLocaleString('en')} more` : '';
}

/** The releases that a query selected, at most `maxShown`. */
export function makeReleasesTable(releases: readonly Row[]): Node | undefined {
  const rows = releases.slice(0, maxShown).map((row) => {
    const question = encodeURIComponent(`${row.component as string} ${row.version}`);
    const ends = rangeInWords({ from: row.supportedUntil, atMost: row.supportedUntilAtMost });
    return markup`<tr><th scope="row"><a href="?q=${question}">${`${row.title} ${row.version}`}</a></th><td>${stateLabels[row.state as State]}</td><td>${markDays(releasedIn(row))}</td><td>${markDays(ends)}</td></tr>`;
  });
  if (rows.length === 0) {
    return undefined;
  }

  return makeMarkup(
    markup`<table class="results"><thead><tr><th scope="col">Release</th><th scope="col">Support</th><th scope="col">Released</th><th scope="col">Support ends</th></tr></thead><tbody>${rows}</tbody></table>`,
  );
}

function releasedIn({ releaseTimestamp, timestampKind }: Row): string {
  const day = releaseTimestamp?.slice(0, 10);
  return rangeInWords(timestampKind === 'observed' ? { atMost: day } : { from: day });
}
