import { freshnessSentence, troubleText } from '../../answers/freshness-words.ts';
import { comingChanges, type Coming } from '../../answers/coming.ts';
import { lineFacts, lineStatus, openLines, supportSentence } from '../../answers/line-words.ts';
import { replacementSentence } from '../../answers/replacement-words.ts';
import { whyNoLatest } from '../../answers/verdict-words.ts';
import type { Change } from '../../policy/change.ts';
import { summarise, type Component } from '../../policy/component.ts';
import { describePolicy } from '../../policy/describe-policy.ts';
import { isLineOpen, type JudgedLine, type JudgedRelease } from '../../policy/judge.ts';
import { statusOf, type ReleaseStatus } from '../../policy/release-status.ts';
import { counted } from '../../text.ts';
import { releaseAnchor } from '../addresses.ts';
import { badgeText } from '../badge.ts';
import type { SiteContext } from '../site-context.ts';
import { componentSnippets } from '../snippets.ts';
import { changeRow } from './change-rows.ts';
import { pageOf, type Alternate } from './page-frame.ts';
import { releaseTables } from './release-tables.ts';
import { renderTemplate } from './templates.ts';
import { timelineOf } from './timeline.ts';

const maxUpcoming = 8;
const maxOpenLines = 12;
const maxChanges = 12;

/** `<component>.html`. `changes` are those of the component, newest first. */
export function renderComponentPage(
  component: Component,
  changes: readonly Change[],
  site: SiteContext,
): string {
  const { name, definition, judgement, freshness } = component;
  const { title, description, homepage, changelogUrl } = definition;
  const lines = judgement.lines.toReversed();
  const open = lines.filter(isLineOpen);
  const listed = (open.length > 0 ? open : lines).slice(0, maxOpenLines);
  const unlisted = lines.filter((line) => !listed.includes(line));
  const upcoming = comingChanges(judgement).map(upcomingView);
  const isEmpty = judgement.releases.length === 0;
  return renderTemplate(site.theme, 'component', {
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
    latestLabel: latestLabel(component),
    latest: judgement.latest && latestView(judgement.latest),
    noLatest: judgement.latest ? '' : whyNoLatest(judgement),
    replacement: replacementSentence(component).join(''),
    replacedBy: definition.replacedBy ?? '',
    policy: describePolicy(definition.support, judgement.day),
    linesLabel: hasPolicy(component) ? 'Supported' : 'Listed',
    openLines: openLines(open, judgement.lines.length),
    freshness: {
      state: freshness.state,
      brief: freshnessSentence(freshness),
      troubles: freshness.troubles.map(troubleText),
    },
    upcoming: upcoming.slice(0, maxUpcoming),
    laterUpcoming:
      upcoming.length > maxUpcoming ? counted(upcoming.length - maxUpcoming, 'more known day') : '',
    isEmpty,
    timeline: timelineOf(title, judgement.lines),
    lines: listed.map(lineRow),
    moreLines: unlisted.map(lineRow),
    moreLinesSize: counted(unlisted.length, 'more release line'),
    releases: counted(judgement.releases.length, 'release'),
    statuses: statusesOf(judgement.releases),
    tables: releaseTables(judgement.lines),
    badgeText: badgeText(component),
    showsComponent: false,
    changes: changes.slice(0, maxChanges).map(changeRow),
    snippets: componentSnippets(site, summarise(component)),
  });
}

function upcomingView(coming: Coming): object {
  const { of, subject } = coming;
  return { ...coming, anchor: of === 'line' ? `line-${subject}` : releaseAnchor(subject) };
}

/** A row in the list of release lines. */
function lineRow(line: JudgedLine): object {
  return {
    anchor: `line-${line.name}`,
    name: line.name,
    status: lineStatus(line),
    support: supportSentence(line),
    facts: lineFacts(line),
  };
}

function hasPolicy({ definition: { support } }: Component): boolean {
  return support !== undefined && support.policy !== 'none';
}

function latestLabel(component: Component): string {
  return hasPolicy(component) ? 'Latest supported version' : 'Latest version';
}

function latestView(latest: JudgedRelease): object {
  const { version, line, releaseDay = '', timestampKind, changelogUrl = '' } = latest;
  const { isSupported, supportedUntil = '' } = latest;
  return {
    version,
    anchor: releaseAnchor(version),
    day: releaseDay,
    isObserved: timestampKind === 'observed',
    changelogUrl,
    line,
    supportedUntil,
    noEnd: isSupported && supportedUntil === '' ? `No end of ${line} is stated.` : '',
  };
}

function describePage(component: Component): string {
  const { name, definition, judgement } = component;
  const { latest, releases } = judgement;
  const newest = latest ? `${latestLabel(component)}: ${latest.version}.` : 'No supported version.';
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

/** The choices of the filter: each status that occurs. */
function statusesOf(releases: readonly JudgedRelease[]): ReleaseStatus[] {
  const occurring = new Set(releases.map(statusOf));
  return (['supported', 'listed', 'deprecated', 'withdrawn'] as const).filter((status) =>
    occurring.has(status),
  );
}
