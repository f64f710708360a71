import type { PolicyScan } from '../../core/schemas/published/policy-scan.ts';
import type { PublishedNamedPolicy } from '../../core/schemas/published/policies-file.ts';
import { QueryError } from '../../core/query/query-error.ts';
import { sarifOf } from '../../ask/scan/sarif.ts';
import {
  parsePublishedPolicy,
  scanItems,
  unknownPolicy,
  type ScannedItem,
} from '../../ask/scan/scan-items.ts';
import type { Item } from '../../ask/scan/items.ts';
import type { ReadPolicy } from '../../core/schemas/published/policies-file.ts';
import { readPolicies } from '../../io/files/policies.ts';
import { readSiteConfig } from '../../io/files/read.ts';
import { portableCommandLine } from '../../core/command-prefix.ts';
import { builtInPolicies } from '../../core/schemas/named-policy.ts';
import { counted } from '../../core/text.ts';
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
import { readItems } from '../read-things.ts';

export const command: Command = {
  arguments: '<item...>',
  options: {
    policy: {
      ...text('NAME', 'policy for each item; may be given several times (default: supported)'),
      multiple: true,
    },
    'require-known': flag('exit 1 also for an item that the index does not know'),
    index,
    ndjson: flag('a result a line, for a pipe'),
    sarif: flag('failures as SARIF 2.1.0, for code scanning'),
    ...shared('root', 'as-of', 'base-url'),
  },
  details: [
    'An item: component@version, a package URL (pkg:npm/..., pkg:maven/..., pkg:pypi/..., pkg:docker/..., pkg:helm/...,',
    'pkg:github/..., pkg:generic/<component>), or a file: CycloneDX 1.4 to 1.6 or SPDX 2.3 as JSON, or a list with',
    'name=version or a package URL a line and comments behind #. A file with a malformed line is rejected as a whole.',
    '',
    'policies:',
    ...Object.entries(builtInPolicies).map(([name, { description }]) => `  ${name.padEnd(12)}${description}`),
    '  and those of site/policies/<name>.json: {"description", "remediation", "labels", "query"}, where a release satisfies',
    '  the policy if the query selects it (search --help).',
    '',
    'Items that the index does not know, and those with a tag or a commit in place of a version, are not-applicable. Repeated',
    'items are judged once. The sources of a definition list the packages of a component; its extractVersion applies, which a',
    'published index does not contain.',
    'In a GitHub workflow, failures are annotated and listed in the summary of the job. A step of a pipeline:',
    '',
    `  - run: ${portableCommandLine('scan bom.json --policy lasting --index https://releases.example.com')}`,
    '',
    'Exits with 0 if no policy is unsatisfied, with 1 if one is or a file is rejected, and with 2 if the command line is wrong.',
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
  const own = readPolicies(root, invocation.day);
  throwErrors(own.findings);
  const url = siteUrlOf('--index', options['index']);
  const items = readItems(invocation.arguments);
  const { releasesUrl, repositoryUrl } = requireValue(readSiteConfig(root));

  const scanned = await (url === undefined
    ? scanCheckout(invocation, items, own.policies, releasesUrl)
    : scanPublished(invocation, items, own.policies, url));

  if (options['sarif'] === true) report.document(sarifOf(scanned, repositoryUrl));
  else report.document(scanned.map(({ scan }) => scan));
  return reportScan(invocation, items, scanned);
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
  items: readonly Item[],
  policies: Policies,
  releasesUrl: string,
): Promise<ScannedItem[]> {
  const { day, baseUrl = releasesUrl } = invocation;
  const chosen = choosePolicies(invocation, policies);
  const { index, close } = openCheckout(invocation, day, 'scan');
  try {
    return await scanItems(items, chosen, { index, day, baseUrl });
  } finally {
    await close();
  }
}

function scanPublished(
  invocation: Invocation,
  items: readonly Item[],
  own: Policies,
  url: string,
): Promise<ScannedItem[]> {
  return askPublished(invocation, url, async (index) => {
    // Policies of the root take precedence; built-in ones are those of the index.
    const ofRoot = [...own.values()].filter(({ isBuiltIn }) => !isBuiltIn);
    const known = [...(await index.policies()), ...ofRoot].map((policy) => [policy.name, policy] as const);
    const policies = choosePolicies<PublishedNamedPolicy>(invocation, new Map(known));
    const read = policies.map((policy) => readPolicy(policy, invocation, url));
    return scanItems(items, read, { index, day: invocation.day, baseUrl: url });
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
  items: readonly Item[],
  scanned: readonly ScannedItem[],
): Promise<number> {
  const withStatus = (status: PolicyScan['status']) => scanned.filter(({ scan }) => scan.status === status);
  const [failed, unknown] = [withStatus('unsatisfied'), withStatus('not-applicable')];
  const headings = ['thing', 'policy', 'status', 'support ends', 'move to'];
  const rowOf = ({ item, policy, scan: { status, details } }: ScannedItem) => {
    const { supportedUntil = '-', moveTo } = details;
    const target = moveTo && [moveTo.component, moveTo.version].filter(Boolean).join('@');
    return [item.text, policy.name, status, supportedUntil, target ?? '-'];
  };
  if (scanned.length > 0) report.print({ headings, rows: scanned.map(rowOf) });
  const counts = `${failed.length} unsatisfied, ${unknown.length} not applicable`;
  // There may be more lines than a function takes arguments.
  for (const line of new Set([...failed, ...unknown].map(explainFailure))) report.print(line);
  report.print(`${counted(items.length, 'thing')}, ${counted(scanned.length, 'result')}: ${counts}.`);

  const unknownItems = new Set(unknown.map(({ item }) => item.text)).size;
  const isUnknownWrong = options['require-known'] === true && unknownItems > 0;
  if (unknownItems > 0)
    report.finding({
      level: isUnknownWrong ? 'error' : 'warning',
      subject: 'scan',
      message: `${counted(unknownItems, 'thing')} could not be judged: the index does not know ${unknownItems === 1 ? 'it' : 'them'}`,
    });
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
    empty: `None. The index knows ${counted(items.length - unknownItems, 'thing')} of ${items.length}.`,
  });
  return failed.length > 0 || isUnknownWrong ? 1 : 0;
}

function explainFailure({ item, scan }: ScannedItem): string {
  const remedy = scan.status === 'unsatisfied' ? ` ${scan.policyRemediation}` : '';
  return `${item.text}: ${scan.details.reason}${remedy}`;
}
