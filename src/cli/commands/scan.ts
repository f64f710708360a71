import { boundInWords } from '../../core/dates.ts';
import type { PublishedNamedPolicy } from '../../core/schemas/published/policies-file.ts';
import { QueryError } from '../../core/query/query-error.ts';
import { sarifOf } from '../../ask/scan/sarif.ts';
import {
  accountFor,
  accountSentence,
  listUnjudged,
  shownUnjudged,
  type Account,
} from '../../ask/scan/account.ts';
import {
  isJudged,
  parsePublishedPolicy,
  scanEntries,
  unknownPolicy,
  type ScannedItem,
} from '../../ask/scan/scan-items.ts';
import { uniqueEntries, type Entry } from '../../ask/scan/items.ts';
import type { ReadPolicy } from '../../core/schemas/published/policies-file.ts';
import { readPolicies } from '../../io/files/policies.ts';
import { readSiteConfig } from '../../io/files/read.ts';
import { commandLine } from '../../core/command-prefix.ts';
import { builtInPolicies } from '../../core/schemas/named-policy.ts';
import { counted, grouped } from '../../core/text.ts';
import {
  flag,
  index,
  inputError,
  requireValue,
  shared,
  siteUrlOf,
  text,
  throwErrors,
  UsageError,
  type Command,
  type Invocation,
} from '../command.ts';
import { askPublished, openCheckout } from '../open-index.ts';
import { readArguments } from '../read-items.ts';

export const command: Command = {
  arguments: '<item...>',
  options: {
    policy: {
      ...text('NAME', 'policy for each item; may be given several times (default: supported)'),
      multiple: true,
    },
    'require-known': flag('exit 1 also for an item of the index that cannot be judged'),
    all: flag('list every item, also those that the index does not know'),
    'allow-unknown': flag('exit 0 also if nothing could be judged'),
    index,
    ndjson: flag('a result a line, for a pipe'),
    sarif: flag('failures as SARIF 2.1.0, for code scanning'),
    ...shared('root', 'as-of', 'base-url'),
  },
  details: [
    'An item: component@version, a package URL (pkg:npm/..., pkg:maven/..., pkg:pypi/..., pkg:docker/..., pkg:helm/...,',
    'pkg:oci/..., pkg:github/..., pkg:generic/<component>), an npm package (@scope/name@version), an image (team/agent:1.0), or a',
    'file: CycloneDX 1.x, SPDX 2.x or 3.x, or Syft, as JSON; a list with name=version, name@version or a package URL a line and',
    'comments behind #; CSV. A file is - (standard input), begins with /, ./ or ../, or ends in .json, .txt, .csv, .spdx, .xml or',
    '.ndjson. A file with a malformed line is rejected as a whole.',
    '',
    'policies:',
    ...Object.entries(builtInPolicies).map(([name, { description }]) => `  ${name.padEnd(12)}${description}`),
    '  and those of site/policies/<name>.json: {"description", "remediation", "labels", "query"}, where a release satisfies',
    '  the policy if the query selects it (search --help).',
    '',
    'Items that the index does not know are not-applicable, and only counted without --all; so is a tag or a commit in place of',
    'a version. A version that is not listed is unsatisfied if its release line has ended, otherwise unknown. A document that',
    'contradicts itself is judged by each package URL, name and version that it states. Repeated items are judged once, and each',
    'entry is counted. Stated digests are compared with recorded ones. The sources of a definition list the packages of a',
    'component; its extractVersion applies.',
    'In a GitHub workflow, failures are annotated and listed in the summary of the job. A step of a pipeline:',
    '',
    `  - run: ${commandLine('scan bom.json --policy lasting --index https://releases.example.com')}`,
    '',
    'Exits with 0 if no policy is unsatisfied, with 1 if one is, nothing could be judged or a file is rejected, and with 2 if the',
    'command line is wrong.',
  ],
  examples: [
    ['scan svc@2025.1', 'one item in use'],
    ['scan pkg:npm/%40example/edge-node@1.0.0 --policy current', 'a package, by another policy'],
    ['scan bom.json --require-known --json', 'a bill of materials, for a script'],
    ['scan versions.txt --policy lasting --sarif', 'a list, for code scanning'],
  ],
  run,
};

const forms = ['json', 'ndjson', 'sarif'];
/** The summary of a job holds a megabyte. */
const summaryRows = 500;

async function run(invocation: Invocation): Promise<number> {
  const { options, report, root } = invocation;
  const asked = forms.filter((form) => options[form] === true);
  if (asked.length > 1)
    throw new UsageError(`scan accepts one of ${forms.map((form) => `--${form}`).join(', ')}`);
  if (options['require-known'] === true && options['allow-unknown'] === true)
    throw new UsageError('scan accepts one of --require-known, --allow-unknown');
  const own = readPolicies(root, invocation.day);
  throwErrors(own.findings);
  const url = siteUrlOf('--index', options['index']);
  const entries = await readArguments(invocation);
  const unique = uniqueEntries(entries);
  const { repositoryUrl } = requireValue(readSiteConfig(root));

  const scanned = await (url === undefined
    ? scanCheckout(invocation, unique, own.policies)
    : scanPublished(invocation, unique, own.policies, url));

  const account = accountFor(entries, unique, scanned);
  if (options['sarif'] === true) report.document(sarifOf(scanned, account, repositoryUrl));
  else report.document(scanned.map(({ scan }) => scan));
  return reportScan(invocation, account, scanned);
}

type Policies = ReadonlyMap<string, ReadPolicy>;

/** The policies of the command line, in its order. */
function choosePolicies<Policy>({ options }: Invocation, policies: ReadonlyMap<string, Policy>): Policy[] {
  const names = new Set([options['policy'] ?? 'supported'].flat().map(String));
  const unknown = [...names].filter((name) => !policies.has(name));
  if (unknown.length > 0)
    throw new UsageError(...unknown.map((name) => `--policy: ${unknownPolicy(name, [...policies.keys()])}`));
  return Array.from(names, (name) => policies.get(name)!);
}

async function scanCheckout(
  invocation: Invocation,
  entries: readonly Entry[],
  policies: Policies,
): Promise<ScannedItem[]> {
  const { day } = invocation;
  const chosen = choosePolicies(invocation, policies);
  const { index, close } = openCheckout(invocation, day, 'scan');
  try {
    return await scanEntries(entries, chosen, { index, day });
  } finally {
    await close();
  }
}

function scanPublished(
  invocation: Invocation,
  entries: readonly Entry[],
  own: Policies,
  url: string,
): Promise<ScannedItem[]> {
  return askPublished(invocation, url, async (index) => {
    // Policies of the root take precedence; built-in ones are those of the index.
    const ofRoot = [...own.values()].filter(({ isBuiltIn }) => !isBuiltIn);
    const known = [...(await index.policies()), ...ofRoot].map((policy) => [policy.name, policy] as const);
    const policies = choosePolicies<PublishedNamedPolicy>(invocation, new Map(known));
    const read = policies.map((policy) => readPolicy(policy, invocation, url));
    return scanEntries(entries, read, { index, day: invocation.day });
  });
}

function readPolicy(policy: PublishedNamedPolicy, { day }: Invocation, url: string): ReadPolicy {
  try {
    return parsePublishedPolicy(policy, day);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const why = `the query of its policy "${policy.name}" cannot be read here: ${error.message}`;
    throw inputError(url, `${why}. If a newer program wrote it, update this one`);
  }
}

/** Reports to people; returns the exit status. */
async function reportScan(
  { env, report, options }: Invocation,
  account: Account,
  scanned: readonly ScannedItem[],
): Promise<number> {
  const failed = scanned.filter(({ scan }) => scan.status === 'unsatisfied');
  const unjudged = listUnjudged(scanned);
  const isEach = options['all'] === true;
  const listed = isEach ? scanned.filter(({ scan }) => !isJudged(scan)) : unjudged.slice(0, shownUnjudged);
  const shown = new Set(listed);
  const headings = ['thing', 'policy', 'status', 'support ends', 'move to'];
  const rowOf = ({ policy, scan: { thing, status, details } }: ScannedItem) => {
    const { supportedUntil, supportedUntilKind, moveTo } = details;
    const ends = supportedUntil === undefined ? '-' : boundInWords(supportedUntil, supportedUntilKind);
    const target = moveTo && [moveTo.component, moveTo.version].filter(Boolean).join('@');
    return [thing, policy.name, status, ends, target ?? '-'];
  };
  const rows = scanned.filter((result) => isJudged(result.scan) || shown.has(result)).map(rowOf);
  if (rows.length > 0) report.print({ headings, rows });
  // There may be more lines than a function takes arguments.
  for (const line of new Set([...failed, ...shown].map(explainResult))) report.print(line);
  const more = isEach ? 0 : unjudged.length - shown.size;
  if (more > 0)
    report.print(`${counted(more, 'more result')} of things that could not be judged: see --all.`);
  const sentence = accountSentence(account);
  report.print(`${sentence}. ${counted(scanned.length, 'result')}, ${grouped(failed.length)} unsatisfied.`);

  const isUnknownWrong = options['require-known'] === true && unjudged.length > 0;
  const isNothingJudged = account.judged === 0 && options['allow-unknown'] !== true;
  const isWrong = isUnknownWrong || isNothingJudged || account.missing > 0;
  const remedy = isNothingJudged ? '. Nothing could be judged; pass --allow-unknown where that is right' : '';
  const level = isWrong ? 'error' : unjudged.length > 0 ? 'warning' : 'notice';
  if (level !== 'notice' || forms.some((form) => options[form] === true))
    report.finding({ level, subject: 'scan', message: `${sentence}${remedy}` });
  if (env['GITHUB_ACTIONS'] === 'true')
    for (const { item, policy, scan } of failed)
      report.finding({
        level: 'error',
        subject: item.text,
        message: `does not satisfy "${policy.name}". ${scan.details.reason} ${scan.policyRemediation}`,
        ...(item.file !== undefined && { file: item.file }),
      });
  await report.summarise('Unsatisfied policies', {
    headings,
    rows: failed.slice(0, summaryRows).map(rowOf),
    empty: `None. ${sentence}.`,
  });
  return failed.length > 0 || isWrong ? 1 : 0;
}

function explainResult({ scan }: ScannedItem): string {
  const remedy = scan.status === 'unsatisfied' ? ` ${scan.policyRemediation}` : '';
  return `${scan.thing}: ${scan.details.reason}${remedy}`;
}
