import type { PublishedReleaseOn } from '../../../ask/answers/details-on.ts';
import { cutDay, type Day } from '../../../core/model/dates.ts';
import { isInForceOn } from '../../../core/model/states.ts';
import { describeReason, stateLabels } from '../../../core/model/words.ts';
import type { Reason } from '../../../core/schemas/published/reason.ts';
import { formatCount } from '../../../core/text/wording.ts';
import type { JudgedRelease } from '../../../decide/judge.ts';
import { describeSecurity } from '../../../decide/sentences.ts';
import { nameReleaseAnchor } from './anchors.ts';
import { drawDay, drawLink, markDays, markup, type Markup } from './markup.ts';

/** The table of releases that the build judged. `unknownDay`: the words for a release without a day. */
export function createReleaseTable(
  caption: string,
  releases: readonly JudgedRelease[],
  day: Day,
  unknownDay?: string,
): Markup {
  const rows = releases.map((release) => ({
    ...release,
    security: describeSecurity(release).join(' '),
  }));
  return renderReleaseTable(caption, rows, day, unknownDay);
}

export function describeLeftOut(count: number): string {
  return count > 0 ? formatCount(count, 'older release') : '';
}

/** The facts of a row. */
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

/** A table of releases, by the build and by the script. Each row has an address. Of neighbours with the same reason, the first names it. */
export function renderReleaseTable(
  caption: string,
  releases: readonly TableRelease[],
  day: Day,
  unknownDay?: string,
): Markup {
  const rows: Markup[] = [];
  let reasonAbove: string | undefined;
  for (const release of releases) {
    const { version } = release;
    const reason = describeReasons(release, day);
    const notes = renderNotes(release, reason, reasonAbove);
    rows.push(
      markup`<tr id="${nameReleaseAnchor(version)}"><th scope="row">${version}</th><td>${renderDay(release, unknownDay)}</td><td>${notes}</td></tr>\n`,
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
function describeReasons({ reasons = [] }: TableRelease, day: Day): string {
  const inForce = reasons.filter((reason) => isInForceOn(reason, day));
  const shown = inForce.length > 0 ? inForce : reasons.slice(0, 1);
  return shown.map((reason) => describeReason(reason, day)).join(' ');
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

/** The notes of a release, most of which have none. `reasonAbove`: of the row above, which names an equal reason. */
function renderNotes(release: TableRelease, reason: string, reasonAbove?: string): Markup[] {
  const { version, state, because, isDeprecated, isPrerelease, changelogUrl } = release;
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

  const { security = '' } = release;
  const isRepeated = reason === reasonAbove;
  const text = isRepeated ? security : `${reason} ${security}`.trim();
  if (text !== '') {
    const links = isRepeated ? [] : because.map(({ url }) => drawLink('Read why', url));
    notes.push(markup`<p class="note">${markDays(text)}${links}</p>`);
  }

  return notes;
}
