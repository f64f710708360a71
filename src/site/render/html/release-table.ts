import type { PublishedReleaseOn } from '../../../ask/answers/component-on.ts';
import { cutDay, type Day } from '../../../core/model/dates.ts';
import { isInForceOn } from '../../../core/model/states.ts';
import { describeReason, nameState } from '../../../core/model/words.ts';
import type { Reason } from '../../../core/schemas/published/reason.ts';
import { nameReleaseAnchor } from './anchors.ts';
import { drawDay, drawLink, markDays, markup, type Markup } from './markup.ts';

type TableRelease = Pick<
  PublishedReleaseOn,
  | 'version'
  | 'releaseTimestamp'
  | 'timestampKind'
  | 'changelogUrl'
  | 'isPrerelease'
  | 'isDeprecated'
  | 'state'
  | 'security'
> & { readonly reasons?: readonly Reason[] | undefined };

/**
 * A table of releases, for the build and for the script. Each row has an anchor. A row does not repeat the reasons of the row above if
 * all of them, and their links, are the same. `unknownDay`: the words for a release without a day, by default `day unknown`.
 */
export function renderReleaseTable(
  caption: string,
  releases: readonly TableRelease[],
  day: Day,
  unknownDay?: string,
): Markup {
  const rows: Markup[] = [];
  let explanationAbove = '';
  for (const release of releases) {
    const { version } = release;
    const shown = listShownReasons(release, day);
    const reason = shown.map((each) => describeReason(each, day)).join(' ');
    const explanation = [reason, ...shown.map(({ url }) => url)].join(' ');
    const notes = renderNotes(release, reason, explanation === explanationAbove ? [] : shown);
    const cells = markup`<td>${renderDay(release, unknownDay)}</td><td>${notes}</td>`;
    rows.push(
      markup`<tr id="${nameReleaseAnchor(version)}"><th scope="row">${version}</th>${cells}</tr>\n`,
    );
    explanationAbove = explanation;
  }

  return markup`<table>
<caption>${caption}</caption>
<thead><tr><th scope="col">Version</th><th scope="col">Released</th><th scope="col">Notes</th></tr></thead>
<tbody>
${rows}</tbody>
</table>`;
}

/** Why a release is or will be deprecated, apart from the support policy. */
function listShownReasons({ reasons = [] }: TableRelease, day: Day): readonly Reason[] {
  const inForce = reasons.filter((reason) => isInForceOn(reason, day));
  return inForce.length > 0 ? inForce : reasons.slice(0, 1);
}

/**
 * The notes of a release; most have none. `reason`: why it is deprecated, or empty. `newReasons`: the parts of it, unless the row
 * above has them.
 */
function renderNotes(
  release: TableRelease,
  reason: string,
  newReasons: readonly Reason[],
): Markup[] {
  const { version, state, isDeprecated, isPrerelease, changelogUrl, security } = release;
  const notes: Markup[] = [];
  if (isPrerelease) {
    notes.push(markup`prerelease `);
  }
  // The label of an ended line is not that of the release.
  if (reason !== '' && isDeprecated && state !== 'ended') {
    notes.push(markup`<b>${nameState(state)}</b> `);
  }
  if (changelogUrl !== undefined) {
    const suffix = markup`<span class="visually-hidden"> of ${version}</span>`;
    notes.push(markup`<a href="${changelogUrl}">Notes${suffix}</a>`);
  }

  const text = [newReasons.length > 0 ? reason : '', security].filter(Boolean).join(' ');
  if (text !== '') {
    const links = newReasons.map(({ url }) => drawLink('Read why', url));
    notes.push(markup`<p class="note">${markDays(text)}${links}</p>`);
  }

  return notes;
}

/** The day of a release, in every table and list of releases. */
export function renderDay(
  {
    releaseTimestamp,
    timestampKind,
  }: { releaseTimestamp?: string | undefined; timestampKind?: unknown },
  unknownDay = 'day unknown',
): Markup | string {
  if (releaseTimestamp === undefined) {
    return unknownDay;
  }

  return drawDay({ day: cutDay(releaseTimestamp), isObserved: timestampKind === 'observed' });
}
