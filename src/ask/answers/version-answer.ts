import type { MoveTarget } from '../../core/model/move-to.ts';
import { dropEmpty, dropUndefined, pick } from '../../core/model/objects.ts';
import { judgePair } from '../../core/model/pair-answers.ts';
import { answerLabels, describeStatement } from '../../core/model/pair-words.ts';
import { endFacts, isLtsOn } from '../../core/model/phases.ts';
import { parseVersion, removeWildcards } from '../../core/model/version.ts';
import { describeUnknownAdvisories, stateLabels } from '../../core/model/words.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import { quote } from '../../core/text/foreign-text.ts';
import { readReplacement } from './answer-index.ts';
import { findByDigest, type DetailsOn } from './component-on.ts';
import { judgeVersion, type JudgedVersion, type VersionQuestion } from './judge-version.ts';
import type { PublishedIndex } from './published-index.ts';
import { requireComponent, resolveExact, type NameSource, type Resolved } from './resolve.ts';
import {
  describeAdvice,
  describeState,
  listGrounds,
  listUnknown,
  type Ground,
} from './verdict-sentences.ts';

type Index = Pick<PublishedIndex, 'details' | 'staleness' | 'silence'>;

/** The answer about a version, with the data from which a page draws the picture and the upgrade path. */
export interface AnsweredVersion {
  readonly kind: 'version';
  readonly answer: VersionAnswer;
  readonly judged: JudgedVersion;
  /** The sentences of its `because`. */
  readonly grounds: readonly Ground[];
  readonly details: DetailsOn;
  /** The component in its `replacedBy`. */
  readonly replacement: DetailsOn | undefined;
}

/** Answers a program, which names a component exactly, without a version. Throws an error that `explainError` explains. */
export async function askExactly(
  index: PublishedIndex,
  text: string,
  version: string,
  others: readonly string[] = [],
): Promise<AnsweredVersion> {
  const details = await requireComponent(index, text);
  return answerResolved(index, { details, version }, await readNamedVersions(index, others));
}

/**
 * The answer about a version, and whether it works with versions of other components. Without a version, or with `latest`, it is
 * about the latest. Throws an error that `explainError` explains.
 */
export async function answerResolved(
  index: Index,
  { details, version: asked, to: wanted, note }: Resolved,
  others: readonly MoveTarget[] = [],
): Promise<AnsweredVersion> {
  const version = readAskedVersion(details, asked);
  const replacement = await readReplacement(index, details);
  const silence = await index.silence(details.component);
  const question = { version, wanted, replacement, silence };
  const judged = judgeVersion(details, question);

  const isMissing = wanted !== undefined && !judged.target;
  const notes = [
    note,
    isMissing ? `There is no release ${wanted} to move to.` : undefined,
    await index.staleness(),
  ].filter((each) => each !== undefined);
  const { answer, grounds } = composeAnswer(details, question, judged, notes);

  const pairs = others.map((other) => describePairAnswer(details, answer.version, other));
  const answerWithPairs = pairs.length > 0 ? { ...answer, with: pairs } : answer;
  return { kind: 'version', answer: answerWithPairs, judged, grounds, details, replacement };
}

/** The version that a question is about. Throws a `QuestionError` for a text that is no version. */
function readAskedVersion(details: DetailsOn, asked: string | undefined): string {
  const version =
    asked === undefined || /^latest$/i.test(asked)
      ? findNewestVersion(details)
      : readDigest(details, asked);
  if (version === undefined) {
    throw new QuestionError('unknown', `No release of ${details.title} is known yet.`);
  }

  if (!parseVersion(removeWildcards(version))) {
    const problem = /^sha\d+:/i.test(version)
      ? `the release of the digest ${version} is not known; name its version`
      : `expected a version such as 2025.3; got ${quote(version)}`;
    throw new QuestionError('no-version', `version: ${problem}`);
  }

  return version;
}

/** The version of the release with a recorded digest. Any other text stays as it is. */
function readDigest({ releases }: DetailsOn, text: string): string {
  return findByDigest(releases, text)?.version ?? text;
}

/** The latest version, else the greatest release, else the name of the newest line; undefined without any. */
export function findNewestVersion({ latest, releases, lines }: DetailsOn): string | undefined {
  return (latest ?? releases.at(-1))?.version ?? lines.at(-1)?.line;
}

/** The answer about a version, without notes on the question and the index. */
export function answerVersion(details: DetailsOn, question: VersionQuestion): VersionAnswer {
  return composeAnswer(details, question, judgeVersion(details, question), []).answer;
}

function composeAnswer(
  details: DetailsOn,
  { replacement, silence }: VersionQuestion,
  judged: JudgedVersion,
  notes: string[],
) {
  const { component, title, day } = details;
  const { version, state } = judged;
  const grounds = [...listGrounds(details, judged), ...listUnknown(details, judged, silence)];

  const answer: VersionAnswer = dropUndefined({
    component,
    title,
    version,
    asOf: day,
    state,
    label: stateLabels[state],
    sentence: describeState(details, judged, silence),
    because: grounds.map(({ text }) => text),
    advice: describeAdvice(details, judged, replacement),
    notes: dropEmpty(notes),
    ...computeSupportFields(details, judged),
    ...computeSecurityFields(details, judged),
    ...computeUpgradeFields(judged),
  });
  return { answer, grounds };
}

/** The fields about the release, the line, and their support. */
function computeSupportFields({ latest, day }: DetailsOn, judged: JudgedVersion) {
  const { version, release, line, lines } = judged;
  const { isDeprecated, releasesBehind, daysBehind } = release ?? {};
  return {
    isListed: release !== undefined,
    line: line?.line,
    lineState: release || judged.isWholeLine ? undefined : line?.state,
    lines: dropEmpty(lines.map((each) => each.line)),
    isLatest: version === latest?.version,
    isDeprecated,
    isSupported: release ? release.isSupported : line?.isSupported,
    ...(line && pick(line, endFacts)),
    isLts: (line && isLtsOn(line, day)) || undefined,
    phase: line?.phase?.name,
    phases: line?.phases,
    releasesBehind,
    behind: daysBehind === undefined ? undefined : `P${daysBehind}D`,
  };
}

/** The fields about advisories: an empty list only where a source of advisories is watched. */
function computeSecurityFields({ watchesAdvisories }: DetailsOn, { release }: JudgedVersion) {
  const { fixes, severity, exploitedSince, dueBy } = release ?? {};
  const advisories = release?.advisories ?? (release && watchesAdvisories ? [] : undefined);
  const isVulnerable = advisories && advisories.length > 0;
  return { isVulnerable, advisories, fixes, severity, exploitedSince, dueBy };
}

/** The fields about the version to move to: the last day for that, the reasons, and the releases between. */
function computeUpgradeFields(judged: JudgedVersion) {
  const { release, between } = judged;
  return {
    ...pick(judged, ['moveReason', 'moveTo', 'goal', 'moveBy', 'latestOfLine', 'newest']),
    reasons: (release?.because ?? []).map(({ text }) => text),
    releasesBetween: between.map((each) => pick(each, ['version', 'isDeprecated', 'changelogUrl'])),
  };
}

/** Whether the version works with a version of another component, and why: each statement in a sentence with its address. */
export function describePairAnswer(details: DetailsOn, version: string, other: MoveTarget) {
  const { answer, statements } = judgePair(details, version, other);
  const pair = `${details.component} ${version} with ${other.component} ${other.version}`;
  const because = statements.map(({ statement, subject, object }) => {
    const text = describeStatement(statement, subject.component, object.component);
    return { text, url: statement.url };
  });
  return { ...other, answer, sentence: `${pair}: ${answerLabels[answer].toLowerCase()}.`, because };
}

/** The whole answer as one text. */
export function joinAnswerText(answer: VersionAnswer): string {
  const { label, sentence, advice, because, notes = [], with: pairs = [] } = answer;
  const pairTexts = pairs.flatMap((pair) => [
    pair.sentence,
    ...pair.because.map(({ text }) => text),
  ]);
  return [`${label}.`, sentence, advice, ...pairTexts, ...because, ...notes].join(' ');
}

/** The answer without label and advice. The advice may be the only part that says that advisories are unknown, so this says it, too. */
export function joinReason(answer: VersionAnswer): string {
  const { sentence, because, notes = [], isListed, advisories } = answer;
  const unknown = isListed && !advisories ? [describeUnknownAdvisories()] : [];
  return [...new Set([sentence, ...because, ...unknown, ...notes])].join(' ');
}

/** Reads texts such as svc@2025.1. Throws a `QuestionError`. */
export function readNamedVersions(
  source: NameSource,
  texts: readonly string[],
): Promise<MoveTarget[]> {
  return Promise.all(
    texts.map(async (text) => {
      const { details, version: written = '' } = await resolveExact(source, text);
      const { component } = details;
      const version = readDigest(details, written);
      if (parseVersion(version)) {
        return { component, version };
      }

      const example = `${component}@${findNewestVersion(details) ?? '1.0'}`;
      throw new QuestionError(
        'request',
        `${quote(text)}: expected a component with a version, such as ${example}.`,
      );
    }),
  );
}
