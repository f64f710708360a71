import { inPhase, phaseList } from '../core/phases.ts';
import type { VersionAnswer } from '../core/schemas/published/answer-schemas.ts';
import type { DetailsFile } from '../core/schemas/published/details-file.ts';
import { counted, defined, listed, sentence } from '../core/text.ts';
import {
  judgeVersion,
  type DetailedLine,
  type JudgedVersion,
  type MoveTo,
  type VersionQuestion,
} from './judge-version.ts';
import type { PublishedIndex } from './published-index.ts';
import { resolve, UnknownNameError } from './resolve.ts';

/** The answer of an index, from the details of a component. */
export async function answerPublished(
  index: PublishedIndex,
  details: DetailsFile,
  version: string,
  note?: string,
): Promise<VersionAnswer> {
  const { replacedBy } = details;
  const replacement = replacedBy === undefined ? undefined : await index.details(replacedBy);
  const question = { version, asOf: await index.day(), latestOfReplacement: replacement?.latest };
  return answerVersion(details, question, [note, await index.staleness()]);
}

/**
 * The answer to a text that somebody typed: about its own version, a stated one, or else the latest one. Throws an
 * `UnknownNameError`.
 */
export async function answerTyped(
  index: PublishedIndex,
  text: string,
  stated?: string,
): Promise<VersionAnswer> {
  const { details, version, note } = await resolve(index, text);
  const asked = stated ?? version ?? newestVersion(details);
  if (asked === undefined) throw new UnknownNameError(`No release of ${details.component} is known yet.`);
  return answerPublished(index, details, asked, note);
}

/** The latest version, or else the newest. */
export function newestVersion({ latest, releases }: DetailsFile): string | undefined {
  return latest ?? releases.at(-1)?.version;
}

/** What holds of a version, as of the day of the question. `notes`: sentences about the question or the index. */
export function answerVersion(
  details: DetailsFile,
  question: VersionQuestion,
  notes: readonly (string | undefined)[] = [],
  judged = judgeVersion(details, question),
): VersionAnswer {
  const { asOf } = question;
  const { component, title, latest } = details;
  const { version, release, line, lines, state, moveTo, moveBy, between } = judged;
  const { status, isDeprecated, reasons = [] } = release ?? {};
  return defined({
    ...{ component, title, version, asOf, state },
    sentence: sentenceOf(details, judged),
    evidence: [...evidenceOf(details, judged, asOf), ...notes].filter(Boolean).join(' ') || undefined,
    isListed: release !== undefined,
    line: line?.line,
    lines: lines.length > 0 ? lines.map(({ line }) => line) : undefined,
    ...{ status, isLatest: version === latest, isDeprecated },
    isSupported: status === 'withdrawn' ? false : line?.isSupported,
    supportedUntil: line?.supportedUntil,
    supportedUntilKind: line?.supportedUntilKind,
    ...{ isLts: line?.isLts, phase: line?.phase, phases: line?.phases },
    ...{ moveTo, moveBy, provenance: release?.provenance },
    reasons: reasons.map(({ text }) => text),
    releasesBetween: between.map(({ version, isDeprecated, changelogUrl }) =>
      defined({ version, isDeprecated, changelogUrl }),
    ),
  });
}

/** The whole answer in one text that can be quoted. */
export function versionText(answer: Pick<VersionAnswer, 'state' | 'sentence' | 'evidence'>): string {
  const { state, sentence, evidence = '' } = answer;
  return `${state}. ${sentence} ${evidence}`.trim();
}

/** Why it stands where it stands, without what to do. */
export function reasonOf({ sentence, evidence = '' }: VersionAnswer): string {
  return `${sentence.slice(0, sentence.lastIndexOf('; '))}. ${evidence}`.trim();
}

/** What to do, without the reason for it. */
export function moveSentence(answer: VersionAnswer): string {
  const { component, moveTo, moveBy, isSupported, isDeprecated } = answer;
  if (moveTo) return `Move to ${nameOf(moveTo, component)}${moveBy === undefined ? '' : ` by ${moveBy}`}.`;
  return isDeprecated || isSupported === false ? 'The index names no successor.' : 'No need to move.';
}

function nameOf({ component, version }: MoveTo, own: string): string {
  if (component === own) return version!;
  return version === undefined ? component : `${component} ${version}`;
}

function sentenceOf({ component, title }: DetailsFile, judged: JudgedVersion): string {
  const { version, release, line, lines, state, moveTo, moveBy, latest, latestOfLine } = judged;
  const words = (): string => {
    switch (state) {
      case 'Supported':
      case 'Ends soon':
      case 'Support ended':
        return lineWords(line!);
      case 'Deprecated':
        return line?.isSupported && line.supportedUntil !== undefined
          ? `is deprecated, and supported until ${dayOf(line)}`
          : 'is deprecated';
      case 'Withdrawn':
        return 'was withdrawn';
      case 'No policy':
        return 'is not deprecated and has no support policy';
      case 'Not listed':
        return 'is not listed';
      case 'Several lines':
        return `has ${counted(lines.length, 'release line')}: ${openAndOver(lines)}`;
      case 'Not released':
        return 'is not released yet';
      case 'Unknown version':
        return 'belongs to no known release line';
    }
  };
  const action = (): string => {
    if (!line) return latest ? `the latest version is ${latest.version}` : move('it has no version to use');
    if (judged.isWholeLine && latestOfLine) return `its latest version is ${latestOfLine.version}`;
    return move(actionWithoutMove());
  };
  const move = (otherwise: string): string => {
    if (!moveTo) return otherwise;
    const by = moveBy === undefined ? '' : ' by then';
    return `move ${judged.isBack ? 'back ' : ''}to ${nameOf(moveTo, component)}${by}`;
  };
  const actionWithoutMove = (): string => {
    if (!latestOfLine) return latest ? 'no newer stable version is listed' : 'the index names no successor';
    return release === latestOfLine ? 'no need to move' : `the latest of its line is ${latestOfLine.version}`;
  };
  return `${title} ${version} ${words()}; ${action()}.`;
}

/** `2025.4, 2025.3 supported, 2025.1 ended`. */
function openAndOver(lines: readonly DetailedLine[]): string {
  const isOver = ({ isSupported }: DetailedLine) => isSupported === false;
  const open = lines.filter((line) => !isOver(line));
  const verb = open.some(({ isSupported }) => isSupported) ? 'supported' : 'listed';
  return [...namesOf(open, verb), ...namesOf(lines.filter(isOver), 'ended')].join(', ');
}

/** Newest first. */
function namesOf(lines: readonly DetailedLine[], verb: string): string[] {
  const names = lines.map(({ line }) => line).reverse();
  return names.length === 0 ? [] : [`${listed(names, 4)} ${verb}`];
}

/** The first day without support; an observed one is a bound. */
function dayOf({ supportedUntil, supportedUntilKind }: DetailedLine): string | undefined {
  return supportedUntilKind === 'observed' ? `${supportedUntil} at the latest` : supportedUntil;
}

/** What the sentence follows from, and what to know before moving. */
function evidenceOf(details: DetailsFile, judged: JudgedVersion, asOf: string) {
  const { component, title, lines, replacedBy } = details;
  const { release, line, state, moveTo, latest, target, between } = judged;
  const isWithin = moveTo?.component === component;
  const targetLine = lines.find(({ line }) => line === target?.line);
  const isElsewhere = isWithin && line && targetLine !== line;
  const end = isElsewhere && targetLine ? dayOf(targetLine) : undefined;
  const deprecated = between.filter(({ isDeprecated }) => isDeprecated).length;
  const ofThose = deprecated > 0 ? `, ${deprecated} of them deprecated` : '';
  const isNewest = !release || release !== judged.latestOfLine || latest?.line === line?.line;
  const isReplaced = replacedBy !== undefined && moveTo?.component !== replacedBy;
  const isByLine = !release && line && !judged.isWholeLine && state !== 'Not listed';
  return [
    release?.security,
    ...(line ? reasonsOf(judged, line, asOf) : []),
    line?.phases && `Phases of ${line.line}: ${phaseList(line.phases)}.`,
    state === 'Not listed' && line && `Its line ${line.line} ${lineWords(line)}.`,
    end !== undefined && `${moveTo!.version} is supported until ${end}.`,
    isWithin && between.length > 0 && `${counted(between.length, 'release')} between${ofThose}.`,
    !isNewest && latest && `The newest line is ${latest.line}.`,
    isReplaced && `${title} is replaced by ${replacedBy}.`,
    release?.isPrerelease && 'It is a prerelease.',
    release?.provenance?.text,
    isByLine && `It is not listed, and judged by its line ${line.line}.`,
  ];
}

/** The support of a line, behind its name. */
export function lineWords(line: DetailedLine): string {
  const { isSupported, phases = [] } = line;
  const present = inPhase(
    phases.find(({ name }) => name === line.phase),
    line.supportedUntil,
  );
  const until = dayOf(line);
  if (isSupported === undefined) return 'has no support policy';
  if (isSupported) return `is supported${until === undefined ? '' : ` until ${until}`}${present}`;
  return `${until === undefined ? 'is no longer supported' : `has been out of support since ${until}`}${present}`;
}

/** Why it is deprecated or supported so long. */
function reasonsOf({ release }: JudgedVersion, line: DetailedLine, asOf: string): string[] {
  const own = [...(release?.reasons ?? []), ...(release?.upcoming ?? [])].map(
    ({ rule, text, from, fromKind }) => {
      const words = sentence(text);
      if (rule === 'support policy' || from === undefined || words.includes(from)) return words;
      const bound = fromKind === undefined ? '' : ' at the latest';
      return from <= asOf ? `${words} Since ${from}${bound}.` : `Deprecated from ${from} on: ${words}`;
    },
  );
  const ofLine = line.reason === undefined ? [] : [sentence(line.reason)];
  const end = line.undatedEnd === undefined ? [] : [`End of support: ${sentence(line.undatedEnd)}`];
  return [...new Set([...own, ...ofLine, ...end])];
}
