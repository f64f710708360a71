import type { Day } from '../../core/model/dates.ts';
import { parseQuery } from '../../core/query/parse.ts';
import { findNamedComponent } from '../../core/query/query-terms.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import { quote } from '../../core/text/foreign-text.ts';
import { formatList, findNearest } from '../../core/text/wording.ts';
import { countReleases, type AnswerIndex } from './answer-index.ts';
import { answerPair, createPageAnswer, type PageAnswer } from './answer-pair.ts';
import { chooseComponent, searchCandidates } from './choose-component.ts';
import { offerAnswers, offerChoices, type Choices } from './choices.ts';
import { answerResolved, type AnsweredVersion } from './version-answer.ts';
import { listExamples } from './example-questions.ts';
import { isOurs } from './find-release.ts';
import { explainError, type AskProblem } from './explain-error.ts';
import { isExact, isNonEmpty, type Candidates } from './match-names.ts';
import { linkPlan } from '../plan/plan-link.ts';
import { searchByQuery, searchDays, type SearchResult } from '../search/search-releases.ts';
import type { SearchableIndex } from '../search/open-search.ts';
import { readComponentName } from './read-name.ts';
import { isMeantAsQuery, queryWords } from './query-texts.ts';
import {
  readQuestion,
  type Question,
  type QueryQuestion,
  type QuestionParts,
  type UnnamedVersion,
} from './read-question.ts';
import {
  createUnknownNameError,
  describeUnread,
  noteUnread,
  toComponentVersion,
  type NameSource,
} from './resolve.ts';

/** An answer as data, which each interface renders. */
export type Answer =
  | AnsweredVersion
  | Choices
  | (SearchResult & { readonly kind: 'releases'; readonly query: string })
  | PageAnswer
  /** The answer needs a search in all releases, which was not allowed. */
  | { readonly kind: 'search'; readonly releases: number }
  | (AskProblem & { readonly kind: 'problem'; readonly examples: readonly string[] });

/** Maximum length of a question, in characters. */
export const maxQuestionLength = 500;

interface AskOptions {
  /** Maximum number of releases. */
  readonly maxReleases?: number;
  /** Whether it may search all releases, which is slow in a large index. */
  readonly maySearch?: boolean;
}

/** Answers a text that a person typed or pasted. It may guess, and says so in the answer. */
export async function ask(
  index: SearchableIndex,
  text: string,
  options: AskOptions = {},
): Promise<Answer> {
  try {
    return await answerText(index, text, options);
  } catch (error) {
    const problem = explainError(
      isUnmeantQuery(error, text) ? createUnansweredError(text, text) : error,
    );
    if (!problem) {
      throw error;
    }

    return { kind: 'problem', ...problem, examples: await listExamples(index) };
  }
}

async function answerText(
  index: SearchableIndex,
  text: string,
  { maxReleases, maySearch = true }: AskOptions,
): Promise<Answer> {
  if (isTooLong(text)) {
    throw new QuestionError('unknown', `A question has at most ${maxQuestionLength} characters.`);
  }

  const day = await index.day();
  const question = readQuestion(text, await index.names(), day);
  if (!maySearch && needsSearch(question, day)) {
    return { kind: 'search', releases: countReleases(await index.status()) };
  }

  switch (question.kind) {
    case 'components':
      return answerWithNotes(index, question.candidates, question, text);
    case 'choices':
      return offerChoices(index, question.candidates);
    case 'pair':
      return answerPair(index, question);
    case 'list':
      return answerList(index, question);
    case 'version':
      return answerBareVersion(index, question, text);
    case 'query':
      return answerQuery(index, question, maxReleases);
    case 'unknown':
      throw question.isPackage
        ? new QuestionError(
            'unknown',
            `No component of this index is published as ${quote(question.name)}.`,
          )
        : createUnansweredError(text, question.name);
  }
}

/** Whether an answer needs the releases of all components. */
function needsSearch(question: Question, day: Day): boolean {
  switch (question.kind) {
    case 'version':
      return true;
    case 'pair':
      return question.sides.some(({ name }) => name === undefined);
    case 'query':
      return findNamedComponent(parseQuery(question.query, day)) === undefined;
    default:
      return false;
  }
}

async function answerQuery(
  index: SearchableIndex,
  { query, span, unread }: QueryQuestion,
  maxReleases: number | undefined,
): Promise<Answer> {
  const day = await index.day();
  const result = span
    ? await searchDays(index, span, day, maxReleases)
    : await searchByQuery(index, query, day, maxReleases);
  const notes = unread === undefined ? result.notes : [describeUnread(unread), ...result.notes];
  return { kind: 'releases', query, ...result, notes };
}

/** Whether an error is about the query language, although the text was not meant as a query. */
function isUnmeantQuery(error: unknown, text: string): boolean {
  return error instanceof QuestionError && error.reason === 'query' && !isMeantAsQuery(text);
}

/**
 * Answers a text that is the name of a component, with or without a version behind it; undefined for any other text, which `ask`
 * answers. It needs neither packages nor the query language, so a page answers most first questions with few bytes.
 */
export async function askNamed(index: AnswerIndex, text: string): Promise<Answer | undefined> {
  if (isTooLong(text)) {
    return undefined;
  }

  const { components } = await index.names();
  const candidates = readComponentName(text, components);
  try {
    return isNonEmpty(candidates) ? await answerCandidates(index, candidates) : undefined;
  } catch (error) {
    if (error instanceof QuestionError && ['unknown', 'no-version'].includes(error.reason)) {
      return undefined;
    }

    throw error;
  }
}

function isTooLong(text: string): boolean {
  return [...text].length > maxQuestionLength;
}

/** Answers several versions with a link to the page that plans. */
async function answerList(
  index: NameSource & Pick<AnswerIndex, 'status'>,
  { candidates, texts, unread: unreadText }: Extract<Question, { kind: 'list' }>,
): Promise<Answer> {
  const { components } = await index.status();
  const shown: string[] = [];
  const list: string[] = [];
  const unread = unreadText === undefined ? [] : [unreadText];
  for (const candidate of candidates) {
    const { name, version: packageVersion = '' } = candidate;
    if (!(await isOurs(index, candidate))) {
      unread.push(packageVersion);
      continue;
    }

    const version = await toComponentVersion(candidate, packageVersion);
    shown.push(`${components[name]!.title} ${version}`);
    list.push(`${name}@${version}`);
  }

  return createPageAnswer(
    linkPlan([...list, ...texts]),
    `Plan for ${formatList([...shown, ...texts], 5)}`,
    unread.join(', '),
  );
}

/** The kinds of questions that an index can answer. Errors about other questions end in it. */
const indexHint =
  'It knows releases, how long they are supported, what to move to, and what works together.';

/** The error for a text without an answer. `name`: the part of the text where a name was expected. */
function createUnansweredError(text: string, name: string): QuestionError {
  // A mistyped name of a component was read as a guess.
  const nearest = name.length < 5 ? undefined : findNearest(name, queryWords);
  return nearest === undefined
    ? createUnknownNameError(text, [], indexHint)
    : createUnknownNameError(text, [nearest]);
}

/** Answers what a text may name. `unread`: its words that were not read. */
async function answerCandidates(
  index: AnswerIndex,
  candidates: Candidates,
  unread?: string,
): Promise<Answer> {
  const isUnversioned = candidates.every(({ version }) => version === undefined);
  const exact = candidates.filter(isExact);

  // Answering each would read a document per component.
  if (isUnversioned && exact.length !== 1 && candidates.length > 1) {
    return offerChoices(index, candidates);
  }

  const { resolved, choices } = await chooseComponent(index, candidates);
  if (resolved) {
    return answerResolved(index, noteUnread(resolved, unread));
  }

  return offerAnswers(index, choices);
}

/** Answers a version without a component name, by the components that have it. */
async function answerBareVersion(
  index: SearchableIndex,
  question: UnnamedVersion,
  text: string,
): Promise<Answer> {
  const candidates = await searchCandidates(index, question);
  if (!isNonEmpty(candidates)) {
    throw createUnansweredError(text, question.unread);
  }

  return answerWithNotes(index, candidates, question, text);
}

/** Answers with notes on the words that were not read, on advisories in the text, and on the next release. */
async function answerWithNotes(
  index: AnswerIndex,
  candidates: Candidates,
  { unread, advisories = [] }: QuestionParts,
  text: string,
): Promise<Answer> {
  const answer = await answerCandidates(index, candidates, unread);
  if (answer.kind !== 'version') {
    return answer;
  }

  const notes = [
    ...advisories.map((id) => describeAdvisory(answer, id)),
    ...(answer.answer.notes ?? []),
    ...(nextReleaseForm.test(text) ? ['No day of a release to come is known.'] : []),
  ];
  return notes.length === 0 ? answer : { ...answer, answer: { ...answer.answer, notes } };
}

/** `advisory`: an id in capitals; the ids of GitHub also have small letters. */
function describeAdvisory({ answer, judged }: AnsweredVersion, advisory: string): string {
  const { advisories } = answer;
  if (!advisories) {
    return `Whether ${advisory} affects it is not known.`;
  }

  const ids = [...advisories, ...(judged.release?.advisoryAliases ?? [])];
  const id = ids.find((each) => each.toUpperCase() === advisory);
  return id === undefined ? `${advisory} is not recorded for it.` : `${id} affects it.`;
}

/** The form of a question about the day of a release to come. A name such as `next.js` does not match. */
const nextReleaseForm = /(?<![\w.-])next(?![\w.-]).*\b(?:release|version)\b/i;
