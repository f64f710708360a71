/** Sentences of a verdict, which pages, commands, tools, scans and plans print: state, reasons, advice, and what is not known. */
import type { MoveTarget } from '../../core/model/move-to.ts';
import type { Phase } from '../../core/schemas/definition/phase.ts';
import {
  computeEndOn,
  describeLag,
  describeEnd,
  describeExploitation,
  describeLineReason,
  describeMove,
  describePhases,
  describeReason,
  describeUnknownAdvisories,
  markInferred,
  nameState,
  describeSupport,
} from '../../core/model/words.ts';
import type { Reason } from '../../core/schemas/published/reason.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import { capitalise, formatCount, formatList, endSentence } from '../../core/text/wording.ts';
import type { DetailsOn, PublishedLineOn } from './component-on.ts';
import type { JudgedVersion } from './judge-version.ts';
import { describeMissing, describeSilent, type Silence } from './silence.ts';

/** The state of the version as a sentence, after one that it is exploited, if it is. */
export function describeState(
  details: DetailsOn,
  judged: JudgedVersion,
  silence?: Silence,
): string {
  return `${wordState(details, judged, silence)}.`;
}

/** The sentences of `describeState`, without the last full stop. */
function wordState(details: DetailsOn, judged: JudgedVersion, silence: Silence = {}): string {
  const exploitation = capitalise(describeExploitation(judged.release ?? {}));
  const words = wordStateOnly(details, judged, silence);
  return exploitation === '' ? words : `${exploitation}. ${words}`;
}

function wordStateOnly(
  { title, latest, day }: DetailsOn,
  { version, release, line, lines, state }: JudgedVersion,
  silence: Silence,
): string {
  const name = `${title} ${version}`;
  switch (state) {
    case 'supported':
    case 'ends-soon':
    case 'may-have-ended':
    case 'ended':
      // A version in one of these states has a line.
      return `${name} ${describeSupport(line!)}`;
    case 'deprecated': {
      const until = line?.isSupported ? describeEnd(line) : '';
      return `${name} is deprecated${until === '' ? '' : `, and supported ${until}`}`;
    }
    case 'withdrawn':
      return `${name} was withdrawn`;
    case 'no-promise': {
      const lag = describeLag(release?.releasesBehind, release?.daysBehind);
      // Only a release that is behind the latest has a lag.
      const lagWords = lag === '' ? '' : `. It is ${lag} ${latest!.version}`;
      return `No end is stated for ${name}${lagWords}`;
    }
    case 'not-listed':
      return `${name} is not listed`;
    case 'not-released':
      return `${name} is not released yet`;
    case 'unknown-line':
      return `${name} ${describeUnknownLine(lines, day, silence)}`;
  }
}

/** `has 2 release lines: 2025.4 supported, 2025.1 ended`, or why no line is known. */
function describeUnknownLine(
  lines: readonly PublishedLineOn[],
  day: string,
  { releases, builtOn }: Silence,
): string {
  if (lines.length > 0) {
    return `has ${formatCount(lines.length, 'release line')}: ${describeLines(lines)}`;
  }
  if (releases) {
    return `is not known on ${day}: ${describeSilent(releases)}`;
  }

  return builtOn === undefined
    ? 'belongs to no known release line'
    : `is not known on ${day}: the index is of ${builtOn}`;
}

/** `2025.4, 2025.3 supported, 2025.1 ended`. */
function describeLines(lines: readonly PublishedLineOn[]): string {
  const byState = Map.groupBy(lines.toReversed(), ({ state }) => state);
  return Array.from(byState, ([state, linesOfState]) => {
    const names = linesOfState.map(({ line }) => line);
    return `${formatList(names, 4)} ${nameState(state)}`;
  }).join(', ');
}

/** The last day with support of a version. A withdrawn version and a prerelease do not have the one of their line. */
export function findAnswerEnd(answer: VersionAnswer): Pick<Phase, 'until' | 'untilAtMost'> {
  const { state, supportedUntil: until, supportedUntilAtMost: untilAtMost } = answer;
  return state === 'withdrawn' || state === 'no-promise' ? {} : { until, untilAtMost };
}

/** The end of all free support of a version in words, whatever the phases of its line; empty without one. */
export function describeAnswerEnd(answer: VersionAnswer): string {
  return computeEndOn(findAnswerEnd(answer), answer.asOf).words;
}

interface JudgedAnswer {
  readonly answer: VersionAnswer;
  readonly judged: JudgedVersion;
  readonly details: DetailsOn;
}

/** A verdict that is shown without its reasons, so it names the origin of its end: `It was supported until 2026-10-08 (inferred).` */
export function describeVerdict({ answer, judged, details }: JudgedAnswer): string {
  const { sentence, inferred } = answer;
  const days = Object.values(findAnswerEnd(answer));
  const namesEnd = days.some((day) => day !== undefined && sentence.includes(day));
  return namesEnd ? `${markInferred(wordState(details, judged), inferred)}.` : sentence;
}

/** A sentence with a reason for the state, with a fact to know before an upgrade, or with one that the index does not know. */
export interface Ground {
  readonly about: 'end' | 'unknown' | 'other';
  readonly text: string;
}

/** The reasons for the state, and facts to know before an upgrade. `end`: why the support of the line ends. */
export function* listGrounds(details: DetailsOn, judged: JudgedVersion): Generator<Ground> {
  const { release, line } = judged;
  if (release?.security !== undefined) {
    yield { about: 'other', text: release.security };
  }
  if (line) {
    yield* listReasons(details, judged, line);
  }
  for (const text of listFacts(details, judged)) {
    yield { about: 'other', text };
  }
}

/** The reasons for the deprecation and for the support of the line. */
function* listReasons(
  details: DetailsOn,
  { release, isWholeLine }: JudgedVersion,
  line: PublishedLineOn,
): Generator<Ground> {
  const ownReasons = isWholeLine ? listSharedReasons(line) : (release?.reasons ?? []);
  const reasons = ownReasons.map((reason) => describeReason(reason, details.day));
  const end = line.reason ? describeLineReason({ ...line, reason: line.reason }) : '';
  const reading = describeOtherReading(details, line);
  const ends = [end, reading].filter((text) => text !== '');
  for (const text of new Set([...reasons, ...ends])) {
    yield { about: ends.includes(text) ? 'end' : 'other', text };
  }
}

/** The reasons that all releases of a line have. */
function listSharedReasons({ releases: [first, ...others] }: PublishedLineOn): readonly Reason[] {
  return (first?.reasons ?? []).filter(({ text }) =>
    others.every(({ reasons = [] }) => reasons.some((reason) => reason.text === text)),
  );
}

/** The other facts of the line, the upgrade and the release. */
function* listFacts(details: DetailsOn, judged: JudgedVersion): Generator<string> {
  const { title, replacedBy } = details;
  const { release, line, moveTo, state } = judged;
  const phases = describePhases(line?.phases);
  if (line && phases !== '') {
    yield `Phases of ${line.line}: ${phases}.`;
  }
  if (line && state === 'not-listed') {
    yield `Its line ${line.line} ${describeSupport(line)}.`;
  }

  yield* listUpgradeGrounds(details, judged);

  if (replacedBy !== undefined && moveTo?.component !== replacedBy) {
    yield `${title} is replaced by ${replacedBy}.`;
  }
  if (release?.isPrerelease) {
    yield 'It is a prerelease.';
  }
}

/** How long the target is supported, and what is on the way to it. The advice has to name a move within the component. */
function* listUpgradeGrounds(
  { component, lines }: DetailsOn,
  { line, moveTo, target, stop, between }: JudgedVersion,
): Generator<string> {
  const isAdvised = moveTo?.component === component;
  const targetLine = target && lines.find((each) => each.line === target.line);
  if (isAdvised && line && targetLine && targetLine !== line && mayHaveSupport(targetLine)) {
    yield `${target.version} ${describeSupport(targetLine)}.`;
  }
  if (stop?.reason !== undefined) {
    yield `Stop at ${stop.release.version}: ${endSentence(stop.reason)}`;
  }
  if (isAdvised && between.length > 0) {
    yield describeBetween(between);
  }
}

/** Whether a line may still be supported, and something is known of its end. */
function mayHaveSupport(line: PublishedLineOn): boolean {
  return line.isSupported !== false && describeEnd(line) !== '';
}

/** `12 releases between, 3 of them deprecated.` */
function describeBetween(between: JudgedVersion['between']): string {
  const count = formatCount(between.length, 'release');
  const deprecated = between.filter(({ isDeprecated }) => isDeprecated).length;
  if (deprecated === 0) {
    return `${count} between.`;
  }

  const share = deprecated === between.length ? '' : `${deprecated} of them `;
  return `${count} between, ${share}deprecated.`;
}

/** Says whether a line would be supported by the other rule that fits its policy; empty without one. `line`: one of the lines. */
export function describeOtherReading({ lines, support }: DetailsOn, line: PublishedLineOn): string {
  const { orNewest } = support;
  if (orNewest === undefined || !line.inferred || line.isSupported === undefined) {
    return '';
  }

  const stableLines = lines.filter(({ releases }) =>
    releases.some(({ isPrerelease }) => !isPrerelease),
  );
  const isNewest = stableLines.slice(-orNewest).includes(line);
  const verdict = isNewest ? 'is supported' : 'has ended';
  const too = isNewest === line.isSupported ? ', too' : '';
  return `By the other reading, the newest ${orNewest} lines, it ${verdict}${too}.`;
}

/** The advice: the release to move to and by when, that there is none yet, or which versions are the latest. */
export function describeAdvice(
  details: DetailsOn,
  judged: JudgedVersion,
  replacement: DetailsOn | undefined,
): string {
  if (judged.moveTo) {
    return `${describeMove(judged, (target) => nameTarget(target, details, replacement))}.`;
  }
  if (judged.isStuck) {
    return 'There is nothing to move to yet.';
  }

  // A question about a line asks for its latest version.
  const { isWholeLine, latestOfLine } = judged;
  if (isWholeLine && latestOfLine !== undefined) {
    return `Its latest version is ${latestOfLine}.`;
  }

  return describeStaying(details, judged);
}

/** `2026.3`, or `Server 2026.3` for a release of the replacement, which is the only other component with targets. */
export function nameTarget(
  { component, version }: MoveTarget,
  details: DetailsOn,
  replacement: DetailsOn | undefined,
): string {
  return component === details.component ? version : `${replacement!.title} ${version}`;
}

/** The advice without a reason to move: that nothing is due, the latest version of the line, and the newest one. */
function describeStaying(details: DetailsOn, judged: JudgedVersion): string {
  const { newest } = judged;
  const isNothingDue = advisesNothing(judged);
  const isUnknown = isNothingDue && hasUnknownAdvisories(details, judged);
  const unknown = isUnknown ? describeUnknownAdvisories() : '';
  // If every version is withdrawn, deprecated or a prerelease, there is none to advise.
  if (newest === undefined) {
    return isNothingDue
      ? `Nothing is due. ${unknown}`.trimEnd()
      : `The index names no version of ${details.title} to use.`;
  }

  const unusable = describeUnusableGreatest(details, newest);
  const newestName = unusable === '' ? 'the newest version' : 'the newest version to use';
  const facts = describeBestVersion(judged, newest, newestName);
  const sentence = isNothingDue ? `Nothing is due; ${facts}.` : `${capitalise(facts)}.`;
  return [sentence, unusable, unknown].filter(Boolean).join(' ');
}

/** Whether the advice is that nothing is due, which the index can only say of a listed version. */
function advisesNothing({ release, moveTo, isStuck }: JudgedVersion): boolean {
  return release !== undefined && !moveTo && !isStuck;
}

/** `the latest of its line is 2025.4, the newest version is 2026.3`. */
function describeBestVersion(
  { version, latestOfLine }: JudgedVersion,
  newest: string,
  newestName: string,
): string {
  if (version === newest) {
    return `it is ${newestName}`;
  }

  const fact = `${newestName} is ${newest}`;
  return latestOfLine !== undefined && ![version, newest].includes(latestOfLine)
    ? `the latest of its line is ${latestOfLine}, ${fact}`
    : fact;
}

/** Whether advisories have to be named as unknown, so that nobody reads an answer as safe. */
function hasUnknownAdvisories(
  { watchesAdvisories }: DetailsOn,
  { release }: JudgedVersion,
): boolean {
  return !watchesAdvisories && !release?.advisories;
}

/** Why the greatest release is not the newest to use: `2026.2 is deprecated.`; empty where it is. */
export function describeUnusableGreatest({ releases }: DetailsOn, newest: string): string {
  const greatest = releases.findLast(({ isPrerelease }) => !isPrerelease);
  if (!greatest || greatest.version === newest || !greatest.isDeprecated) {
    return '';
  }

  const verb = greatest.state === 'withdrawn' ? 'was withdrawn' : 'is deprecated';
  return `${greatest.version} ${verb}.`;
}

/** The facts that are not known of a version, without those of which the advice says so. */
export function* listUnknown(
  details: DetailsOn,
  judged: JudgedVersion,
  { releases, advisories }: Silence = {},
): Generator<Ground> {
  const about = 'unknown';
  const { line, state } = judged;
  if (releases && state !== 'unknown-line') {
    yield { about, text: `${capitalise(describeMissing(releases, 'releases'))}.` };
  }
  if (!line) {
    return;
  }

  if (hasUnknownAdvisories(details, judged)) {
    if (!advisesNothing(judged)) {
      yield { about, text: describeUnknownAdvisories() };
    }
  } else if (advisories) {
    yield { about, text: `${capitalise(describeMissing(advisories, 'advisories'))}.` };
  }
}
