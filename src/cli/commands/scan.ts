import type { PublishedIndex } from '../../ask/answers/published-index.ts';
import { planVersions } from '../../ask/plan/plan-versions.ts';
import {
  countEntries,
  isDecided,
  listWorstResults,
  type ScannedItem,
} from '../../ask/scan/scan-results.ts';
import { defaultPolicies, type ReadPolicy } from '../../ask/scan/scan-policies.ts';
import { renderSarif } from '../../ask/scan/render-sarif.ts';
import { scanEntries } from '../../ask/scan/scan-items.ts';
import { explainNotRead } from '../../ask/texts/identified-text.ts';
import { identifyExactly } from '../../ask/texts/identify.ts';
import type { Entry } from '../../ask/texts/text-entries.ts';
import { notice, problem } from '../../core/schemas/finding.ts';
import type { Plan } from '../../core/schemas/published/plan-answer.ts';
import { requireSiteConfig } from '../../io/files/settings-files.ts';
import { builtInPolicies } from '../../io/files/read-policies.ts';
import {
  flag,
  indexAddress,
  shared,
  text,
  texts,
  UsageError,
  type Command,
  type Invocation,
} from '../command.ts';
import { askIndex } from '../open-index.ts';
import { loadArguments, readArguments, type ReadArgument } from '../read-arguments.ts';
import {
  applyExceptionFiles,
  choosePolicies,
  createScanKey,
  findExceptionFiles,
} from '../read-scan-rules.ts';
import { reportScan } from '../scan-report.ts';

const policyNameWidth = Math.max(...Object.keys(builtInPolicies).map((name) => name.length)) + 2;

const optionTable = {
  policy: texts(
    'NAME',
    `policy for each item; may be given several times (default: ${defaultPolicies.join(' and ')})`,
  ),
  strict: flag(
    'exit 1 also for unknown results, and for a list or an item without any judged result',
  ),
  'allow-stale': flag('judge also if the index was last updated too long ago'),
  exceptions: text(
    'FILE',
    'failures to let pass (default: .release-index-exceptions.json next to the file)',
  ),
  index: indexAddress,
  sarif: flag('failures as SARIF 2.1.0, for code scanning'),
  ...shared('root', 'as-of'),
};
type Options = typeof optionTable;

export const command: Command<Options> = {
  arguments: { required: ['item'], isOpen: true },
  options: optionTable,
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
    'Items that are not in the index are only counted. A version that is not listed is unsatisfied if its release',
    'line has ended, otherwise unknown. A release for which a policy is unknown is unknown, too. Repeated items are judged once.',
    'An exception: [{"package", "versions", "policy", "reason", "until"}], with a component or package URL, exact versions or a',
    'range such as ">=1.2 <2", and its last day. An exception that has ended, or matches nothing, is reported.',
    'In a GitHub workflow, failures and advisories are annotated, unless with --json or --sarif.',
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
  isQuestion: true,
  async run(invocation) {
    const { options, report, root } = invocation;
    if (options.json && options.sarif) {
      throw new UsageError('scan accepts --json or --sarif, not both');
    }

    const args = await loadArguments(invocation.arguments);
    const { repositoryUrl: informationUri } = requireSiteConfig(root);

    const result = await askIndex(invocation, async (index) => {
      const inputs = await readArguments(index, args);
      const isMistyped = await reportInputs(invocation, inputs, index);
      const policies = await choosePolicies(invocation, index, options.index, options.policy);
      return { isMistyped, ...(await scanInputs(invocation, index, inputs, policies)) };
    });

    const { scanned, account, plan } = result;
    report.document(
      options.sarif
        ? renderSarif(scanned, account, informationUri)
        : { asOf: plan.asOf, results: scanned.map(({ scan }) => scan), plan },
    );
    return reportScan(invocation, result);
  },
};

/** Judges each entry of the inputs once by each policy, and plans the moves. */
async function scanInputs(
  { options, report }: Invocation<Options>,
  index: PublishedIndex,
  inputs: readonly ReadArgument[],
  policies: readonly ReadPolicy[],
) {
  const entries = inputs.flatMap((input) => input.entries);
  const exceptionFiles = findExceptionFiles(options.exceptions, entries);
  const byKey = Map.groupBy(entries, (entry) => createScanKey(entry, exceptionFiles));
  const groups = [...byKey.values()];
  const unique = groups.map(([first]) => first);
  const judged = await scanEntries(unique, policies, index);
  const day = await index.day();
  const scanned = listWorstResults(applyExceptionFiles({ day, report }, exceptionFiles, judged));
  return {
    scanned,
    account: countEntries(entries.length, scanned, countOthers(inputs)),
    unjudgedInputs: listUnjudgedInputs(inputs, groups, scanned),
    isOld: (await index.staleness()) !== undefined,
    plan: await planInputs(index, inputs, unique),
  };
}

/** The plan for all versions of the inputs. Names of a document that are not in the index are only counted. */
async function planInputs(
  index: PublishedIndex,
  inputs: readonly ReadArgument[],
  unique: readonly Entry[],
): Promise<Plan> {
  const identified = await identifyExactly(index, {
    entries: unique,
    unidentified: inputs.flatMap(({ unidentified = [] }) => unidentified),
    otherCount: countOthers(inputs),
    isDocument: inputs.every(({ isDocument }) => isDocument) || undefined,
    problems: [],
  });
  return (await planVersions(index, identified)).plan;
}

function countOthers(inputs: readonly ReadArgument[]): number {
  return inputs.reduce((sum, { otherCount = 0 }) => sum + otherCount, 0);
}

/**
 * Reports what was not read, and the names of the index to which an unknown one is similar. Returns whether such a name is
 * an argument. In a file, it is no mistake: a file may be about anything.
 */
async function reportInputs(
  { report }: Invocation,
  inputs: readonly ReadArgument[],
  index: PublishedIndex,
): Promise<boolean> {
  let isMistyped = false;
  for (const input of inputs) {
    const { argument, isFile, notes = [] } = input;
    const { notRead } = await identifyExactly(index, input);
    const unknown = notRead.filter(({ reason }) => reason === 'unknown');
    const createFinding = isFile ? notice : problem;
    report.finding(
      ...notes.map((note) => notice(argument, note)),
      ...unknown.map((part) => createFinding(argument, explainNotRead(part))),
    );
    isMistyped ||= !isFile && unknown.length > 0;
  }
  return isMistyped;
}

/** Lists and items without any judged or excepted result. `groups`: entries with the same results. A document may have nothing of the index. */
function listUnjudgedInputs(
  inputs: readonly ReadArgument[],
  groups: readonly (readonly Entry[])[],
  scanned: readonly ScannedItem[],
): string[] {
  const judged = scanned.filter(({ scan }) => isDecided(scan));
  const judgedEntries = new Set(judged.flatMap(({ position }) => groups[position]));
  const isUnjudged = ({ entries, isDocument }: ReadArgument) =>
    !isDocument && !entries.some((entry) => judgedEntries.has(entry));
  return inputs.filter(isUnjudged).map(({ argument }) => argument);
}
