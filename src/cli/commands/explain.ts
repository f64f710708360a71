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
import type { Day } from '../../core/model/dates.ts';
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
  const url = readSiteUrl('--index', options.index);
  if (url !== undefined) {
    return explainAt(invocation, url);
  }

  const { index, component: findComponent } = openCheckoutIndex(invocation);
  const resolved = await resolveWords(invocation, index);
  const { details, version } = resolved;
  const component = findComponent(details.component)!;
  const pairs = await readNamedVersions(index, options.with ?? []);
  const answered = await answerWithPairs(index, resolved, pairs).catch((error: unknown) => {
    // Without a version, the release lines are explained, also of a component without any release.
    if (version !== undefined || !explainError(error)) {
      throw error;
    }
  });
  const answer = answered?.answer;
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

/** Explains by a published index. */
async function explainAt(invocation: Invocation<Options>, url: string): Promise<number> {
  const { askPublished } = await import('../open-published.ts');
  const { resolved, answer } = await askPublished(invocation, url, async (index) => {
    const resolved = await resolveWords(invocation, index);
    const pairs = await readNamedVersions(index, invocation.options.with ?? []);
    return resolved.version === undefined
      ? { resolved }
      : { resolved, answer: (await answerWithPairs(index, resolved, pairs)).answer };
  });

  const { details } = resolved;
  const lines = [...describeGuess(resolved, answer), ...explainPublished(details, answer)];
  const facts = answer ? addRelease(details, answer) : { releases: details.releases };
  return reportAnswer(invocation, details, facts, lines);
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

  const candidates = await findCandidates(source, text, day);
  if (!isNonEmpty(candidates)) {
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

/** The components that a text names, or that have its version where it names none. */
async function findCandidates(
  source: NameSource,
  text: string,
  day: Day,
): Promise<readonly Candidate[]> {
  const components = await source.named();
  const question = readQuestion(text, components, await source.packages(), day);
  if (question.kind === 'components') {
    return question.candidates;
  }
  if (question.kind !== 'version') {
    return [];
  }

  const { version, to } = question;
  const everyDetails = await Promise.all(components.map(({ name }) => source.details(name)));
  const existing = everyDetails.filter((details) => details !== undefined);
  const names = listComponentsWith(
    existing.map((details) => [details.component, details]),
    version,
  );
  return names.map((name) => ({ name, version, to, reason: 'words' }));
}

function checkAdmitted({ component, version }: VersionAnswer, { unadmitted }: Component): void {
  if (!unadmitted.includes(version)) {
    return;
  }

  const message = `${version} is recorded in data/${component}.json, but components/${component}.json does not admit it: no source accepts it (allowedVersions, prereleases). The site omits it.`;
  throw inputError(component, message);
}
