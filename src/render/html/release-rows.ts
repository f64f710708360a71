import { dayOf } from '../../dates.ts';
import type { JudgedRelease } from '../../policy/judge.ts';
import type { Reason } from '../../policy/reason.ts';
import { releaseAnchor } from '../anchors.ts';
import { statusOf } from '../details-file.ts';
import { escapeHtml } from './escape.ts';
import type { ReleaseTable } from './release-tables.ts';
import { basisOf, endSentence } from './words.ts';

/**
 * The rows of a table of releases, `{{> release-rows}}` in a template. Not a template itself: a large index has a million
 * of them, and the general machinery would take more time for them than a build takes for all else.
 */
export function renderReleaseRows({ groups }: ReleaseTable): string {
  let html = '';
  for (const releases of groups) {
    html += '<tbody>\n';
    for (const release of releases) html += renderRow(release);
    html += '</tbody>\n';
  }
  return html;
}

function renderRow(release: JudgedRelease): string {
  const { isPrerelease, releaseTimestamp, timestampKind, changelogUrl, reasons } = release;
  const anchor = releaseAnchor(release.version);
  const version = escapeHtml(release.version);
  const status = statusOf(release);
  const day = releaseTimestamp === undefined ? 'not stated' : renderDay(dayOf(releaseTimestamp));
  const prerelease = isPrerelease ? ' prerelease' : '';
  const changelog =
    changelogUrl === undefined
      ? 'not stated'
      : `<a href="${escapeHtml(changelogUrl)}">Changelog<span class="visually-hidden"> of ${version}</span></a>`;
  return (
    `<tr id="${anchor}" data-status="${status}"><th scope="row"><a href="#${anchor}">${version}</a></th>` +
    `<td><span class="status">${status}</span>${prerelease}</td>` +
    `<td>${day}</td><td>${basisOf(timestampKind)}</td><td>${release.line}</td>` +
    `<td>${why(release)}${reasons.map(renderLink).join('')}</td><td>${changelog}</td></tr>\n`
  );
}

function renderDay(day: string): string {
  return `<time datetime="${day}">${day}</time>`;
}

function renderLink({ url }: Reason): string {
  return url === undefined ? '' : ` <a href="${escapeHtml(url)}">Read why</a>`;
}

function why({ reasons, upcoming }: JudgedRelease): string {
  return reasons.length > 0 ? reasons.map(reasonText).join(' ') : outlook(upcoming[0]);
}

/** The releases of a line share the reason of the line. */
const texts = new WeakMap<Reason, string>();

function reasonText(reason: Reason): string {
  const known = texts.get(reason);
  if (known !== undefined) return known;
  const { text, from } = reason;
  const sentence = endSentence(text);
  const html = escapeHtml(sentence + since(sentence, from));
  texts.set(reason, html);
  return html;
}

/** Nothing where the sentence has just said the day. */
function since(sentence: string, from: string | undefined): string {
  if (from === undefined) return ' Since when is not stated.';
  return sentence.endsWith(` ${from}.`) ? '' : ` Since ${from}.`;
}

/** What will happen to a release that one may still use. */
function outlook(next: Reason | undefined): string {
  if (!next) return 'No end stated.';
  if (next.rule === 'support policy') return `Leaves support on ${next.from}.`;
  return `Deprecated from ${next.from} on: ${escapeHtml(endSentence(next.text))}`;
}
