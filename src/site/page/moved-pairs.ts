import { readReplacement, type AnswerIndex } from '../../ask/answers/answer-index.ts';
import type { DetailsOn } from '../../ask/answers/component-on.ts';
import { answerVersion } from '../../ask/answers/version-answer.ts';
import { judgePair, listPartners, type PairAnswer } from '../../core/model/pair-answers.ts';
import type { CompatibilityFile } from '../../core/schemas/published/compatibility-file.ts';
import type { ShownAnswer } from './find-answer.ts';

/** A related component before and after a move, in words. */
export interface MovedPair {
  readonly name: string;
  /** The versions of it that work before the move: `up to 2.1`, or `not stated`. */
  readonly before: string;
  readonly after: string;
  readonly effect: string;
  /** The source of a statement about the target and this component. The effect may have another reason. */
  readonly url?: string | undefined;
}

/** What a move changes for each component that states something about this one, or the reverse. Empty without a move. */
export async function listMovedPairs(
  answer: ShownAnswer,
  index: Pick<AnswerIndex, 'status' | 'details'> & {
    read(path: string): Promise<string | undefined>;
  },
): Promise<MovedPair[]> {
  if (answer.kind !== 'version' || !answer.details || !answer.judged) {
    return [];
  }

  const { details, judged } = answer;
  const { target, line, version } = judged;
  const partners = listPartners(details);
  if (!target || !line || partners.length === 0) {
    return [];
  }

  // The build writes it for an index with partners.
  const { lines } = JSON.parse((await index.read('compatibility.json'))!) as CompatibilityFile;
  const { components } = await index.status();
  const byLine = lines[details.component] ?? {};
  const pairs: MovedPair[] = [];

  for (const component of partners) {
    const ofLine = byLine[line.line]?.[component]?.greatest;
    const ofTargetLine = byLine[target.line]?.[component]?.greatest;
    const before = await findGreatest(index, details, version, component, ofLine);
    const after = await findGreatest(index, details, target.version, component, ofTargetLine);
    // The page does not know which version runs, so it takes the greatest one that works.
    const assumed = before ?? after;
    if (assumed === undefined) {
      continue;
    }

    const { title: name = component, latest } = components[component] ?? {};
    const hasEnded = before !== undefined && latest === undefined;
    const advice = hasEnded ? await findAdvice(index, component, before) : undefined;
    const judgement = judgePair(details, target.version, { component, version: assumed });
    pairs.push({
      name,
      before: describeLimit(before),
      after: describeLimit(after),
      url: judgement.statements
        .map(({ statement }) => statement.url)
        .find((url) => url !== undefined),
      effect: advice ?? describeEffect(before, after, judgement.answer, target.version),
    });
  }

  return pairs;
}

/**
 * The greatest release of a component that works with a version. `ofLine`: the greatest one that works with the newest release of
 * the version's line. Another release of the line may need an older one.
 */
async function findGreatest(
  index: Pick<AnswerIndex, 'details'>,
  details: DetailsOn,
  version: string,
  component: string,
  ofLine: string | undefined,
): Promise<string | undefined> {
  const isGood = (other: string) =>
    judgePair(details, version, { component, version: other }).answer === 'good';
  const release = details.releases.find((each) => each.version === version);
  if (!release || release.isLatestOfLine || (ofLine !== undefined && isGood(ofLine))) {
    return ofLine;
  }

  // Statements name only components of the index.
  const { releases } = (await index.details(component))!;
  return releases.findLast((each) => !each.isPrerelease && isGood(each.version))?.version;
}

function describeLimit(greatest: string | undefined): string {
  return greatest === undefined ? 'not stated' : `up to ${greatest}`;
}

/** `before`, `after`: the greatest releases that work before and after the move. */
function describeEffect(
  before: string | undefined,
  after: string | undefined,
  answer: PairAnswer,
  target: string,
): string {
  if (before === undefined) {
    return `New: works with ${target}`;
  }

  switch (answer) {
    case 'good':
      return 'Keeps working';
    case 'bad':
      return after === undefined ? `${before} does not work with ${target}` : `Move to ${after}`;
    default:
      return `${before}: not stated`;
  }
}

/** The advice for a version of a component, in the words of every answer. */
async function findAdvice(
  index: Pick<AnswerIndex, 'details'>,
  component: string,
  version: string,
): Promise<string> {
  const details = (await index.details(component))!;
  const replacement = await readReplacement(index, details);
  return answerVersion(details, { version, replacement }).advice;
}
