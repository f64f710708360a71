import * as z from 'zod';
import { parsePurl } from '../../../core/model/purl.ts';
import { QuestionError } from '../../../core/query/question-error.ts';
import {
  FoundReleases,
  PageAnswer,
  VersionAnswer,
} from '../../../core/schemas/published/answer-schemas.ts';
import { quote, toLine } from '../../../core/text/foreign-text.ts';
import { formatCount, formatList } from '../../../core/text/wording.ts';
import { ask, maxQuestionLength } from '../../answers/ask.ts';
import { computeFreshnessOn } from '../../answers/details-on.ts';
import { findComponentsOfPackage, expectedPurl, requireComponent } from '../../answers/resolve.ts';
import { listLatestVersions } from '../../answers/search-releases.ts';
import { askExactly } from '../../answers/version-answer.ts';
import { judgeRead, planFor } from '../../plan/plan-versions.ts';
import { identifyExactly, type IdentifiedText, type NotRead } from '../../texts/identify.ts';
import type { ReadText } from '../../texts/text-entries.ts';
import { longestTexts, readText } from '../../texts/read-text.ts';
import {
  defineEndpoint,
  createParameter,
  describeJsonAnswer,
  parameters,
  describeProblemAnswer as problem,
  tooLarge,
  unknownName,
  type Endpoint,
} from './endpoint.ts';
import { readValue, splitValues, createParameterError } from './read-request.ts';
import {
  respondWithCachedJson,
  respondWithCurrentJson,
  explain,
  formatElements,
  createNoteHeader,
  formatJson,
  rejectRequest,
} from './respond.ts';

const { component: componentParameter, version: versionParameter } = parameters;

const purlParameter = createParameter('query', 'purl', 1000, {
  description: 'Only components of this package URL. The version in it is ignored.',
  expected: expectedPurl,
  example: 'pkg:generic/{component}',
});

const expectedVersions = 'components with versions, such as svc@2025.1';

const partnersParameter = createParameter('query', 'with', 1000, {
  isList: true,
  description:
    'Versions of other components in use with it: the answer says whether they work together.',
  expected: expectedVersions,
});

/** Maximum number of versions in a plan of a request. */
const maxInRequest = 100;

const versionsParameter = createParameter('query', 'with', 20_000, {
  isList: true,
  isRequired: true,
  description: `The versions in use, at most ${maxInRequest}.`,
  expected: expectedVersions,
  example: '{component}@{version}',
});

const questionParameter = createParameter('query', 'question', maxQuestionLength, {
  isRequired: true,
  description:
    'A component by name, title or package, with or without a version, as people write it.',
  expected: `at most ${maxQuestionLength} characters`,
  example: '{component} {version}',
});

/** Maximum number of releases in the answer to a question. */
const maxAnswered = 100;

export const componentEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    name: 'list-components',
    path: '/api/components',
    summary: 'All components, or the components of a package.',
    description: 'Sorted by name. For release lines and support, ask for a component.',
    parameters: [purlParameter],
    answers: {
      200: describeJsonAnswer('found-components', 'The components, as JSON array'),
      503: tooLarge,
    },
    example: '/api/components',
    async handle({ request, parameters, index }) {
      const { components } = await index.status();
      const statedPurl = readValue(purlParameter, parameters, parsePurl);
      const names = statedPurl && (await findComponentsOfPackage(index, statedPurl));
      const latest = await listLatestVersions(index);

      const rows = Array.from(await index.searched())
        .filter(([component]) => !names || names.has(component))
        .map(([component, searched]) => {
          const { lines: _, ...shared } = searched;
          return {
            component,
            ...shared,
            status: { ...components[component], latest: latest.get(component) },
          };
        });
      return respondWithCachedJson(request, formatElements(rows), await createNoteHeader(index));
    },
  }),
  defineEndpoint({
    name: 'show-component',
    path: '/api/components/{component}',
    summary: 'A component: support policy, release lines, freshness.',
    description:
      'The data of details/<component>.json without the releases. A former name gives the renamed component.',
    parameters: [componentParameter],
    answers: {
      200: describeJsonAnswer('found-component', 'The component'),
      404: problem('There is no such component.'),
    },
    example: '/api/components/{component}',
    async handle({ request, parameters, index }) {
      const shown = await requireComponent(index, parameters.component);
      const { releases: _, day: __, latest, lines, ...details } = shown;
      const file = await index.status();
      const state = computeFreshnessOn(file, details.component, await index.day());
      const status = { ...file.components[details.component], state, latest: latest?.version };
      const linesOn = lines.map(({ releases, phase, ...line }) => ({
        ...line,
        phase: phase?.name,
        releases: releases.length,
      }));
      const detailsOn = { ...details, latest: latest?.version, lines: linesOn, status };
      return respondWithCurrentJson(request, formatJson(detailsOn), await createNoteHeader(index));
    },
  }),
  defineEndpoint({
    name: 'make-plan',
    path: '/api/plan',
    summary: 'What to do about a list of versions, and when.',
    description: `At most ${maxInRequest} versions by name, alias or package URL. A name is taken exactly; what cannot be read is in notRead, with its reason.`,
    parameters: [versionsParameter],
    answers: { 200: describeJsonAnswer('plan', 'The plan'), 404: unknownName },
    example: '/api/plan?with={component}@{version}',
    async handle({ request, parameters, index }) {
      const texts = splitValues(parameters.with);
      limitVersions(texts.length);

      const lines = texts.join('\n');
      const read = await readText(index, lines, longestTexts.tool);
      if (read.problems.length > 0) {
        throw rejectRequest(400, `with: ${formatList(read.problems, 10)}`, { parameter: 'with' });
      }

      const identified = addUnknown(await identifyExactly(index, read), read, lines);
      const { versions: readVersions, notRead } = identified;
      if (readVersions.length === 0 && notRead.every(({ reason }) => reason === 'unknown')) {
        const { text, didYouMean } = notRead[0] ?? { text: texts[0] ?? '' };
        const message = `No component is called ${quote(text)}.`;
        throw new QuestionError('unknown', message, { didYouMean });
      }

      limitVersions(readVersions.length);

      const inputs = await judgeRead(index, readVersions);
      return respondWithCurrentJson(request, formatJson(await planFor(index, inputs, identified)));
    },
  }),
  defineEndpoint({
    name: 'check-version',
    path: '/api/components/{component}/releases/{version}',
    summary: 'The verdict on a version, with reasons and advice.',
    description:
      'In the words of the command "explain", as of the day of the request. A version that is not listed is judged by its release line (isListed is false); 2025.1.0 and 2025.1 are the same version.',
    parameters: [componentParameter, versionParameter, partnersParameter],
    answers: { 200: describeJsonAnswer('version-answer', 'The verdict'), 404: unknownName },
    example: '/api/components/{component}/releases/{version}',
    async handle({ request, parameters, index }) {
      const others = splitValues(parameters['with']);
      const { answer } = await askExactly(
        index,
        parameters.component,
        parameters['version'],
        others,
      );
      return respondWithCurrentJson(request, formatJson(answer));
    },
  }),
  defineEndpoint({
    name: 'answer-question',
    path: '/api/answers',
    summary: 'The answer to a question such as "what ends in Q1 2027".',
    description:
      'Reads the question like the question box of the pages: it may guess a name, and says so in a note. Without a version, the answer is about the latest version. The answer to a question about several releases is a list.',
    parameters: [questionParameter],
    answers: {
      200: describeJsonAnswer(
        z.union([VersionAnswer, FoundReleases, PageAnswer]),
        'The verdict on a version, releases, or the page that has the answer',
      ),
      404: unknownName,
      503: tooLarge,
    },
    example: '/api/answers?question={component}+{version}',
    async handle({ request, parameters, index, settings }) {
      const result = await ask(index, parameters.question, { maxReleases: maxAnswered });
      switch (result.kind) {
        case 'version':
          return respondWithCurrentJson(request, formatJson(result.answer));
        case 'releases': {
          const { releases, total, notes } = result;
          const share = `These are ${maxAnswered} of ${formatCount(total, 'release')}.`;
          const header = await createNoteHeader(
            index,
            total > releases.length ? [share, ...notes] : notes,
          );
          return respondWithCurrentJson(request, formatElements(releases), header);
        }
        case 'choices': {
          const didYouMean = result.choices.map(({ question }) => question);
          const message = `${quote(parameters.question)} can mean ${formatList(didYouMean, 10)}. Ask for one.`;
          return explain(request, { reason: 'unknown', message, didYouMean });
        }
        case 'page':
          return respondWithCurrentJson(
            request,
            formatJson({ text: result.text, url: `${settings.baseUrl}/${result.page}` }),
          );
        case 'problem':
          return explain(request, {
            ...result,
            reason: result.reason === 'query' ? 'unknown' : result.reason,
          });
        case 'search':
          throw new Error('A search was offered, although it is allowed.');
      }
    },
  }),
];

/** Throws a `QuestionError` for too many versions. */
function limitVersions(count: number): void {
  if (count > maxInRequest) {
    throw createParameterError('with', `at most ${maxInRequest} versions`, String(count));
  }
}

/** A request gets each of its lines that names nothing of the index, not only their number. */
function addUnknown(
  identified: IdentifiedText,
  { entries, isDocument }: ReadText,
  lines: string,
): IdentifiedText {
  if (isDocument) {
    return identified;
  }

  const notRead: NotRead[] = [...identified.notRead];
  const answered = new Set([...entries.flat(), ...notRead].map(({ line }) => line));
  for (const [index, text] of lines.split('\n').entries()) {
    const line = index + 1;
    if (!answered.has(line)) {
      notRead.push({ line, text: toLine(text), reason: 'unknown' });
    }
  }
  return { ...identified, notRead, others: 0 };
}
