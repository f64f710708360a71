import { chooseComponent, searchCandidates } from '../../ask/answers/choose-component.ts';
import type { Candidate } from '../../ask/answers/match-names.ts';
import type { PublishedIndex } from '../../ask/answers/published-index.ts';
import { readQuestion } from '../../ask/answers/read-question.ts';
import {
  createAmbiguityError,
  noteUnread,
  resolveExact,
  type Resolved,
} from '../../ask/answers/resolve.ts';
import {
  answerResolved,
  findNewestVersion,
  readNamedVersions,
} from '../../ask/answers/version-answer.ts';
import type { MoveTarget } from '../../core/model/move-to.ts';
import { inputError, notice } from '../../core/schemas/finding.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import type { Component } from '../../decide/component.ts';
import { definitionFile, recordedFile } from '../../io/files/root.ts';
import {
  flag,
  indexAddress,
  shared,
  texts,
  UsageError,
  type Command,
  type Invocation,
} from '../command.ts';
import {
  explainComponent,
  explainPairs,
  explainVersion,
  renderSupportedLines,
} from '../explanation.ts';
import { askIndex, type ComponentFinder } from '../open-index.ts';

const optionTable = {
  index: indexAddress,
  with: texts('NAME@VERSION', 'whether it works with this version of another component'),
  markdown: flag('only the supported release lines, as a table for a README or SECURITY.md'),
  ...shared('root', 'as-of'),
};
type Options = typeof optionTable;

export const command: Command<Options> = {
  arguments: { required: ['component'], optional: ['version'] },
  options: optionTable,
  details: [
    'Prints whether it is supported, until when, and what to move to; then order, release line, policy, timestamps and sources.',
    'A component is a name, a title, a package or a package URL. svc@2025.1 names both. A version may also be a release line, or',
    'the first numbers of several lines. On a terminal, a sentence such as "is svc 2025.1 supported?" does, too, and a similar',
    'name may be read; elsewhere it is only suggested. A published index has fewer facts about sources.',
  ],
  examples: [
    ['explain svc', 'all of its release lines'],
    ['explain svc 2025.3', 'one version'],
    ['explain svc --markdown', 'a table of the supported release lines'],
    ['explain svcctl 1.23 --with svc@2026.1', 'whether both work together, and who says so'],
    ['explain svc@2025.3 --index https://releases.example.com', 'the same, from a published index'],
  ],
  isQuestion: true,
  async run(invocation) {
    const { options, report } = invocation;
    const { details, lines, facts } = await askIndex(invocation, (index, findComponent) =>
      explainWords(invocation, index, findComponent),
    );

    const { component, day, latest, nextChangeOn } = details;
    report.print(...(options.markdown ? renderSupportedLines(details) : lines));
    report.document({
      verb: 'explain',
      component,
      asOf: day,
      latest: latest?.version,
      nextChangeOn,
      ...facts,
    });

    return 0;
  },
};

/**
 * Explains a component or a version in lines for a person, and in facts for a program. `findComponent`: of the checkout, whose
 * components have more facts than the index.
 */
async function explainWords(
  invocation: Invocation<Options>,
  index: PublishedIndex,
  findComponent: ComponentFinder | undefined,
) {
  const { with: names = [], markdown } = invocation.options;
  const resolved = await resolveWords(invocation, index);
  if (markdown && (resolved.version !== undefined || names.length > 0)) {
    throw new UsageError('--markdown lists all release lines: leave out the version and --with');
  }
  if (markdown && resolved.note !== undefined) {
    // Standard output has only the table.
    invocation.report.finding(notice('explain', resolved.note));
  }

  const others = await readNamedVersions(index, names);
  const component = findComponent?.(resolved.details.component);
  return resolved.version === undefined
    ? explainAllLines(index, resolved, others, component)
    : explainOneVersion(index, resolved, others, component);
}

async function explainOneVersion(
  index: PublishedIndex,
  resolved: Resolved,
  others: readonly MoveTarget[],
  component: Component | undefined,
) {
  const { details } = resolved;
  const { answer } = await answerResolved(index, resolved, others);
  if (component) {
    checkAdmitted(answer, component);
  }

  const release = details.releases.find(({ version }) => version === answer.version);
  const lines = explainVersion(details, answer, release, component);
  return { details, lines, facts: { release, answer } };
}

/** With the answer about the newest version, if there is any. */
async function explainAllLines(
  index: PublishedIndex,
  resolved: Resolved,
  others: readonly MoveTarget[],
  component: Component | undefined,
) {
  const { details, note } = resolved;
  const hasAnswer = others.length > 0 || findNewestVersion(details) !== undefined;
  const answer = hasAnswer ? (await answerResolved(index, resolved, others)).answer : undefined;
  const lines = [...explainComponent(details, component), ...explainPairs(answer ?? {})];
  return {
    details,
    lines: note === undefined ? lines : [note, ...lines],
    facts: { answer, releases: details.releases },
  };
}

/** The component and version in the words: exact names for a program, a likely reading for a person. */
async function resolveWords(
  { arguments: words, isForPerson }: Invocation<Options>,
  index: PublishedIndex,
): Promise<Resolved> {
  const [first = '', version] = words;
  const details = await index.details(first);
  if (details) {
    return { details, version };
  }

  const text = words.join(' ');
  const { candidates, unread } = isForPerson
    ? await findCandidates(index, text)
    : { candidates: [] };
  if (candidates.length === 0) {
    return resolveExact(index, text);
  }

  const { choices } = await chooseComponent(index, candidates);
  const [choice, another] = choices;
  if (choice && !another) {
    return noteUnread(choice, unread);
  }

  const names = choices.map((each) => each.details.component);
  throw createAmbiguityError(text, names);
}

/** The components that a text names, or that have its version where it names none, and the words that were not read. */
async function findCandidates(
  index: PublishedIndex,
  text: string,
): Promise<{ candidates: readonly Candidate[]; unread?: string | undefined }> {
  const question = readQuestion(text, await index.names(), await index.day());
  if (question.kind === 'version') {
    return { candidates: await searchCandidates(index, question), unread: question.unread };
  }

  return question.kind === 'components' ? question : { candidates: [] };
}

/** Throws an InputError for a recorded version that the site omits. */
function checkAdmitted(
  { component, version, isListed }: VersionAnswer,
  { unadmitted }: Component,
): void {
  if (isListed || !unadmitted.includes(version)) {
    return;
  }

  const message = `${version} is recorded in ${recordedFile(component)}, but ${definitionFile(component)} does not admit it: no source accepts it (allowedVersions, prereleases). The site omits it.`;
  throw inputError(component, message);
}
