import type { MoveTarget } from '../../core/model/move-to.ts';
import { dropUndefined, pick } from '../../core/model/objects.ts';
import { answerLabels, judgePair } from '../../core/model/pair-answers.ts';
import { isLtsOn } from '../../core/model/states.ts';
import { parseVersion } from '../../core/model/version.ts';
import { describeUnknownAdvisories, stateLabels } from '../../core/model/words.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import { quote } from '../../core/text/foreign-text.ts';
import type { DetailsOn } from './details-on.ts';
import { judgeVersion, type JudgedVersion, type VersionQuestion } from './judge-version.ts';
import type { PublishedIndex } from './published-index.ts';
import { resolveExact, type NameSource, type Resolved } from './resolve.ts';
import {
  describeAdvice,
  listGrounds,
  listSilenceSentences,
  describeState,
} from './verdict-sentences.ts';

type Index = Pick<PublishedIndex, 'details' | 'staleness' | 'silence'>;

/** The answer of an index, its verdict as data, and what is not known. `notes`: sentences about the question. */
export async function judgePublished(
  index: Index,
  details: DetailsOn,
  input: Omit<VersionQuestion, 'replacement' | 'silence'> & {
    notes?: readonly (string | undefined)[];
  },
): Promise<{ answer: VersionAnswer; judged: JudgedVersion; notKnown: readonly string[] }> {
  const { notes = [], ...subject } = input;
  const { wanted } = subject;
  const { replacedBy } = details;
  const replacement = replacedBy === undefined ? undefined : await index.details(replacedBy);
  const silence = await index.silence(details.component);
  const question = { ...subject, replacement, silence };
  const judged = judgeVersion(details, question);
  const isMissing = wanted !== undefined && !judged.target;
  const missingNote = isMissing ? `There is no release ${wanted} to move to.` : undefined;
  const staleness = await index.staleness();
  const answer = answerVersion(details, question, [...notes, missingNote, staleness], judged);
  const silenceSentences = [...listSilenceSentences(details, judged, silence)];
  const notKnown = silenceSentences.filter((text) => answer.because.includes(text));
  return { answer, judged, notKnown };
}

/** The latest version, else the greatest. */
export function findNewestVersion({ latest, releases, lines }: DetailsOn): string | undefined {
  return (latest ?? releases.at(-1))?.version ?? lines.at(-1)?.line;
}

/** The verdict on a version with reasons and advice. `notes`: sentences about the question or the index. */
export function answerVersion(
  details: DetailsOn,
  question: VersionQuestion,
  notes: readonly (string | undefined)[] = [],
  judged = judgeVersion(details, question),
): VersionAnswer {
  const { component, title, latest, day } = details;
  const { version, release, line, lines, state, between } = judged;
  const { moveReason, moveTo, goal, moveBy, latestOfLine, newest } = judged;
  const { isDeprecated, because = [], advisories, daysBehind } = release ?? {};
  const knownAdvisories = advisories ?? (release && details.watchesAdvisories ? [] : undefined);
  const noteTexts = notes.filter((note) => note !== undefined);
  const advice = describeAdvice(details, judged, question.replacement);
  const unknowns = [...listSilenceSentences(details, judged, question.silence)];

  return dropUndefined({
    component,
    title,
    version,
    asOf: day,
    state,
    label: stateLabels[state],
    sentence: describeState(details, judged, question.silence),
    because: [
      ...listGrounds(details, judged),
      ...unknowns.filter((text) => !advice.includes(text)),
    ],
    advice,
    notes: noteTexts.length > 0 ? noteTexts : undefined,
    isListed: release !== undefined,
    line: line?.line,
    lineState: release || judged.isWholeLine ? undefined : line?.state,
    lines: lines.length > 0 ? lines.map(({ line }) => line) : undefined,
    isLatest: version === latest?.version,
    isDeprecated,
    isSupported: release ? release.isSupported : line?.isSupported,
    supportedUntil: line?.supportedUntil,
    supportedUntilAtMost: line?.supportedUntilAtMost,
    inferred: line?.inferred,
    isLts: (line && isLtsOn(line, day)) || undefined,
    phase: line?.phase?.name,
    phases: line?.phases,
    releasesBehind: release?.releasesBehind,
    behind: daysBehind === undefined ? undefined : `P${daysBehind}D`,
    isVulnerable: knownAdvisories && knownAdvisories.length > 0,
    advisories: knownAdvisories,
    ...(release && pick(release, ['fixes', 'severity', 'exploitedSince', 'dueBy'])),
    moveReason,
    moveTo,
    goal,
    moveBy,
    latestOfLine,
    newest,
    reasons: because.map(({ text }) => text),
    releasesBetween: between.map((release) =>
      pick(release, ['version', 'isDeprecated', 'changelogUrl']),
    ),
  }) as VersionAnswer;
}

/** Whether the version works with a version of another component, and why. */
export function describePairAnswer(details: DetailsOn, version: string, other: MoveTarget) {
  const { answer, because } = judgePair(details, version, other);
  const label = answerLabels[answer];
  const pair = `${details.component} ${version} with ${other.component} ${other.version}`;
  return { ...other, answer, sentence: `${pair}: ${label.toLowerCase()}.`, because: [...because] };
}

/** The whole answer as one text. */
export function joinAnswerText(
  answer: Pick<VersionAnswer, 'label' | 'sentence' | 'advice' | 'because' | 'notes' | 'with'>,
): string {
  const { label, sentence, advice, because, notes = [], with: pairs = [] } = answer;
  return [
    `${label}.`,
    sentence,
    advice,
    ...pairs.flatMap(listPairTexts),
    ...because,
    ...notes,
  ].join(' ');
}

/** The answer about a pair, and the statements behind it. */
function listPairTexts({
  sentence,
  because,
}: NonNullable<VersionAnswer['with']>[number]): string[] {
  return [sentence, ...because.map(({ text }) => text)];
}

/** The reason without the advice, which may be the place that says that advisories are not known. */
export function joinReason({ sentence, advice, because, notes = [] }: VersionAnswer): string {
  const unknown = advice.includes(describeUnknownAdvisories()) ? [describeUnknownAdvisories()] : [];
  return [sentence, ...because, ...unknown, ...notes].join(' ');
}

/** The answer about a version, with the data from which a page draws the picture and the upgrade path. */
export interface AnsweredVersion {
  readonly kind: 'version';
  readonly answer: VersionAnswer;
  readonly judged: JudgedVersion;
  /** Sentences of the answer on what the index does not know. */
  readonly notKnown: readonly string[];
  readonly details: Resolved['details'];
}

/** Answers a program, which names a component exactly. Throws an error that `explainError` explains. */
export async function askExactly(
  index: PublishedIndex,
  text: string,
  version?: string,
  others: readonly string[] = [],
): Promise<AnsweredVersion> {
  const resolved = await resolveExact(index, text);
  const pairs = await readNamedVersions(index, others);
  const question = version === undefined ? resolved : { ...resolved, version };
  return answerWithPairs(index, question, pairs);
}

/** Judges the version; `latest` and no version mean the latest. Throws an error that `explainError` explains. */
export async function answerResolved(
  index: Index,
  { details, version, to, note }: Resolved,
): Promise<AnsweredVersion> {
  const text =
    version === undefined || /^latest$/i.test(version) ? findNewestVersion(details) : version;
  if (text === undefined) {
    throw new QuestionError('unknown', `No release of ${details.title} is known yet.`);
  }

  if (!parseVersion(text.replace(/(?:\.[x*])+$/i, ''))) {
    const problem = /^sha(?:256|512):/i.test(text)
      ? `the release of the digest ${text} is not known; name its version`
      : `expected a version such as 2025.3; got ${quote(text)}`;
    throw new QuestionError('no-version', `version: ${problem}`);
  }

  const question = { version: text, wanted: to, notes: [note] };
  return { kind: 'version', ...(await judgePublished(index, details, question)), details };
}

/** The answer about a version, and whether it works with versions of other components. */
export async function answerWithPairs(
  index: Index,
  resolved: Resolved,
  others: readonly MoveTarget[],
): Promise<AnsweredVersion> {
  const answered = await answerResolved(index, resolved);
  const { answer, details } = answered;
  if (others.length === 0) {
    return answered;
  }

  const pairs = others.map((other) => describePairAnswer(details, answer.version, other));
  return { ...answered, answer: { ...answer, with: pairs } };
}

/** A list as in addresses: `svc@2025.1,edge-node@2.1`. */
export function formatVersionList(versions: readonly MoveTarget[]): string {
  return versions.map(({ component, version }) => `${component}@${version}`).join(',');
}

/** Reads texts such as svc@2025.1. Throws a `QuestionError`. */
export function readNamedVersions(
  source: NameSource,
  texts: readonly string[],
): Promise<MoveTarget[]> {
  return Promise.all(
    texts.map(async (text) => {
      const { details, version } = await resolveExact(source, text);
      const { component } = details;
      if (version !== undefined && parseVersion(version)) {
        return { component, version };
      }

      const example = `${component}@${findNewestVersion(details) ?? '1.0'}`;
      throw new QuestionError(
        'unknown',
        `${quote(text)}: expected a component with a version, such as ${example}.`,
      );
    }),
  );
}
