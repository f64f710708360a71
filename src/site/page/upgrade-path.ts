import type { PublishedReleaseOn } from '../../ask/answers/component-on.ts';
import type { AnsweredVersion } from '../../ask/answers/version-answer.ts';
import { formatNumber } from '../../core/text/wording.ts';
import { markup, type Markup } from '../render/html/markup.ts';
import { renderDay } from '../render/html/release-table.ts';

/** More releases are too many to read. */
const maxBetween = 100;
/** From so many releases on, they are closed at first. */
const minClosed = 12;

/** The releases up to the target of a move, with days and notes; empty without a target. */
export function drawUpgradePath({ judged, details }: AnsweredVersion): Markup | string {
  const { between, target } = judged;
  if (!target) {
    return '';
  }

  // No upgrade may skip the stop, so it is always shown.
  const stop = judged.stop?.release.version;
  const shown = sortByMove(between, target, details.releases).filter(
    ({ version }, index) => index < maxBetween || version === stop,
  );
  const more = between.length - shown.length;
  const rest = more > 0 ? markup`<li>and ${formatNumber(more)} more</li>` : '';
  const stations = shown.map((release) => drawStation(release, chooseTag(release, stop)));
  const title =
    between.length > 0 ? `Releases between: ${formatNumber(between.length)}` : 'Release notes';
  const words = stop === undefined ? title : `Upgrade path to ${target.version}`;
  const className = stop === undefined ? 'route' : 'route by-stops';
  const open = shown.length < minClosed ? markup` open` : '';
  const list = markup`<ol>${stations}${rest}${drawStation(target, 'goal')}</ol>`;
  return markup`<details class="${className}"${open}><summary>${words}</summary>${list}</details>`;
}

/** Oldest first, but the other way for a move to an older version. `releases`: all of the component, oldest first. */
function sortByMove(
  between: readonly PublishedReleaseOn[],
  target: PublishedReleaseOn,
  releases: readonly PublishedReleaseOn[],
) {
  const [oldest] = between;
  const isBack = oldest && releases.indexOf(target) < releases.indexOf(oldest);
  return isBack ? between.toReversed() : between;
}

function chooseTag(
  { version, isDeprecated }: PublishedReleaseOn,
  stop: string | undefined,
): string {
  if (version === stop) {
    return 'go here first';
  }

  return isDeprecated ? 'deprecated' : '';
}

function drawStation(release: PublishedReleaseOn, tag: string): Markup {
  const { version, changelogUrl } = release;
  const name = markup`<b>${version}</b>${tag && markup` <span class="tag">${tag}</span>`}`;
  const notes =
    changelogUrl && markup`<a href="${changelogUrl}" aria-label="Notes of ${version}">Notes</a>`;
  return markup`<li><span>${name}</span><span class="note">${renderDay(release)}</span>${notes ?? ''}</li>`;
}
