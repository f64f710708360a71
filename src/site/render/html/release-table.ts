import type { Reason } from '../../../core/schemas/published/reason.ts';
import { cutDay, type Day } from '../../../core/model/dates.ts';
import { isInForceOn, type State } from '../../../core/model/states.ts';
import { reasonInWords, stateLabels } from '../../../core/model/words.ts';
import { releaseAnchor } from '../../../core/text/anchors.ts';
import { drawDay, markDays } from './end-view.ts';
import { markup, type Markup } from './markup.ts';

/** A release as the build judged it, or as `details/` says it. */
export interface TableRelease {
  readonly version: string;
  readonly releaseTimestamp?: string | undefined;
  readonly timestampKind?: 'observed' | 'published' | undefined;
  readonly changelogUrl?: string | undefined;
  readonly isPrerelease: boolean;
  readonly isDeprecated: boolean;
  readonly state: State;
  readonly reasons?: readonly Reason[] | undefined;
  readonly because: readonly Reason[];
  /** Sentences on its advisories. */
  readonly security?: string | undefined;
}

/** Every table of releases, of the build and of the script: a row for each, with its address. Of neighbours with the same reason, the first names it. */
export function renderReleaseTable(
  caption: string,
  releases: readonly TableRelease[],
  day: Day,
  isDayShown = true,
): Markup {
  const reasons = releases.map((release) => describeReasons(release, day));

  const rows = releases.map((release, place) => {
    const { version } = release;
    const on = isDayShown ? renderDay(release) : '';
    const notes = renderNotes(release, reasons[place]!, reasons[place] === reasons[place - 1]);

    return markup`<tr id="${releaseAnchor(version)}"><th scope="row">${version}</th><td>${on}</td><td>${notes}</td></tr>\n`;
  });

  return markup`<table>
<caption>${caption}</caption>
<thead><tr><th scope="col">Version</th><th scope="col">Released</th><th scope="col">Notes</th></tr></thead>
<tbody>
${rows}</tbody>
</table>`;
}

/** Why a release is or will be deprecated, apart from the support policy; empty without a reason. */
function describeReasons({ reasons = [] }: TableRelease, day: Day): string {
  const { now = [], next = [] } = Object.groupBy(reasons, (reason) =>
    isInForceOn(reason, day) ? 'now' : 'next',
  );

  return [...now, ...(now.length > 0 ? [] : next.slice(0, 1))]
    .map((reason) => reasonInWords(reason, day))
    .join(' ');
}

function renderDay({ releaseTimestamp, timestampKind }: TableRelease): Markup | string {
  if (releaseTimestamp === undefined) {
    return 'day unknown';
  }

  return drawDay({ day: cutDay(releaseTimestamp), isObserved: timestampKind === 'observed' });
}

/** Empty for most releases. */
function renderNotes(release: TableRelease, reason: string, isRepeated: boolean): Markup[] {
  const { version, because, isDeprecated, isPrerelease, changelogUrl, security = '' } = release;
  const of = markup`<span class="visually-hidden"> of ${version}</span>`;
  const why = `${isRepeated ? '' : reason} ${security}`.trim();
  const links = isRepeated ? [] : because.map(({ url }) => url);
  const notes: Markup[] = [];

  if (isPrerelease) {
    notes.push(markup`prerelease `);
  }

  if (reason !== '' && isDeprecated && release.state !== 'ended') {
    notes.push(markup`<b>${stateLabels[release.state].toLowerCase()}</b> `);
  }

  if (changelogUrl !== undefined) {
    notes.push(markup`<a href="${changelogUrl}">Notes${of}</a>`);
  }

  if (why !== '') {
    const reasonLinks = links
      .filter((url) => url !== undefined)
      .map((url) => markup` <a href="${url}">Read why</a>`);

    notes.push(markup`<p class="note">${markDays(why)}${reasonLinks}</p>`);
  }

  return notes;
}
