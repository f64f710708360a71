import type { PublishedComing } from '../../../core/schemas/published/search-file.ts';
import { upcomingChanges } from '../../../decide/upcoming-changes.ts';
import { endWithNextLine, replacementSentence, whyNoLatest } from '../../../decide/sentences.ts';
import type { Component } from '../../../decide/component.ts';
import { describePolicy } from '../../../decide/describe-policy.ts';
import { isLineOpen, type JudgedRelease, type Judgement } from '../../../decide/judge.ts';
import { counted, listed } from '../../../core/text.ts';
import { releaseAnchor } from '../addresses.ts';
import { isSoon } from './time-axis.ts';

const maxNames = 3;
const maxDeprecations = 2;

/** The version to use, the supported lines, and the next end. Unknown values are empty texts. */
export function answerOf(component: Component, anchors: ReadonlySet<string>): object {
  const { name, definition, judgement } = component;
  return {
    component: name,
    latest: judgement.latest && latestView(judgement.latest, anchors),
    noLatest: judgement.latest ? '' : whyNoLatest(judgement),
    replacement: replacementSentence(component).join(''),
    replacedBy: definition.replacedBy ?? '',
    lines: linesView(judgement),
    policy: describePolicy(definition.support, judgement.day),
    next: nextView(judgement),
  };
}

function latestView(latest: JudgedRelease, anchors: ReadonlySet<string>): object {
  const { version, releaseDay = '', timestampKind, changelogUrl = '' } = latest;
  const anchor = releaseAnchor(version);
  return {
    version,
    anchor: anchors.has(anchor) ? anchor : '',
    day: releaseDay,
    isObserved: timestampKind === 'observed',
    changelogUrl,
  };
}

/** The open lines, or else those that are deprecated but still supported. */
function linesView({ lines }: Judgement): object {
  const open = lines.filter(isLineOpen);
  const running = open.length > 0 ? open : lines.filter((line) => line.isSupported);
  const hasPolicy = lines.some((line) => line.isSupported !== undefined);
  const label = hasPolicy ? 'Supported' : 'Listed';
  return {
    label: open.length === 0 && running.length > 0 ? 'Deprecated, but supported' : label,
    range: rangeOf(running.map(({ name }) => name)),
    size: running.length > 0 ? counted(running.length, 'release line') : '',
  };
}

/** From the oldest to the newest. */
function rangeOf(names: readonly string[]): string {
  return names.length > 1 ? `${names[0]} to ${names.at(-1)}` : (names[0] ?? 'None');
}

/** Undefined if nothing is known. */
function nextView(judgement: Judgement): object | undefined {
  const { lines } = judgement;
  const coming = upcomingChanges(judgement);
  const ends = coming.filter(({ event }) => event === 'leaves support');
  // The policy, which is shown beside it, covers the others.
  const deprecations = coming.filter(({ version }) => version !== undefined);
  const supported = lines.filter((line) => line.isSupported);
  if (supported.length === 0 && deprecations.length === 0) return undefined;
  const first = ends.filter(({ on }) => on === ends[0]!.on);
  const isAll = first.length === lines.length && lines.length > 1;
  const names = first.map(({ line }) => line!);
  const more = deprecations.length - maxDeprecations;
  return {
    label: ends.length > 0 || deprecations.length === 0 ? 'Ends next' : 'Comes next',
    what: isAll ? 'all versions' : listed(names, maxNames),
    day: first[0]?.on ?? '',
    isSoon: first[0] !== undefined && isSoon(judgement.day, first[0].on),
    words:
      first.length > 0 || supported.length === 0
        ? ''
        : endWithNextLine(lines) || 'No end of support is stated.',
    deprecations: deprecations.slice(0, maxDeprecations).map(deprecationText),
    moreDeprecations: more > 0 ? counted(more, 'more release') : '',
  };
}

function deprecationText({ version, event, on, reason }: PublishedComing): string {
  return `${version} ${event} on ${on}${reason === undefined ? '.' : `: ${reason}`}`;
}
