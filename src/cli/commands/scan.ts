import type { PublishedIndex } from '../../ask/answers/published-index.ts';
import { maxPlanned } from '../../ask/plan/make-plan.ts';
import { judgeRead, planFor } from '../../ask/plan/plan-versions.ts';
import { countEntries, renderSarif } from '../../ask/scan/reports.ts';
import {
  defaultPolicies,
  isJudged,
  parsePublishedPolicy,
  scanEntries,
  describeUnknownPolicy,
  listWorstResults,
  type ScannedItem,
} from '../../ask/scan/scan-items.ts';
import { identifyExactly, explainLeftOut } from '../../ask/texts/identify.ts';
import { createItemKey, removeRepeatedEntries, type Entry } from '../../ask/texts/items.ts';
import type { Day } from '../../core/model/dates.ts';
import { parsePolicyQuery } from '../../core/query/query-terms.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import { notice, inputError, problem, throwErrors } from '../../core/schemas/finding.ts';
import type { Plan } from '../../core/schemas/published/plan-answer.ts';
import type { PublishedNamedPolicy, ReadPolicy } from '../../core/schemas/published/small-files.ts';
import { requireValue } from '../../io/files/read-documents.ts';
import { builtInPolicies, readPolicies, readSiteConfig } from '../../io/files/read.ts';
import {
  readSiteUrl,
  unableStatus,
  UsageError,
  type Command,
  type Invocation,
} from '../command.ts';
import { askIndex } from '../open-index.ts';
import { readArguments, readStatements, type ReadArgument } from '../read-items.ts';
import {
  createPlaceholderFile,
  readForm,
  reportScan,
  scanOptions,
  applyExceptionFiles,
} from '../scan-report.ts';

const policyNameWidth = Math.max(...Object.keys(builtInPolicies).map((name) => name.length)) + 2;

type Options = typeof scanOptions;

export const command: Command<Options> = {
  arguments: { required: ['item'], isOpen: true },
  options: scanOptions,
  details: [
    'An item: component@version, a package URL (pkg:npm/..., pkg:generic/<component>), an npm package (@scope/name@version), an',
    'image (team/agent:1.0@sha256:...), or a file of at most 20 MB:',
    '- any text: each name, title, alias, package or image of the index in it, with the version in the same statement',
    '- a bill of materials: CycloneDX 1.x, SPDX 2.2 or 2.3, as JSON',
    'A file is - (standard input), begins with /, ./ or ../, or has the name or ending of a list, manifest or build file. A name',
    'without a version has an unknown result, and so has a range. Names are never guessed: a mistyped name is only suggested.',
    '',
    'policies:',
    ...Object.entries(builtInPolicies).map(
      ([name, { description }]) => `  ${name.padEnd(policyNameWidth)}${description}`,
    ),
    '  and policies in site/policies/<name>.json: {"description", "remediation", "labels", "query"}, where a release satisfies',
    '  the policy if the query selects it (search --help).',
    '',
    'A digest is checked before its tag or version. An item is checked by every identifier that it has, and the worst result',
    'counts. Digests are compared with recorded ones. Advisories are named with every policy.',
    'Items that are not in the index are only counted without --all. A version that is not listed is unsatisfied if its release',
    'line has ended, otherwise unknown. A release for which a policy is unknown is unknown, too. Repeated items are judged once.',
    'An exception: [{"package", "versions", "policy", "reason", "until"}], with a component or package URL, exact versions or a',
    'range such as ">=1.2 <2", and its last day. An exception that has ended, or matches nothing, is reported.',
    'In a GitHub workflow, failures and advisories are annotated.',
    'Exits with 0 if nothing fails, 1 if a policy is unsatisfied or the name of an item is mistyped, 2 if the command line is',
    'wrong, and 3 if nothing could be judged: the index cannot be reached or is too old, or a file is missing or rejected.',
  ],
  examples: [
    ['scan svc@2025.1', 'one item in use'],
    ['scan pkg:npm/%40example/edge-node@1.0.0 --policy current', 'a package, by another policy'],
    ['scan bom.json --strict --json', 'a bill of materials, for a script'],
    ['scan a/bom.json b/bom.json', 'several at once'],
    ['scan versions.txt --policy lasting --sarif', 'a list, for code scanning'],
  ],
  statusOfInputErrors: unableStatus,
  run,
};

async function run(invocation: Invocation<Options>): Promise<number> {
  const { options, report, root, day } = invocation;
  const form = readForm(options);
  const { policies: rootPolicies, findings } = readPolicies(root, day);
  throwErrors(findings);

  const queryPolicy = createQueryPolicy(invocation);
  const ownPolicies = [...rootPolicies.values()].filter(({ isBuiltIn }) => !isBuiltIn);
  const names = [...(options.policy ?? (queryPolicy ? [] : defaultPolicies))];
  if (queryPolicy) {
    ownPolicies.push(queryPolicy);
    names.push(queryPolicy.name);
  }

  const url = readSiteUrl('--index', options.index);
  const inputTexts = await readArguments(invocation.arguments);
  const config = requireValue(readSiteConfig(root));

  const outcome = await askIndex(invocation, url, async (index) => {
    const inputs = await readStatements(index, inputTexts);
    const entries = inputs.flatMap((input) => input.entries);
    for (const { argument, notes = [] } of inputs) {
      report.finding(...notes.map((note) => notice(argument, note)));
    }
    const isMistyped = await reportMistyped(invocation, inputs, index);
    const unique = removeRepeatedEntries(entries);

    // Policies of the root take precedence over a published index, except built-in ones.
    const available = [...(await index.policies()), ...ownPolicies];
    const policies = choosePolicies(names, available).map((policy) => readPolicy(policy, day, url));
    const judged = await scanEntries(unique, policies, { index, day });
    const isOld = (await index.staleness()) !== undefined;
    const plan = await makePlanFor(index, inputs);
    return { inputs, entries, unique, judged, isOld, isMistyped, plan };
  });

  const { inputs, entries, unique, judged, isOld, isMistyped, plan } = outcome;
  const scanned = listWorstResults(applyExceptionFiles(invocation, judged));
  const account = countEntries(entries, unique, scanned, countOthers(inputs));
  const origin = { informationUri: config.repositoryUrl, elsewhere: createPlaceholderFile() };
  if (form === 'sarif') {
    report.document(renderSarif(scanned, account, origin));
  } else {
    report.document({ asOf: day, results: scanned.map(({ scan }) => scan), plan });
  }

  const unjudgedInputs = listUnjudgedInputs(inputs, unique, scanned);
  return reportScan(invocation, { account, scanned, isOld, isMistyped, unjudgedInputs, plan });
}

/** The plan for all versions of the inputs. Names of a document that are not in the index are only counted. */
async function makePlanFor(index: PublishedIndex, inputs: readonly ReadArgument[]): Promise<Plan> {
  const identified = await identifyExactly(index, {
    entries: removeRepeatedEntries(inputs.flatMap(({ entries }) => entries)),
    otherLines: inputs.flatMap(({ otherLines = [] }) => otherLines),
    others: countOthers(inputs),
    isDocument: inputs.every(({ isDocument }) => isDocument) || undefined,
    problems: [],
  });
  const inputsOfPlan = await judgeRead(index, identified.versions.slice(0, maxPlanned));
  return planFor(index, inputsOfPlan, identified);
}

function countOthers(inputs: readonly ReadArgument[]): number {
  return inputs.reduce((sum, { others = 0 }) => sum + others, 0);
}

/** Reports what a mistyped name may mean. Returns whether an item of the command line has one: a file may be about anything. */
async function reportMistyped(
  { report }: Invocation,
  inputs: readonly ReadArgument[],
  index: PublishedIndex,
): Promise<boolean> {
  let isMistyped = false;
  for (const input of inputs) {
    const { notRead } = await identifyExactly(index, input);
    const mistyped = notRead.filter(({ reason }) => reason === 'unknown');
    const finding = input.isItem ? problem : notice;
    report.finding(...mistyped.map((part) => finding(input.argument, explainLeftOut(part))));
    isMistyped ||= input.isItem === true && mistyped.length > 0;
  }
  return isMistyped;
}

/** Lists and items without any judged result. A document may have nothing of the index. */
function listUnjudgedInputs(
  inputs: readonly ReadArgument[],
  unique: readonly Entry[],
  scanned: readonly ScannedItem[],
): string[] {
  const results = scanned.filter(({ scan }) => isJudged(scan) || scan.status === 'excepted');
  const indexes = new Set(results.map(({ entry }) => entry));
  const judgedKeys = new Set(unique.filter((_, index) => indexes.has(index)).map(createItemKey));
  return inputs
    .filter(
      ({ entries, isDocument }) =>
        !isDocument && !entries.some((entry) => judgedKeys.has(createItemKey(entry))),
    )
    .map(({ argument }) => argument);
}

/** The policy of --query. */
function createQueryPolicy({ options, day }: Invocation<Options>): ReadPolicy | undefined {
  const { query } = options;
  if (query === undefined) {
    return undefined;
  }

  const description = `The query selects the release: ${query}`;
  const remediation = 'Move to a release that the query selects.';
  const policy = { name: 'query', isBuiltIn: false, description, remediation, query };
  return { ...policy, selects: parsePolicyQuery(query, day) };
}

/** The policies of the command line, in order. The last of equal names applies. */
function choosePolicies(
  names: readonly string[],
  available: readonly PublishedNamedPolicy[],
): PublishedNamedPolicy[] {
  const policies = new Map(available.map((policy) => [policy.name, policy]));
  const unknown = names.filter((name) => !policies.has(name));
  if (unknown.length > 0) {
    const choices = [...policies.keys()];
    throw new UsageError(
      ...unknown.map((name) => `--policy: ${describeUnknownPolicy(name, choices)}`),
    );
  }

  return Array.from(new Set(names), (name) => policies.get(name)!);
}

function readPolicy(policy: PublishedNamedPolicy, day: Day, subject = 'scan'): ReadPolicy {
  try {
    return parsePublishedPolicy(policy, day);
  } catch (error) {
    if (!(error instanceof QuestionError && error.reason === 'query')) {
      throw error;
    }

    const message = `the query of its policy "${policy.name}" cannot be read here: ${error.message}. If a newer program wrote it, update this one`;
    throw inputError(subject, message);
  }
}
