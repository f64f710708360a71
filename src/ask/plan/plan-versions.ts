import { formatCount, formatList } from '../../core/text/wording.ts';
import { keepDetails } from '../answers/answer-index.ts';
import type { PublishedIndex } from '../answers/published-index.ts';
import { describeMissing } from '../answers/silence.ts';
import { answerResolved } from '../answers/version-answer.ts';
import type { IdentifiedText, ReadVersion } from '../texts/identified-text.ts';
import { makePlan, maxPlanned, planWithoutSteps } from './make-plan.ts';
import { maxNamed } from './plan-words.ts';
import type { PlanInput } from './tracks.ts';

type Index = Pick<PublishedIndex, 'details' | 'staleness' | 'silence' | 'day'>;

/**
 * The plan for the versions of a text, what becomes of each, and how many were read. Of too many, it has no steps, only the verdicts on
 * the first ones.
 */
export async function planVersions(source: Index, identified: IdentifiedText) {
  const index = keepDetails(source);
  const versions = identified.versions.slice(0, maxPlanned);
  // At once: a page reads a document for each component.
  const judged = await Promise.all(versions.map((version) => makeInput(index, version)));
  // `2025.1` and `v2025.1` are one version.
  const groups = Map.groupBy(judged, ({ answer }) => `${answer.component} ${answer.version}`);
  const inputs = Array.from(groups.values(), ([first]) => first);
  const staleness = await index.staleness();

  const context = {
    asOf: await index.day(),
    notRead: identified.notRead,
    notes: [
      ...describeOthers(identified),
      ...identified.notes,
      ...(await describeSilence(index, inputs)),
      ...(staleness === undefined ? [] : [staleness]),
    ],
  };

  const { length } = identified.versions;
  // Further versions are not judged, so each of their spellings counts.
  const readCount = length > maxPlanned ? length : inputs.length;
  const planned =
    readCount > maxPlanned
      ? planWithoutSteps(inputs, context, readCount)
      : makePlan(inputs, context);
  return { ...planned, readCount };
}

async function makeInput(
  index: Index,
  { component, version, line }: ReadVersion,
): Promise<PlanInput> {
  // Each component of a text was found in the index.
  const details = (await index.details(component))!;
  return { line, ...(await answerResolved(index, { details, version })) };
}

/** Says how many packages or lines are not in the index, if there are any. */
function describeOthers({ otherCount: count, isDocument }: IdentifiedText): string[] {
  const sentence = isDocument
    ? `${formatCount(count, 'other package')} ${count === 1 ? 'is' : 'are'} not in this index.`
    : `${formatCount(count, 'other line')} ${count === 1 ? 'names' : 'name'} nothing of this index.`;
  return count === 0 ? [] : [sentence];
}

/** Names the components of which facts may be missing, those of one sentence together. */
async function describeSilence(index: Index, inputs: readonly PlanInput[]): Promise<string[]> {
  const components = new Map(inputs.map(({ details }) => [details.component, details]));
  const silent = [];
  for (const [component, { title, watchesAdvisories }] of components) {
    const { releases, advisories } = await index.silence(component);
    if (releases) {
      silent.push({ title, sentence: describeMissing(releases, 'releases') });
    }
    if (advisories && watchesAdvisories) {
      silent.push({ title, sentence: describeMissing(advisories, 'advisories') });
    }
  }

  const groups = Map.groupBy(silent, ({ sentence }) => sentence);
  return Array.from(groups, ([sentence, group]) => {
    const titles = group.map(({ title }) => title);
    return `${formatList(titles, maxNamed)}: ${sentence}.`;
  });
}
