import type { PublishedReleaseOn } from '../../../ask/answers/component-on.ts';
import { cutDay, type Day } from '../../../core/model/dates.ts';
import { isInForceOn } from '../../../core/model/states.ts';
import { describeReason, stateLabels } from '../../../core/model/words.ts';
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
  | 'because'
  | 'security'
> & { readonly reasons?: readonly Reason[] | undefined };

/**
 * A table of releases, by the build and by the script. Each row has an address. Of neighbours that are deprecated for the same
 * reason, the first names it. `unknownDay`: the words for a release without a day, other than `day unknown`.
 */
export function renderReleaseTable(
  caption: string,
  releases: readonly TableRelease[],
  day: Day,
  unknownDay?: string,
): Markup {
  const rows: Markup[] = [];
  let reasonAbove = '';
  for (const release of releases) {
    const { version } = release;
    const reason = explainDeprecation(release, day);
    const notes = renderNotes(release, reason, reasonAbove);
    const cells = markup`<td>${renderDay(release, unknownDay)}</td><td>${notes}</td>`;
    rows.push(
      markup`<tr id="${nameReleaseAnchor(version)}"><th scope="row">${version}</th>${cells}</tr>\n`,
    );
    reasonAbove = reason;
  }

  return markup`<table>
<caption>${caption}</caption>
<thead><tr><th scope="col">Version</th><th scope="col">Released</th><th scope="col">Notes</th></tr></thead>
<tbody>
${rows}</tbody>
</table>`;
}

/** Why a release is or will be deprecated, apart from the support policy; empty without a reason. */
function explainDeprecation({ reasons = [] }: TableRelease, day: Day): string {
  const inForce = reasons.filter((reason) => isInForceOn(reason, day));
  const shown = inForce.length > 0 ? inForce : reasons.slice(0, 1);
  return shown.map((reason) => describeReason(reason, day)).join(' ');
}

/** The notes of a release; most have none. An equal reason in the row above is not repeated. */
function renderNotes(release: TableRelease, reason: string, reasonAbove: string): Markup[] {
  const { version, state, because, isDeprecated, isPrerelease, changelogUrl, security } = release;
  const notes: Markup[] = [];
  if (isPrerelease) {
    notes.push(markup`prerelease `);
  }
  if (reason !== '' && isDeprecated && state !== 'ended') {
    notes.push(markup`<b>${stateLabels[state].toLowerCase()}</b> `);
  }
  if (changelogUrl !== undefined) {
    const suffix = markup`<span class="visually-hidden"> of ${version}</span>`;
    notes.push(markup`<a href="${changelogUrl}">Notes${suffix}</a>`);
  }

  const newReason = reason === reasonAbove ? '' : reason;
  const text = [newReason, security].filter(Boolean).join(' ');
  if (text !== '') {
    const links = newReason === '' ? [] : because.map(({ url }) => drawLink('Read why', url));
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
