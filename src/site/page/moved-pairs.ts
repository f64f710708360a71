import { readReplacement, type AnswerIndex } from '../../ask/answers/answer-index.ts';
import { answerVersion } from '../../ask/answers/version-answer.ts';
import { judgePair, listPartners, type PairAnswer } from '../../core/model/pair-answers.ts';
import type { CompatibilityFile } from '../../core/schemas/published/compatibility-file.ts';
import type { ShownAnswer } from './support-evidence.ts';

/** A related component before and after a move. */
export interface MovedPair {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  /** `can stay`, for the number of such pairs. */
  readonly kind: string;
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
  const { target, line } = judged;
  const partners = listPartners(details);
  if (!target || !line || partners.length === 0) {
    return [];
  }

  const { lines } = JSON.parse((await index.read('compatibility.json'))!) as CompatibilityFile;
  const { components } = await index.status();
  const byLine = lines[details.component] ?? {};
  const pairs: MovedPair[] = [];

  for (const component of partners) {
    const before = byLine[line.line]?.[component]?.greatest;
    const after = byLine[target.line]?.[component]?.greatest;
    const version = before ?? after;
    if (version === undefined) {
      continue;
    }

    const { title: name = component, latest } = components[component] ?? {};
    // Only a component that has ended has no version to use.
    const advice =
      before !== undefined && latest === undefined
        ? await findAdvice(index, component, before)
        : undefined;
    const judgement = judgePair(details, target.version, { component, version });
    pairs.push({
      name,
      before: describeLimit(before),
      after: describeLimit(after),
      url: judgement.because.find(({ url }) => url !== undefined)?.url,
      ...describeEffect({ before, after, advice }, judgement.answer, target.version),
    });
  }

  return pairs;
}

function describeLimit(greatest: string | undefined): string {
  return greatest === undefined ? 'not stated' : `up to ${greatest}`;
}

/** `before`, `after`: the greatest releases that work before and after the move. `advice`: only if the component has ended. */
function describeEffect(
  { before, after, advice }: Record<'before' | 'after' | 'advice', string | undefined>,
  answer: PairAnswer,
  target: string,
): Pick<MovedPair, 'kind' | 'effect'> {
  if (before === undefined) {
    return { kind: 'can be added', effect: `New: works with ${target}` };
  }
  if (advice !== undefined) {
    return { kind: 'must be replaced', effect: advice };
  }

  switch (answer) {
    case 'good':
      return { kind: 'can stay', effect: 'Keeps working' };
    case 'bad':
      return {
        kind: 'cannot stay',
        effect: after === undefined ? `${before} does not work with it` : `Move to ${after}`,
      };
    default:
      return { kind: 'without a statement', effect: `${before}: not stated` };
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
