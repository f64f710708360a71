import {
  findLatest,
  type PublishedReleaseOn,
  type DetailsOn,
  type PublishedLineOn,
} from '../ask/answers/component-on.ts';
import { cutDay } from '../core/model/dates.ts';
import { findLastFreePhase } from '../core/model/phases.ts';
import { listUpcomingChanges } from '../core/model/upcoming-changes.ts';
import { findNewestRelease } from '../core/model/version.ts';
import { describeDayRange, markInferred, nameState, describeSupport } from '../core/model/words.ts';
import { isStaticId } from '../core/schemas/definition/source-ids.ts';
import type { VersionAnswer } from '../core/schemas/published/answer-schemas.ts';
import { formatCount, formatList } from '../core/text/wording.ts';
import type { Component } from '../decide/component.ts';
import { describeEvent, recordedFieldLabels } from '../decide/event-words.ts';
import { explainNoLatest, isLineSupported } from '../decide/judge.ts';
import { describeReplacement } from '../decide/moves.ts';

const maxDigests = 10;
/** The most release lines and versions to name for one event. */
const maxSubjects = 12;

/** Explains the status of a component, in lines for a person. `component`: only in a checkout, which knows more about sources. */
export function explainComponent(details: DetailsOn, component: Component | undefined): string[] {
  const { component: name, title, day, support, lines, latest } = details;
  const supportedLines = lines.filter(isLineSupported);

  return [
    `${name} (${title}) on ${day}`,
    `Policy: ${support.description}`,
    ...(component ? explainDefinition(component) : []),
    latest
      ? `Latest: ${latest.version}, the greatest version that is stable and not deprecated.`
      : `Latest: none. ${explainNoLatest(details)}`,
    ...(component ? explainFreshness(component) : []),
    '',
    `Release lines, newest first (${supportedLines.length} of ${lines.length} certainly supported):`,
    ...lines.toReversed().map(explainLine),
    '',
    explainNext(details),
  ];
}

function explainDefinition(component: Component): string[] {
  const { inherited = [] } = component;
  const origin =
    inherited.length > 0 ? [`Inherited from site/site.json: ${inherited.join(', ')}.`] : [];
  return [...origin, ...describeReplacement(component)];
}

/**
 * Explains the status of a version. `answer`: as every interface answers about it. `release`: undefined if the version is not listed.
 * `component`: only in a checkout.
 */
export function explainVersion(
  details: DetailsOn,
  answer: VersionAnswer,
  release: PublishedReleaseOn | undefined,
  component: Component | undefined,
): string[] {
  const lines = explainAnswer(details, answer);
  if (!component || !release) {
    return lines;
  }

  const {
    version,
    line,
    isPrerelease,
    changelogUrl,
    firstSeen,
    sources = [],
    disagreements = [],
  } = release;
  const origin = sources.length > 0 ? `from: ${sources.join(', ')}` : 'by hand';

  return [
    ...lines,
    explainOrder(details, release),
    `Release line: ${line}. ${isPrerelease ? 'A prerelease.' : 'Stable.'}`,
    `Timestamp: ${explainTimestamp(release)}`,
    `Changelog: ${changelogUrl ?? 'not known'}`,
    `Recorded ${origin}${firstSeen === undefined ? '' : `, first seen on ${firstSeen}`}.`,
    ...explainDigests(release),
    ...disagreements.map(
      ({ field, source, value = 'none', over }) =>
        `Sources disagree: ${source} states another ${recordedFieldLabels[field]}: ${value}. ${over} takes precedence.`,
    ),
    ...component.journal
      .filter((event) => event.version === version && event.type !== 'released')
      .map((event) => `Recorded on ${cutDay(event.at)}: ${describeEvent(event)}`),
  ];
}

/** Explains a version by its answer, which needs no checkout. */
function explainAnswer({ component, support }: DetailsOn, answer: VersionAnswer): string[] {
  const { asOf, version, label, sentence, advice, because, notes = [] } = answer;
  return [
    `${component} ${version} on ${asOf}: ${label.toLowerCase()}`,
    `${sentence} ${advice}`,
    ...explainPairs(answer),
    ...because,
    ...notes,
    `Policy: ${support.description}`,
  ];
}

/** Whether the version of an answer works with the named versions of other components, and who says so. */
export function explainPairs({ with: pairs = [] }: Pick<VersionAnswer, 'with'>): string[] {
  return pairs.flatMap(({ sentence, because }) => [
    sentence,
    ...because.map(({ text, url }) => `  ${text}${url === undefined ? '' : ` ${url}`}`),
  ]);
}

/** The position of a release among those of its component. */
function explainOrder({ releases }: DetailsOn, release: PublishedReleaseOn): string {
  const index = releases.indexOf(release);
  const older = releases[index - 1];
  const newer = releases[index + 1];
  const after = older ? `, after ${older.version}` : '';
  const before = newer ? `, before ${newer.version}` : '';
  return `Order: ${index + 1} of ${releases.length}${after}${before}.`;
}

function explainDigests({ digests = {} }: PublishedReleaseOn): string[] {
  const digestTexts = Object.entries(digests).flatMap(([source, artifacts]) =>
    Object.entries(artifacts).map(
      ([artifact, digest]) => `Digest: ${artifact} ${digest} (${source}).`,
    ),
  );
  const more = digestTexts.length - maxDigests;
  return more <= 0
    ? digestTexts
    : [...digestTexts.slice(0, maxDigests), `Digest: ${more} more; --json has all.`];
}

function explainTimestamp(release: PublishedReleaseOn): string {
  const { releaseTimestamp, timestampKind, sources = [] } = release;
  if (releaseTimestamp === undefined) {
    return 'not known. Renovate holds such an update where minimumReleaseAge is set.';
  }

  const instant = releaseTimestamp.endsWith('T00:00:00Z')
    ? cutDay(releaseTimestamp)
    : releaseTimestamp;
  if (timestampKind === 'observed') {
    return `${instant}, observed: upstream states no day; it existed by then.`;
  }
  if (sources.length === 0) {
    return `${instant}, published: recorded by hand.`;
  }
  if (sources.every(isStaticId)) {
    return `${instant}, published: as recorded in the definition.`;
  }

  // Nothing records which of several sources states the day.
  const origin = sources.some(isStaticId) ? 'one of its sources' : 'upstream';
  return `${instant}, published: stated by ${origin}.`;
}

function explainLine(line: PublishedLineOn): string {
  const { firstReleaseDate: from, firstReleaseDateAtMost: atMost, releases, state } = line;
  const firstDay = describeDayRange({ from, atMost }) || 'on an unknown day';
  const newest = findNewestRelease(releases)?.version;
  const hasLabel = state === 'deprecated' || state === 'withdrawn';
  const label = hasLabel ? `, ${nameState(state)}` : '';
  const history =
    newest === undefined
      ? 'No release of it is recorded'
      : `First release ${firstDay}, newest is ${newest}, ${formatCount(releases.length, 'release')}`;
  return `  ${line.line}: ${describeSupport(line)}${label}. ${history}.`;
}

/** The next changes of states: those on the first day, or between the same two days. */
function explainNext({ lines, day }: DetailsOn): string {
  const [changes] = Map.groupBy(listUpcomingChanges(lines, day), describeDayRange).values();
  if (!changes) {
    return 'Next: no state changes unless new data comes.';
  }

  const byEvent = Map.groupBy(changes, ({ event, phase = '' }) => `${event} ${phase}`.trim());
  const events = Array.from(byEvent, ([event, group]) => {
    const subjects = group.map(({ line, version = '' }) => line ?? version);
    return `${event} of ${formatList(subjects, maxSubjects)}`;
  });
  return `Next: ${describeDayRange(changes[0])}, ${events.join('; ')}.`;
}

function explainFreshness({ freshness }: Component): string[] {
  const { state, checkedOn, troubles } = freshness;
  const checked = checkedOn === undefined ? '' : `, last checked on ${checkedOn}`;
  return [
    `Freshness: ${state}${checked}.`,
    ...troubles.map(({ source, kind, reason }) => `  ${source} ${kind}: ${reason}`),
  ];
}

/** The lines that are supported, or may be by a stated end, newest first, as a Markdown table. */
export function renderSupportedLines({ lines }: DetailsOn): string[] {
  const rows = lines
    .filter(({ isSupported, phases }) => isSupported ?? findLastFreePhase(phases) !== undefined)
    .map((line) => {
      const support = describeSupport(line).replaceAll('|', '&#124;');
      return `| ${line.line} | ${findLatest(line) ?? ''} | ${markInferred(support, line.inferred)} |`;
    })
    .reverse();
  return rows.length > 0
    ? ['| Release line | Latest | Support |', '| --- | --- | --- |', ...rows]
    : ['No release line is known to be supported.'];
}
