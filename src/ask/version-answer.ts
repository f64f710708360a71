import type { VersionAnswer } from '../core/schemas/published/answer-schemas.ts';
import { isLtsOn } from '../core/states.ts';
import { counted, defined, listed, pick, sentence } from '../core/text.ts';
import {
  behindInWords,
  endInWords,
  phaseList,
  reasonInWords,
  stateLabels,
  supportPredicate,
} from '../core/words.ts';
import type { MoveTarget } from '../core/move-to.ts';
import { answerLabels, judgePair } from '../core/works-with.ts';
import type { PublishedLineOn, DetailsOn } from './details-on.ts';
import type { PublishedIndex } from './published-index.ts';
import { judgeVersion, type JudgedVersion, type VersionQuestion } from './judge-version.ts';

type Index = Pick<PublishedIndex, 'details' | 'staleness'>;

/** The answer of an index and its verdict as data. `notes`: sentences about the question. */
export async function judgePublished(
  index: Index,
  details: DetailsOn,
  asked: Omit<VersionQuestion, 'replacement'> & { notes?: readonly (string | undefined)[] },
): Promise<{ answer: VersionAnswer; judged: JudgedVersion }> {
  const { notes = [], ...stated } = asked;
  const { wanted } = stated;
  const { replacedBy } = details;
  const replacement = replacedBy === undefined ? undefined : await index.details(replacedBy);
  const question = { ...stated, replacement };
  const judged = judgeVersion(details, question);
  const isMissing = wanted !== undefined && !judged.target;
  const missing = isMissing ? `There is no release ${wanted} to move to.` : undefined;

  return {
    answer: answerVersion(details, question, [...notes, missing, await index.staleness()], judged),
    judged,
  };
}

/** The latest version, else the greatest. */
export function newestVersion({ latest, releases }: DetailsOn): string | undefined {
  return (latest ?? releases.at(-1))?.version;
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
  const said = notes.filter((note) => note !== undefined);

  return defined({
    ...{ component, title, version, asOf: day, state },
    label: stateLabels[state],
    sentence: stateSentence(details, judged),
    because: [...grounds(details, judged)],
    advice: adviceOn(details, judged, question.replacement),
    notes: said.length > 0 ? said : undefined,
    isListed: release !== undefined,
    line: line?.line,
    lineState: release || judged.isWholeLine ? undefined : line?.state,
    lines: lines.length > 0 ? lines.map(({ line }) => line) : undefined,
    ...{ isLatest: version === latest?.version, isDeprecated },
    isSupported: release ? release.isSupported : line?.isSupported,
    supportedUntil: line?.supportedUntil,
    supportedUntilAtMost: line?.supportedUntilAtMost,
    isLts: (line && isLtsOn(line, day)) || undefined,
    ...{ phase: line?.phase?.name, phases: line?.phases },
    releasesBehind: release?.releasesBehind,
    behind: daysBehind === undefined ? undefined : `P${daysBehind}D`,
    isVulnerable: advisories && true,
    ...{ advisories, fixes: release?.fixes, severity: release?.severity },
    ...{ moveReason, moveTo, goal, moveBy, latestOfLine, newest },
    provenance: release?.provenance,
    with: question.with?.length
      ? question.with.map((other) => pairAnswer(details, version, other))
      : undefined,
    reasons: because.map(({ text }) => text),
    releasesBetween: between.map((one) => pick(one, ['version', 'isDeprecated', 'changelogUrl'])),
  }) as VersionAnswer;
}

/** Whether the version works with a version of another component, and why. */
export function pairAnswer(
  details: DetailsOn,
  version: string,
  other: { component: string; version: string },
) {
  const { answer, because } = judgePair(details, version, other);
  const label = answerLabels[answer];
  const pair = `${details.component} ${version} with ${other.component} ${other.version}`;

  return { ...other, answer, sentence: `${pair}: ${label.toLowerCase()}.`, because: [...because] };
}

/** The whole answer as one text. */
export function versionText(
  answer: Pick<VersionAnswer, 'label' | 'sentence' | 'advice' | 'because' | 'notes' | 'with'>,
): string {
  const { label, sentence, advice, because, notes = [], with: pairs = [] } = answer;
  return [`${label}.`, sentence, advice, ...pairs.flatMap(pairTexts), ...because, ...notes].join(
    ' ',
  );
}

/** The answer about a pair, and the statements behind it. */
export function pairTexts({
  sentence,
  because,
}: NonNullable<VersionAnswer['with']>[number]): string[] {
  return [sentence, ...because.map(({ text }) => text)];
}

/** The reason without the advice. */
export function reasonOf({ sentence, because, notes = [] }: VersionAnswer): string {
  return [sentence, ...because, ...notes].join(' ');
}

function stateSentence({ title, latest }: DetailsOn, judged: JudgedVersion): string {
  const { version, release, line, lines, state } = judged;
  const subject = `${title} ${version}`;

  switch (state) {
    case 'supported':
    case 'ends-soon':
    case 'may-have-ended':
    case 'ended':
      return `${subject} ${supportPredicate(line!)}.`;
    case 'deprecated': {
      const until = line?.isSupported ? endInWords(line) : '';
      return `${subject} is deprecated${until === '' ? '' : `, and supported ${until}`}.`;
    }
    case 'withdrawn':
      return `${subject} was withdrawn.`;
    case 'no-promise': {
      const behind = behindInWords(release?.releasesBehind, release?.daysBehind);
      const far = behind === '' || !latest ? '' : ` It is ${behind} ${latest.version}.`;

      return `Nobody states how long ${subject} is supported.${far}`;
    }
    case 'not-listed':
      return `${subject} is not listed.`;
    case 'not-released':
      return `${subject} is not released yet.`;
    case 'unknown-line':
      return lines.length > 0
        ? `${subject} has ${counted(lines.length, 'release line')}: ${openAndOver(lines)}.`
        : `${subject} belongs to no known release line.`;
  }
}

/** What to do: where to move, or that there is nothing to do, with the facts beside it. */
function adviceOn(
  { title, component }: DetailsOn,
  judged: JudgedVersion,
  replacement: DetailsOn | undefined,
): string {
  const { release, line, isWholeLine, moveReason, moveTo, goal, moveBy, isBack } = judged;
  const { version, latestOfLine, newest } = judged;
  const nameOf = (target: MoveTarget) =>
    target.component === component ? target.version : `${replacement!.title} ${target.version}`;

  if (moveTo) {
    const then = goal ? `, then to ${nameOf(goal)}` : '';
    const by = moveBy === undefined ? '' : ` by ${moveBy}`;

    return `Move ${isBack ? 'back ' : ''}to ${nameOf(moveTo)}${then}${by}.`;
  }

  if (moveReason) {
    return 'There is nothing to move to yet.';
  }

  if (newest === undefined) {
    return release ? 'Nothing to do.' : `The index names no version of ${title} to use.`;
  }

  if (!line) {
    return `The latest version is ${newest}.`;
  }

  if (isWholeLine && latestOfLine !== undefined) {
    return `Its latest version is ${latestOfLine}.`;
  }

  if (version === newest) {
    return 'Nothing to do; it is the newest version.';
  }

  const ofLine =
    latestOfLine === undefined || [version, newest].includes(latestOfLine)
      ? ''
      : `the latest of its line is ${latestOfLine}, `;

  const facts = `${ofLine}the newest version is ${newest}.`;

  return release ? `Nothing to do; ${facts}` : facts.replace(/^t/, 'T');
}

/** `2025.4, 2025.3 supported, 2025.1 ended`. */
function openAndOver(lines: readonly PublishedLineOn[]): string {
  const byState = Map.groupBy(lines.toReversed(), ({ state }) => stateLabels[state].toLowerCase());

  return Array.from(
    byState,
    ([label, of]) =>
      `${listed(
        of.map(({ line }) => line),
        4,
      )} ${label}`,
  ).join(', ');
}

/** Sentences with the reasons for the state, and facts to know before an upgrade. */
function* grounds(details: DetailsOn, judged: JudgedVersion): Generator<string> {
  const { component, title, lines, replacedBy, day } = details;
  const { release, line, state, moveTo, target, between, stop } = judged;
  const aim = judged.goal ?? moveTo;

  if (release?.security !== undefined) {
    yield release.security;
  }

  if (line) {
    yield* reasonsOf(judged, line, day);

    const phases = phaseList(line.phases);
    if (phases !== '') {
      yield `Phases of ${line.line}: ${phases}.`;
    }

    if (state === 'not-listed') {
      yield `Its line ${line.line} ${supportPredicate(line)}.`;
    }
  }

  const isWithin = aim?.component === component;
  const targetLine = lines.find((each) => each.line === target?.line);

  if (isWithin && line && targetLine && targetLine !== line && targetLine.isSupported !== false) {
    if (endInWords(targetLine) !== '') {
      yield `${aim.version} ${supportPredicate(targetLine)}.`;
    }
  }

  if (stop?.reason !== undefined) {
    yield `Stop at ${stop.release.version}: ${sentence(stop.reason)}`;
  }

  if (isWithin && between.length > 0) {
    const deprecated = between.filter(({ isDeprecated }) => isDeprecated).length;
    yield `${counted(between.length, 'release')} between${deprecated > 0 ? `, ${deprecated} of them deprecated` : ''}.`;
  }

  if (replacedBy !== undefined && moveTo?.component !== replacedBy) {
    yield `${title} is replaced by ${replacedBy}.`;
  }

  if (release?.isPrerelease) {
    yield 'It is a prerelease.';
  }

  if (release?.provenance) {
    yield release.provenance.text;
  }
}

/** The reasons for the deprecation and for the support of the line. */
function* reasonsOf(
  { release }: JudgedVersion,
  line: PublishedLineOn,
  day: string,
): Generator<string> {
  const own = (release?.reasons ?? []).map((reason) => reasonInWords(reason, day));
  const ofLine = line.reason ? [sentence(line.reason.text)] : [];
  yield* new Set([...own, ...ofLine]);
}
