import type { MoveTarget } from '../../core/model/move-to.ts';
import {
  describeUnknownAdvisories,
  describeLag,
  describeEnd,
  describeExploitation,
  describeLineReason,
  describeMove,
  describePhases,
  describeReason,
  stateLabels,
  describeSupport,
} from '../../core/model/words.ts';
import { capitalise, formatCount, formatList, endSentence } from '../../core/text/wording.ts';
import type { DetailsOn, PublishedLineOn, SilentSources, UnansweredSources } from './details-on.ts';
import type { JudgedVersion } from './judge-version.ts';

// Every sentence of a verdict. Pages, commands, tools, scans and plans print them.

/** The state of the version in one sentence, after one that says whether it is exploited. */
export function describeState(
  { title, latest, day }: DetailsOn,
  judged: JudgedVersion,
  silence: UnansweredSources = {},
): string {
  const { version, release, line, lines, state } = judged;
  const words = describeExploitation(release ?? {});
  const exploited = words && `${capitalise(words)}. `;
  const name = `${title} ${version}`;
  const subject = `${exploited}${name}`;

  switch (state) {
    case 'supported':
    case 'ends-soon':
    case 'may-have-ended':
    case 'ended':
      return `${subject} ${describeSupport(line!)}.`;
    case 'deprecated': {
      const until = line?.isSupported ? describeEnd(line) : '';
      return `${subject} is deprecated${until === '' ? '' : `, and supported ${until}`}.`;
    }
    case 'withdrawn':
      return `${subject} was withdrawn.`;
    case 'no-promise': {
      const lag = describeLag(release?.releasesBehind, release?.daysBehind);
      const lagWords = lag === '' || !latest ? '' : ` It is ${lag} ${latest.version}.`;
      return `${exploited}No end is stated for ${name}.${lagWords}`;
    }
    case 'not-listed':
      return `${subject} is not listed.`;
    case 'not-released':
      return `${subject} is not released yet.`;
    case 'unknown-line':
      if (silence.releases && lines.length === 0) {
        return `${subject} is not known on ${day}: ${describeSilent(silence.releases)}.`;
      }
      if (silence.builtOn !== undefined && lines.length === 0) {
        return `${subject} is not known on ${day}: the index is of ${silence.builtOn}.`;
      }

      return lines.length > 0
        ? `${subject} has ${formatCount(lines.length, 'release line')}: ${describeLines(lines)}.`
        : `${subject} belongs to no known release line.`;
  }
}

/** The advice: a release to move to, or that nothing is due, with the reasons. */
export function describeAdvice(
  details: DetailsOn,
  judged: JudgedVersion,
  replacement: DetailsOn | undefined,
): string {
  const { release, line, isWholeLine, moveTo, isStuck } = judged;
  const { version, latestOfLine, newest } = judged;
  const { title, component } = details;
  const nameTarget = (target: MoveTarget) =>
    target.component === component ? target.version : `${replacement!.title} ${target.version}`;
  if (moveTo) {
    return `${describeMove(judged, nameTarget)}.`;
  }
  if (isStuck) {
    return 'There is nothing to move to yet.';
  }

  const unknownAdvisories = hasUnknownAdvisories(details, judged)
    ? describeUnknownAdvisories()
    : '';
  if (newest === undefined) {
    return release
      ? joinSentences('Nothing is due.', unknownAdvisories)
      : `The index names no version of ${title} to use.`;
  }
  if (line && isWholeLine && latestOfLine !== undefined) {
    return `Its latest version is ${latestOfLine}.`;
  }

  const greater = describeGreater(details, newest);
  const facts = describeNewest(judged, newest, greater === '' ? '' : ' to use');
  return line && (release || version === newest)
    ? joinSentences(`Nothing is due; ${facts}.`, greater, unknownAdvisories)
    : joinSentences(`${capitalise(facts)}.`, greater);
}

function joinSentences(...sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** `the latest of its line is 2025.4, the newest version is 2026.3`. */
function describeNewest(
  { line, version, latestOfLine }: JudgedVersion,
  newest: string,
  purpose: string,
): string {
  if (line && version === newest) {
    return `it is the newest version${purpose}`;
  }

  const fact = `the newest version${purpose} is ${newest}`;
  return line && latestOfLine !== undefined && ![version, newest].includes(latestOfLine)
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

/** `2026.2 is deprecated.`, where that is greater than the newest version to use; else empty. */
export function describeGreater({ releases }: DetailsOn, newest: string): string {
  const greatest = releases.findLast(({ isPrerelease }) => !isPrerelease);
  if (!greatest || greatest.version === newest || !greatest.isDeprecated) {
    return '';
  }

  const verb = greatest.state === 'withdrawn' ? 'was withdrawn' : 'is deprecated';
  return `${greatest.version} ${verb}.`;
}

/** `2025.4, 2025.3 supported, 2025.1 ended`. */
function describeLines(lines: readonly PublishedLineOn[]): string {
  const byState = Map.groupBy(lines.toReversed(), ({ state }) => stateLabels[state].toLowerCase());
  return Array.from(
    byState,
    ([label, group]) =>
      `${formatList(
        group.map(({ line }) => line),
        4,
      )} ${label}`,
  ).join(', ');
}

/** Sentences with the reasons for the state, and facts to know before an upgrade. */
export function* listGrounds(details: DetailsOn, judged: JudgedVersion): Generator<string> {
  const { component, title, lines, replacedBy, day } = details;
  const { release, line, state, moveTo, target, between, stop } = judged;
  const aim = judged.goal ?? moveTo;
  if (release?.security !== undefined) {
    yield release.security;
  }

  if (line) {
    yield* listReasons(judged, line, day);

    const reading = describeOtherReading(details, line);
    if (reading !== '') {
      yield reading;
    }

    const phases = describePhases(line.phases);
    if (phases !== '') {
      yield `Phases of ${line.line}: ${phases}.`;
    }
    if (state === 'not-listed') {
      yield `Its line ${line.line} ${describeSupport(line)}.`;
    }
  }

  const isWithin = aim?.component === component;
  const targetLine = lines.find((each) => each.line === target?.line);
  if (isWithin && line && targetLine && targetLine !== line && promisesSupport(targetLine)) {
    yield `${aim.version} ${describeSupport(targetLine)}.`;
  }

  if (stop?.reason !== undefined) {
    yield `Stop at ${stop.release.version}: ${endSentence(stop.reason)}`;
  }

  if (isWithin && between.length > 0) {
    yield describeBetween(between);
  }

  if (replacedBy !== undefined && moveTo?.component !== replacedBy) {
    yield `${title} is replaced by ${replacedBy}.`;
  }
  if (release?.isPrerelease) {
    yield 'It is a prerelease.';
  }
}

/** Whether a line has a known end, and has not reached it. */
function promisesSupport(line: PublishedLineOn): boolean {
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

/** Says whether a line would be supported by the other rule that fits its policy; empty without one. */
export function describeOtherReading({ lines, support }: DetailsOn, line: PublishedLineOn): string {
  const { orNewest } = support;
  if (orNewest === undefined || !line.inferred || line.isSupported === undefined) {
    return '';
  }

  const stable = lines.filter(({ releases }) => releases.some(({ isPrerelease }) => !isPrerelease));
  const isNewest = stable.slice(-orNewest).includes(line);
  const verdict = isNewest ? 'is supported' : 'has ended';
  const too = isNewest === line.isSupported ? ', too' : '';
  return `By the other reading, the newest ${orNewest} lines, it ${verdict}${too}.`;
}

/** Sentences on what the sources have not answered. */
export function* listSilenceSentences(
  details: DetailsOn,
  judged: JudgedVersion,
  { releases, advisories }: UnansweredSources = {},
): Generator<string> {
  const { line, state } = judged;
  if (releases && state !== 'unknown-line') {
    yield `${capitalise(describeSilent(releases))}; newer releases may be missing.`;
  }
  if (!line) {
    return;
  }

  if (hasUnknownAdvisories(details, judged)) {
    yield describeUnknownAdvisories();
  } else if (advisories) {
    yield `${capitalise(describeSilent(advisories))}; newer advisories may be missing.`;
  }
}

/** The reasons for the deprecation and for the support of the line. */
function* listReasons(
  { release }: JudgedVersion,
  line: PublishedLineOn,
  day: string,
): Generator<string> {
  const releaseReasons = (release?.reasons ?? []).map((reason) => describeReason(reason, day));
  const { reason } = line;
  const lineReasons = reason ? [describeLineReason({ ...line, reason })] : [];
  yield* new Set([...releaseReasons, ...lineReasons]);
}

/** `a source last answered on 2026-11-19`. */
export function describeSilent({ lastAnswered, isHeld }: SilentSources): string {
  if (isHeld) {
    return 'an answer of its sources waits for review';
  }

  return lastAnswered === undefined
    ? 'a source has not answered yet'
    : `a source last answered on ${lastAnswered}`;
}
