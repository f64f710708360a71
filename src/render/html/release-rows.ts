import type { JudgedRelease } from '../../policy/judge.ts';
import type { Reason } from '../../policy/reason.ts';
import { isNumeric } from '../../version.ts';
import { areAlike, makeOnceForAlike } from '../alike.ts';
import { releaseAnchor } from '../anchors.ts';
import { statusOf } from '../../policy/release-status.ts';
import { pieceLength } from '../pieces.ts';
import { escapeHtml } from './escape.ts';
import type { ReleaseTable } from './release-tables.ts';
import { basisOf } from './words.ts';
import { sentence } from '../../text.ts';

/**
 * `{{> release-rows}}` in a template: what stands in the place of a table's rows until the page is written. No text of a page
 * holds a control character.
 */
export function rowsPlace({ id }: ReleaseTable): string {
  return `\0${id}\0`;
}

/**
 * A page in pieces, the rows of its tables in their places. They are not made by a template: a large index has a million
 * of them, and the general machinery would take more time for them than a build takes for all else.
 */
export function* withReleaseRows(html: string, tables: readonly ReleaseTable[]): Generator<string> {
  for (const part of html.split('\0')) {
    const table = tables.find(({ id }) => id === part);
    if (table) yield* renderRows(table);
    else yield part;
  }
}

function* renderRows({ groups }: ReleaseTable): Generator<string> {
  const renderRow = rowRenderer();
  let html = '';
  for (const releases of groups) {
    html += '<tbody>\n';
    for (let at = 0; at < releases.length; at += 1) {
      html += renderRow(releases[at]!);
      if (html.length < pieceLength) continue;
      yield html;
      html = '';
    }
    html += '</tbody>\n';
  }
  yield html;
}

function rowRenderer(): (release: JudgedRelease) => string {
  const sharedCells = makeOnceForAlike(haveSameCells, shareCells);
  return (release) => {
    const { releaseDay, changelogUrl } = release;
    const isPlain = isNumeric(release.parsed);
    const anchor = isPlain ? `v${release.version}` : releaseAnchor(release.version);
    const version = isPlain ? release.version : escapeHtml(release.version);
    const { afterAnchor, afterVersion, afterDay } = sharedCells(release);
    const day = releaseDay === undefined ? '' : `${releaseDay}">${releaseDay}`;
    const changelog =
      changelogUrl === undefined
        ? notStated
        : `${escapeHtml(changelogUrl)}">Changelog<span class="visually-hidden"> of ${version}</span></a></td></tr>\n`;
    return `<tr id="${anchor}${afterAnchor}${anchor}">${version}${afterVersion}${day}${afterDay}${changelog}`;
  };
}

const notStated = 'not stated</td></tr>\n';

/** Whether `shareCells` says the same of both. */
function haveSameCells(a: JudgedRelease, b: JudgedRelease): boolean {
  return areAlike(a, b) && (a.changelogUrl === undefined) === (b.changelogUrl === undefined);
}

/** What stands between the texts of a release's own. Only a day that is known is of a kind. */
function shareCells(release: JudgedRelease) {
  const { line, isPrerelease, timestampKind, changelogUrl, reasons } = release;
  const status = statusOf(release);
  const why = `${whyOf(release)}${reasons.map(renderLink).join('')}`;
  const [beforeDay, afterDay] = timestampKind ? ['<time datetime="', '</time>'] : ['not stated', ''];
  return {
    afterAnchor: `" data-status="${status}"><th scope="row"><a href="#`,
    afterVersion: `</a></th><td><span class="status">${status}</span>${isPrerelease ? ' prerelease' : ''}</td><td>${beforeDay}`,
    afterDay:
      `${afterDay}</td><td>${basisOf(timestampKind)}</td><td>${line}</td><td>${why}</td><td>` +
      (changelogUrl === undefined ? '' : '<a href="'),
  };
}

function renderLink({ url }: Reason): string {
  return url === undefined ? '' : ` <a href="${escapeHtml(url)}">Read why</a>`;
}

function whyOf({ reasons, upcoming }: JudgedRelease): string {
  return reasons.length > 0 ? reasons.map(reasonText).join(' ') : outlook(upcoming[0]);
}

function reasonText({ text, from }: Reason): string {
  const words = sentence(text);
  return escapeHtml(words + since(words, from));
}

/** Nothing where the sentence has just said the day. */
function since(words: string, from: string | undefined): string {
  if (from === undefined) return ' Since when is not stated.';
  return words.endsWith(` ${from}.`) ? '' : ` Since ${from}.`;
}

/** What will happen to a release that one may still use. */
function outlook(next: Reason | undefined): string {
  if (!next) return 'No end stated.';
  if (next.rule === 'support policy') return `Leaves support on ${next.from}.`;
  return `Deprecated from ${next.from} on: ${escapeHtml(sentence(next.text))}`;
}
