import type { Change } from '../../policy/change.ts';
import { summarise, type Component } from '../../policy/component.ts';
import type { SiteContext } from '../site-context.ts';
import { describePolicy } from '../../policy/describe-policy.ts';
import { isLineSupported, type JudgedLine, type JudgedRelease } from '../../policy/judge.ts';
import { releaseAnchor } from '../anchors.ts';
import { componentSnippets } from '../snippets.ts';
import { changeRow } from './change-rows.ts';
import { lineRow } from './line-rows.ts';
import { newestLines } from './newest-lines.ts';
import { pageOf, type Alternate } from './page-frame.ts';
import { releaseTables } from './release-tables.ts';
import { withReleaseRows } from './release-rows.ts';
import { renderTemplate } from './templates.ts';
import { timelineOf } from './timeline.ts';
import { upcomingOf } from './upcoming.ts';
import { basisOf, freshnessSentence, troubleText } from './words.ts';
import { counted, sentence } from '../../text.ts';

const maxUpcoming = 8;
const maxOpenLines = 12;
const maxChanges = 12;

/** `<component>.html`. `changes` are those of the component, newest first. */
export function renderComponentPage(
  component: Component,
  changes: readonly Change[],
  site: SiteContext,
): Generator<string> {
  const { name, definition, judgement, freshness } = component;
  const { title, description, homepage, changelogUrl } = definition;
  const { shown, leftOut } = newestLines(judgement.lines);
  const lines = shown.toReversed();
  const supported = lines.filter(isLineSupported);
  const listed = (supported.length > 0 ? supported : lines).slice(0, maxOpenLines);
  const unlisted = lines.filter((line) => !listed.includes(line));
  const upcoming = upcomingOf(judgement);
  const isEmpty = judgement.releases.length === 0;
  const tables = releaseTables(shown);
  const html = renderTemplate(site.theme, 'component', {
    page: pageOf(site, {
      title: `${name}: ${title}, releases and support | ${site.config.title}`,
      heading: `${title} (${name})`,
      description: describePage(component),
      path: `${name}.html`,
      alternates: alternatesOf(name, title),
    }),
    name,
    title,
    description: description ?? '',
    homepage,
    changelogUrl,
    latest: judgement.latest && latestView(judgement.latest, judgement.lines),
    noLatest: judgement.latest ? '' : whyNoLatest(judgement.releases.at(-1), supported.length),
    policy: describePolicy(definition.support),
    supportedLines: supportedLines(supported, judgement.lines.length),
    freshness: {
      state: freshness.state,
      brief: freshnessSentence(freshness),
      troubles: freshness.troubles.map(troubleText),
    },
    upcoming: upcoming.slice(0, maxUpcoming),
    laterUpcoming:
      upcoming.length > maxUpcoming ? counted(upcoming.length - maxUpcoming, 'more known day') : '',
    isEmpty,
    timeline: timelineOf(title, shown),
    lines: listed.map(lineRow),
    moreLines: unlisted.map(lineRow),
    moreLinesSize: counted(unlisted.length, 'more release line'),
    releases: counted(judgement.releases.length, 'release'),
    statuses: statusesOf(judgement.releases),
    tables,
    leftOut: leftOut === 0 ? '' : counted(leftOut, 'older release'),
    badgeText: judgement.latest
      ? `${name}: ${judgement.latest.version} supported`
      : `${name}: none supported`,
    showsComponent: false,
    changes: changes.slice(0, maxChanges).map(changeRow),
    snippets: componentSnippets(site, summarise(component, [])),
  });
  return withReleaseRows(html, [tables.open, ...tables.closed]);
}

function latestView(latest: JudgedRelease, lines: readonly JudgedLine[]): object {
  const { version, line, releaseDay = '', timestampKind, changelogUrl = '' } = latest;
  const end = lines.find(({ name }) => name === line)?.eolFrom;
  return {
    version,
    anchor: releaseAnchor(version),
    day: releaseDay,
    isObserved: basisOf(timestampKind) === 'observed',
    changelogUrl,
    line,
    supportedUntil: end ?? '',
  };
}

function whyNoLatest(newest: JudgedRelease | undefined, supported: number): string {
  if (!newest) return 'No release of it is known yet.';
  if (supported > 0) return 'Only prereleases of it are supported.';
  const [reason] = newest.reasons;
  return reason
    ? `No release of it is supported: ${sentence(reason.text)}`
    : 'No release of it is supported.';
}

function supportedLines(supported: readonly JudgedLine[], all: number): string {
  const [newest] = supported;
  const oldest = supported.at(-1);
  if (!newest || !oldest)
    return all === 0 ? 'No release line is known yet.' : 'No release line is supported.';
  const which =
    newest === oldest
      ? `Release line ${newest.name}`
      : `${counted(supported.length, 'release line')}, ${oldest.name} to ${newest.name}`;
  return `${which}.`;
}

function describePage({ name, definition, judgement }: Component): string {
  const { latest, releases } = judgement;
  const newest = latest ? `Latest supported version: ${latest.version}.` : 'No supported version.';
  return `${newest} ${counted(releases.length, 'release')} of ${definition.title} (${name}), with support, dates and changelogs.`;
}

function alternatesOf(name: string, title: string): Alternate[] {
  return [
    { type: 'application/json', title: `Releases of ${title}, for Renovate`, href: `${name}.json` },
    { type: 'application/json', title: `Releases of ${title}, in detail`, href: `details/${name}.json` },
    { type: 'application/atom+xml', title: `Changes of ${title}`, href: `feeds/${name}.atom` },
    { type: 'text/calendar', title: `Ends of support of ${title}`, href: `calendars/${name}.ics` },
  ];
}

/** What a filter can offer: each status that occurs. */
function statusesOf(releases: readonly JudgedRelease[]): string[] {
  const statuses: string[] = [];
  if (releases.some((release) => !release.isDeprecated)) statuses.push('supported');
  if (releases.some((release) => release.isDeprecated && release.recorded.withdrawnSince === undefined))
    statuses.push('deprecated');
  if (releases.some((release) => release.recorded.withdrawnSince !== undefined)) statuses.push('withdrawn');
  return statuses;
}
