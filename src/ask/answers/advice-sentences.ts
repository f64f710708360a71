import type { MoveTarget } from '../../core/model/move-to.ts';
import { describeMove, describeUnknownAdvisories } from '../../core/model/words.ts';
import { capitalise } from '../../core/text/wording.ts';
import type { DetailsOn } from './component-on.ts';
import type { JudgedVersion } from './judge-version.ts';
import { describeSilent, type Silence } from './silence.ts';

// Sentences on what to do about a version, and on what the index does not know about it.

/** The advice: the release to move to and by when, that there is none yet, or which versions are the latest. */
export function describeAdvice(
  details: DetailsOn,
  judged: JudgedVersion,
  replacement: DetailsOn | undefined,
): string {
  if (judged.moveTo) {
    return `${describeMove(judged, (target) => nameTarget(target, details, replacement))}.`;
  }

  return judged.isStuck
    ? 'There is nothing to move to yet.'
    : describeAdviceToStay(details, judged);
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
function describeAdviceToStay(details: DetailsOn, judged: JudgedVersion): string {
  const { isWholeLine, latestOfLine, newest } = judged;
  const isNothingDue = advisesNothing(judged);
  const isUnknown = isNothingDue && hasUnknownAdvisories(details, judged);
  const unknown = isUnknown ? describeUnknownAdvisories() : '';
  // If every version is withdrawn, deprecated or a prerelease, there is none to advise.
  if (newest === undefined) {
    return isNothingDue
      ? `Nothing is due. ${unknown}`.trimEnd()
      : `The index names no version of ${details.title} to use.`;
  }
  // A question about a line asks for its latest version.
  if (isWholeLine && latestOfLine !== undefined) {
    return `Its latest version is ${latestOfLine}.`;
  }

  const greater = describeUnusableGreatest(details, newest);
  const newestName = greater === '' ? 'the newest version' : 'the newest version to use';
  const facts = describeBestVersion(judged, newest, newestName);
  const sentence = isNothingDue ? `Nothing is due; ${facts}.` : `${capitalise(facts)}.`;
  return [sentence, greater, unknown].filter(Boolean).join(' ');
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

/** Why a greater version than the newest to use is none: `2026.2 is deprecated.`; empty if there is no such version. */
export function describeUnusableGreatest({ releases }: DetailsOn, newest: string): string {
  const greatest = releases.findLast(({ isPrerelease }) => !isPrerelease);
  if (!greatest || greatest.version === newest || !greatest.isDeprecated) {
    return '';
  }

  const verb = greatest.state === 'withdrawn' ? 'was withdrawn' : 'is deprecated';
  return `${greatest.version} ${verb}.`;
}

/** Sentences on what is not known of a version, without what the advice says itself. */
export function* listSilenceSentences(
  details: DetailsOn,
  judged: JudgedVersion,
  { releases, advisories }: Silence = {},
): Generator<string> {
  const { line, state } = judged;
  if (releases && state !== 'unknown-line') {
    yield `${capitalise(describeSilent(releases))}; newer releases may be missing.`;
  }
  if (!line) {
    return;
  }

  if (hasUnknownAdvisories(details, judged)) {
    if (!advisesNothing(judged)) {
      yield describeUnknownAdvisories();
    }
  } else if (advisories) {
    yield `${capitalise(describeSilent(advisories))}; newer advisories may be missing.`;
  }
}
