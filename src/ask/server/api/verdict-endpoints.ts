import * as z from 'zod';
import {
  FoundReleases,
  PageAnswer,
  VersionAnswer,
} from '../../../core/schemas/published/answer-schemas.ts';
import { toLine } from '../../../core/text/foreign-text.ts';
import { formatCount } from '../../../core/text/wording.ts';
import { ask, maxQuestionLength } from '../../answers/ask.ts';
import type { PublishedIndex } from '../../answers/published-index.ts';
import { createAmbiguityError, createUnknownNameError } from '../../answers/resolve.ts';
import { askExactly } from '../../answers/version-answer.ts';
import { planVersions } from '../../plan/plan-versions.ts';
import type { SearchResult } from '../../search/search-releases.ts';
import { compareLines, type IdentifiedText, type NotRead } from '../../texts/identified-text.ts';
import { identifyExactly } from '../../texts/identify.ts';
import { mapEntry, type Entry, type UnidentifiedText } from '../../texts/text-entries.ts';
import { cannotSearch, componentParameter, unknownName, versionParameter } from './common-parts.ts';
import { createParameter, defineEndpoint, describeJsonAnswer } from './endpoint.ts';
import { createParameterError, readTextValue, splitValues } from './read-request.ts';
import { createNoteHeader } from './note-header.ts';
import { answerAskProblem, answerJson, formatElements, formatJson } from './respond.ts';

/** Values of a list of versions. */
const expectedVersions = 'components with versions, such as svc@2025.1';

const partnersParameter = createParameter('query', 'with', 1000, {
  isList: true,
  description:
    'Versions of other components in use with it: the answer says whether they work together.',
  expected: expectedVersions,
});

export const verdictEndpoint = defineEndpoint({
  name: 'check-version',
  path: '/api/components/{component}/releases/{version}',
  summary: 'The verdict on a version, with reasons and advice.',
  description:
    'In the words of the command "explain", as of the day of the request. A version that is not listed is judged by its release line (isListed is false); 2025.1.0 and 2025.1 are the same version.',
  parameters: [componentParameter, versionParameter, partnersParameter],
  answers: { 200: describeJsonAnswer('version-answer', 'The verdict'), 404: unknownName },
  example: '/api/components/{component}/releases/{version}',
  async handle({ request, parameters, index }) {
    const others = splitValues(parameters.with);
    const { answer } = await askExactly(index, parameters.component, parameters.version, others);
    return answerJson(request, formatJson(answer));
  },
});

/** Maximum number of versions in a plan of a request. */
const maxInRequest = 100;

const versionsParameter = createParameter('query', 'with', 20_000, {
  isList: true,
  isRequired: true,
  description: `The versions in use: at most ${maxInRequest} different ones of components in the index.`,
  expected: expectedVersions,
  example: '{component}@{version}',
});

export const planEndpoint = defineEndpoint({
  name: 'make-plan',
  path: '/api/plan',
  summary: 'A plan for a list of versions: what to move, in which order, and by which day.',
  description: `At most ${maxInRequest} different versions by name, alias or package URL. A name is taken exactly; what cannot be read is in notRead, with its reason, and does not count.`,
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
  if (texts.length === 0) {
    throw createParameterError('with', expectedVersions, 'none');
  }

  const read = await readTexts(index, texts);
  // Each unidentified text is compared with all names.
  const unidentified = read.unidentified.slice(0, maxInRequest);
  const identified = await identifyExactly(index, { ...read, unidentified });
  const notRead = [...identified.notRead, ...listUnknown(read, identified)].sort(compareLines);

  const { versions } = identified;
  if (versions.length === 0 && notRead.every(({ reason }) => reason === 'unknown')) {
    const { text, didYouMean } = notRead[0]!;
    throw createUnknownNameError(text, didYouMean);
  }

  if (versions.length > maxInRequest) {
    const expected = `at most ${maxInRequest} different versions`;
    throw createParameterError('with', expected, String(versions.length));
  }

  return { ...identified, notRead, otherCount: read.otherCount };
}

/**
 * Reads each text by itself, so that none completes a statement of another. The lines of all texts are numbered as one list. A text in
 * which nothing is found is unidentified as a whole. `otherCount`: the further lines, in texts too long to list all of them.
 */
async function readTexts(index: PublishedIndex, texts: readonly string[]) {
  const entries: Entry[] = [];
  const unidentified: UnidentifiedText[] = [];
  let otherCount = 0;
  let linesBefore = 0;

  for (const text of texts) {
    const read = await readTextValue(index, 'with', text);
    const parts = [...(read.unidentified ?? [])];
    if (read.entries.length === 0 && parts.length === 0) {
      parts.push({ line: 1, text: toLine(text), countsAsOther: true, isPhrase: false });
    }

    for (const entry of read.entries) {
      entries.push(mapEntry(entry, (item) => ({ ...item, line: linesBefore + (item.line ?? 1) })));
    }
    for (const part of parts) {
      unidentified.push({ ...part, line: linesBefore + part.line });
    }
    const listedCount = parts.filter(({ countsAsOther }) => countsAsOther).length;
    otherCount += Math.max(0, (read.otherCount ?? 0) - listedCount);
    linesBefore += text.split('\n').length;
  }

  return { entries, unidentified, problems: [], otherCount };
}

/** The lines that state something about no component of the index. A client wants to know what became of each version, not only their number. */
function listUnknown(
  { entries, unidentified }: Awaited<ReturnType<typeof readTexts>>,
  { notRead, foreign }: IdentifiedText,
): NotRead[] {
  const foreignEntries = new Set(foreign);
  const ownItems = entries.filter((entry) => !foreignEntries.has(entry)).flat();
  const answered = new Set([...ownItems, ...notRead].map(({ line }) => line));

  const parts = unidentified.filter(({ line }) => !answered.has(line));
  return [...foreign.map(([item]) => item), ...parts].map(({ line, text }) => {
    return { line, text: toLine(text), reason: 'unknown' };
  });
}

const questionParameter = createParameter('query', 'question', maxQuestionLength, {
  isQuestion: true,
  isRequired: true,
  description:
    'A component by name, title or package, with or without a version, as people write it.',
  expected: `a question of at most ${maxQuestionLength} characters`,
  pattern: String.raw`\S`,
  example: '{component} {version}',
});

/** Maximum number of releases in the answer to a question. */
const maxAnswered = 100;

export const answerEndpoint = defineEndpoint({
  name: 'answer-question',
  path: '/api/answers',
  summary: 'The answer to a question such as "what ends in Q1 2027".',
  description: `Reads the question like the question box of the pages: it may guess a name, and says so in a note. Without a version, the answer is about the latest version. The answer to a question about several releases is a list of at most ${maxAnswered}; the header Release-Index-Total has their number.`,
  parameters: [questionParameter],
  answers: {
    200: describeJsonAnswer(
      z.union([VersionAnswer, FoundReleases, PageAnswer]),
      'The verdict on a version, releases, or the page that has the answer',
    ),
    404: unknownName,
    503: cannotSearch,
  },
  example: '/api/answers?question={component}+{version}',
  async handle({ request, parameters, index, settings }) {
    const { question } = parameters;
    const result = await ask(index, question, { maxReleases: maxAnswered });
    switch (result.kind) {
      case 'version':
        return answerJson(request, formatJson(result.answer));
      case 'page': {
        const page = { text: result.text, url: `${settings.baseUrl}/${result.page}` };
        return answerJson(request, formatJson(page));
      }
      case 'releases': {
        const note = await createNoteHeader(index, listNotes(result));
        const headers = { 'Release-Index-Total': String(result.total), ...note };
        return answerJson(request, formatElements(result.releases), headers);
      }
      case 'choices':
        throw createAmbiguityError(
          question,
          result.choices.map((choice) => choice.question),
        );
      case 'problem':
        return answerAskProblem(request, result, questionParameter.name);
      case 'search':
        throw new Error('ask() offered a search, although it was allowed to search.');
    }
  },
});

/** The notes on found releases. If the answer has only some of them, the first note says how many. */
function listNotes({ releases, total, notes }: SearchResult): readonly string[] {
  const share = `These are ${maxAnswered} of ${formatCount(total, 'release')}.`;
  return total > releases.length ? [share, ...notes] : notes;
}
