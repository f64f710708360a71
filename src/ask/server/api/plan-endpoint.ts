import { QuestionError } from '../../../core/query/question-error.ts';
import { quote, toLine } from '../../../core/text/foreign-text.ts';
import { formatList } from '../../../core/text/wording.ts';
import type { PublishedIndex } from '../../answers/published-index.ts';
import { planVersions } from '../../plan/plan-versions.ts';
import type { IdentifiedText, NotRead } from '../../texts/identified-text.ts';
import { identifyExactly } from '../../texts/identify.ts';
import { longestTexts, readText } from '../../texts/read-text.ts';
import type { Entry } from '../../texts/text-entries.ts';
import {
  createParameter,
  defineEndpoint,
  describeJsonAnswer,
  expectedVersions,
  unknownName,
} from './endpoint.ts';
import { createParameterError, splitValues } from './read-request.ts';
import { formatJson, rejectRequest, answerJson } from './respond.ts';

/** Maximum number of versions in a plan of a request. */
const maxInRequest = 100;

const versionsParameter = createParameter('query', 'with', 20_000, {
  isList: true,
  isRequired: true,
  description: `The versions in use, at most ${maxInRequest}.`,
  expected: expectedVersions,
  example: '{component}@{version}',
});

export const planEndpoint = defineEndpoint({
  name: 'make-plan',
  path: '/api/plan',
  summary: 'What to do about a list of versions, and when.',
  description: `At most ${maxInRequest} versions by name, alias or package URL. A name is taken exactly; what cannot be read is in notRead, with its reason.`,
  parameters: [versionsParameter],
  answers: { 200: describeJsonAnswer('plan', 'The plan'), 404: unknownName },
  example: '/api/plan?with={component}@{version}',
  async handle({ request, parameters, index }) {
    const identified = await identifyVersions(index, splitValues(parameters.with));
    const { plan } = await planVersions(index, identified);
    return answerJson(request, formatJson(plan));
  },
});

/** The versions in the texts of a request. Throws a `QuestionError` for too many, or if no text names a component. */
async function identifyVersions(
  index: PublishedIndex,
  texts: readonly string[],
): Promise<IdentifiedText> {
  limitVersions(texts.length);

  const lines = texts.join('\n');
  const read = await readText(index, lines, longestTexts.request);
  if (read.problems.length > 0) {
    throw rejectRequest(400, `with: ${formatList(read.problems, 10)}`, { parameter: 'with' });
  }

  const identified = addUnknown(await identifyExactly(index, read), read.entries, lines);
  const { versions, notRead } = identified;
  if (versions.length === 0 && notRead.every(({ reason }) => reason === 'unknown')) {
    const { text, didYouMean } = notRead[0] ?? { text: lines };
    const message = `No component is called ${quote(text)}.`;
    throw new QuestionError('unknown', message, { didYouMean });
  }

  limitVersions(versions.length);
  return identified;
}

/** Throws a `QuestionError` for too many versions. */
function limitVersions(count: number): void {
  if (count > maxInRequest) {
    throw createParameterError('with', `at most ${maxInRequest} versions`, String(count));
  }
}

/** Adds each line that names nothing of the index, and not only their number: a client wants to know what became of each version. */
function addUnknown(
  identified: IdentifiedText,
  entries: readonly Entry[],
  lines: string,
): IdentifiedText {
  const notRead: NotRead[] = [...identified.notRead];
  const answered = new Set([...entries.flat(), ...notRead].map(({ line }) => line));
  for (const [index, text] of lines.split('\n').entries()) {
    const line = index + 1;
    if (!answered.has(line)) {
      notRead.push({ line, text: toLine(text), reason: 'unknown' });
    }
  }
  return { ...identified, notRead, otherCount: 0 };
}
