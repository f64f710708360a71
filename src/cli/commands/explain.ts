import { renderSupportedLines, type DetailsOn } from '../../ask/answers/details-on.ts';
import { explainError } from '../../ask/answers/explain-error.ts';
import { isNonEmpty, type Candidate } from '../../ask/answers/match-names.ts';
import { readQuestion } from '../../ask/answers/read-question.ts';
import {
  listComponentsWith,
  resolveCandidates,
  resolveExact,
  createAmbiguityError,
  type NameSource,
  type Resolved,
} from '../../ask/answers/resolve.ts';
import { answerWithPairs, readNamedVersions } from '../../ask/answers/version-answer.ts';
import { inputError } from '../../core/schemas/finding.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import type { Component } from '../../decide/component.ts';
import {
  flag,
  index,
  shared,
  readSiteUrl,
  texts,
  unableStatus,
  type Command,
  type Invocation,
} from '../command.ts';
import { explainComponent, explainPublished, explainVersion } from '../explanation.ts';
import { openCheckoutIndex } from '../open-index.ts';

const optionTable = {
  index,
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
  statusOfInputErrors: unableStatus,
  run,
};

async function run(invocation: Invocation<Options>): Promise<number> {
  const { options } = invocation;
  const partners = options.with ?? [];
  const url = readSiteUrl('--index', options.index);

  if (url !== undefined) {
    const { askPublished } = await import('../open-published.ts');
    const { resolved, answer } = await askPublished(invocation, url, async (published) => {
      const resolved = await resolveWords(invocation, published);
      const pairs = await readNamedVersions(published, partners);
      const answer =
        resolved.version === undefined
          ? undefined
          : (await answerWithPairs(published, resolved, pairs)).answer;
      return { resolved, answer };
    });

    const lines = [
      ...describeGuess(resolved, answer),
      ...explainPublished(resolved.details, answer),
    ];
    const { details } = resolved;
    const facts = answer ? addRelease(details, answer) : { releases: details.releases };
    return reportAnswer(invocation, details, facts, lines);
  }

  const { index, component: findComponent } = openCheckoutIndex(invocation);
  const resolved = await resolveWords(invocation, index);
  const { details, version } = resolved;
  const component = findComponent(details.component)!;
  const pairs = await readNamedVersions(index, partners);

  const answer = await answerWithPairs(index, resolved, pairs).then(
    (result) => result.answer,
    (error: unknown) => {
      // Without a version, the release lines are explained, also of a component without any release.
      if (version !== undefined || !explainError(error)) {
        throw error;
      }

      return undefined;
    },
  );
  if (answer && !answer.isListed) {
    checkAdmitted(answer, component);
  }

  if (version !== undefined && answer) {
    const lines = explainVersion(component, details, answer);
    return reportAnswer(invocation, details, addRelease(details, answer), lines);
  }

  const lines = [...describeGuess(resolved, undefined), ...explainComponent(component, details)];
  return reportAnswer(invocation, details, { answer, releases: details.releases }, lines);
}

function addRelease({ releases }: DetailsOn, answer: VersionAnswer): object {
  return { release: releases.find(({ version }) => version === answer.version), answer };
}

/** How a name was read, unless the answer says so. */
function describeGuess({ note }: Resolved, answer: VersionAnswer | undefined): string[] {
  return note === undefined || answer ? [] : [note];
}

/** `facts`: for a program. */
function reportAnswer(
  { day, options, report }: Invocation<Options>,
  details: DetailsOn,
  facts: object,
  lines: readonly string[],
): number {
  const { component, latest, nextChangeOn } = details;
  const url = options.index;
  const option = url !== undefined ? ` --index ${url}` : '';
  const command = `npx release-index explain ${component} --markdown${option}`;
  report.print(...(options.markdown === true ? renderSupportedLines(details, command) : lines));

  report.document({
    verb: 'explain',
    component,
    asOf: day,
    latest: latest?.version,
    nextChangeOn,
    ...facts,
  });

  return 0;
}

/** The component and version in the words: exact names for a program, a likely reading for a person. */
async function resolveWords(
  { arguments: words, isForPerson, day }: Invocation<Options>,
  source: NameSource,
): Promise<Resolved> {
  const [first = '', second, third] = words;
  const component = third === undefined ? await source.details(first) : undefined;
  if (component) {
    return { details: component, version: second };
  }

  const text = words.join(' ');
  if (!isForPerson) {
    return resolveExact(source, text);
  }

  const question = readQuestion(text, await source.named(), await source.packages(), day);
  const candidates =
    question.kind === 'version'
      ? await findCandidatesWith(source, question)
      : question.kind === 'components' && question.candidates;
  if (!candidates || !isNonEmpty(candidates)) {
    return resolveExact(source, text);
  }

  const result = await resolveCandidates(source, candidates);
  if ('resolved' in result) {
    return result.resolved;
  }

  const [choice, another] = result.choices;
  if (choice && !another) {
    return choice;
  }

  const names = result.choices.map(({ details }) => details.component);
  throw createAmbiguityError(text, names);
}

/** The components that have the version of a question without a name. */
async function findCandidatesWith(
  source: NameSource,
  { version, to }: { version: string; to?: string | undefined },
): Promise<Candidate[]> {
  const everyDetails = await Promise.all(
    (await source.named()).map(({ name }) => source.details(name)),
  );
  const components = everyDetails
    .filter((details) => details !== undefined)
    .map((details) => [details.component, details] as const);
  const names = listComponentsWith(components, version);
  return names.map((name) => ({ name, version, to, reason: 'words' }));
}

function checkAdmitted({ component, version }: VersionAnswer, { unadmitted }: Component): void {
  if (!unadmitted.includes(version)) {
    return;
  }

  const message = `${version} is recorded in data/${component}.json, but components/${component}.json does not admit it: no source accepts it (allowedVersions, prereleases). The site omits it.`;
  throw inputError(component, message);
}
