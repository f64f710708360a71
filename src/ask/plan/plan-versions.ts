import { dropUndefined } from '../../core/model/objects.ts';
import type { Plan } from '../../core/schemas/published/plan-answer.ts';
import { formatList } from '../../core/text/wording.ts';
import { keepDetails } from '../answers/answer-index.ts';
import type { PublishedIndex } from '../answers/published-index.ts';
import { describeSilent } from '../answers/verdict-sentences.ts';
import { answerResolved } from '../answers/version-answer.ts';
import { describeOthers, type IdentifiedText, type ReadVersion } from '../texts/identify.ts';
import { makePlan, maxPlanned, planWithoutSteps } from './make-plan.ts';
import { maxNamed } from './plan-words.ts';
import type { PlanInput } from './tracks.ts';

type Index = Pick<PublishedIndex, 'details' | 'staleness' | 'silence' | 'day'>;

/** The verdict on each version of a text, in its order. */
export function judgeRead(source: Index, versions: readonly ReadVersion[]): Promise<PlanInput[]> {
  const index = keepDetails(source);

  // At once: a page reads a document for each component.
  return Promise.all(versions.map((version) => makeInput(index, version)));
}

async function makeInput(
  index: Index,
  { component, version, line }: ReadVersion,
): Promise<PlanInput> {
  // Each component of a text was found in the index.
  const details = (await index.details(component))!;
  const { answer, judged, replacement } = await answerResolved(index, { details, version });
  return { line, answer, details, isStuck: judged.isStuck, replacement };
}

/** The plan for a text, from its verdicts. A text that is too long gets its verdicts without a plan. */
export async function planFor(
  index: Index,
  inputs: readonly PlanInput[],
  identified: IdentifiedText,
): Promise<Plan> {
  const staleness = await index.staleness();

  const context = {
    asOf: await index.day(),
    notRead: identified.notRead.map(({ line, text, reason, didYouMean }) =>
      dropUndefined({ line, text, reason, didYouMean: didYouMean && [...didYouMean] }),
    ),
    notes: [
      ...describeOthers(identified),
      ...identified.notes,
      ...(await describeSilence(index, inputs)),
      staleness ?? [],
    ].flat(),
  };

  const { length } = identified.versions;
  return length > maxPlanned
    ? planWithoutSteps(inputs, context, length)
    : makePlan(inputs, context);
}

/** Names the components of which a source has not answered. */
async function describeSilence(index: Index, inputs: readonly PlanInput[]): Promise<string[]> {
  const titles = new Map(inputs.map(({ details }) => [details.component, details.title]));
  const bySentence = new Map<string, string[]>();
  for (const [component, title] of titles) {
    const { releases } = await index.silence(component);
    if (releases) {
      const sentence = describeSilent(releases);
      bySentence.set(sentence, [...(bySentence.get(sentence) ?? []), title]);
    }
  }
  return Array.from(
    bySentence,
    ([sentence, group]) => `${formatList(group, maxNamed)}: ${sentence}.`,
  );
}
