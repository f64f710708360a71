import { annotate } from '../../ask/scan/bill-of-materials.ts';
import { uniqueEntries } from '../../ask/scan/items.ts';
import { accountFor, junitOf, reportOf, sarifOf } from '../../ask/scan/reports.ts';
import type { PublishedIndex } from '../../ask/published-index.ts';
import { parsePublishedPolicy, scanEntries, unknownPolicy } from '../../ask/scan/scan-items.ts';
import type { Day } from '../../core/dates.ts';
import { parseQuery } from '../../core/query/parse.ts';
import { QueryError } from '../../core/query/query-error.ts';
import type { PublishedNamedPolicy, ReadPolicy } from '../../core/schemas/published/small-files.ts';
import { builtInPolicies, readPolicies, readPolicyFile } from '../../io/files/policies.ts';
import { readSiteConfig } from '../../io/files/read.ts';
import { flag, index, inputError, requireValue, shared, siteUrlOf, text } from '../command.ts';
import { throwErrors, UsageError, type Command, type Invocation } from '../command.ts';
import { askPublished, openCheckout } from '../open-index.ts';
import { openAttestation, writeAttestation } from '../attest.ts';
import { readArguments } from '../read-items.ts';
import { elsewhere, formOf, reportScan, withBaseline, withExceptions, writeOutput } from '../scan-report.ts';

export const command: Command = {
  arguments: { required: ['item'], isOpen: true },
  options: {
    policy: {
      ...text('NAME', 'policy for each item; may be given several times (default: supported)'),
      multiple: true,
    },
    'require-known': flag('exit 1 also for an item of the index that cannot be judged'),
    all: flag('list every item, also those that the index does not know'),
    'allow-unknown': flag('exit 0 also if nothing could be judged'),
    'allow-stale': flag('exit 0 also if the index was last updated too long ago'),
    'policy-file': text('FILE', 'a policy of your own, in the form of site/policies/<name>.json'),
    query: text('QUERY', 'a query that has to select each release'),
    exceptions: text(
      'FILE',
      'failures to let pass (default: .release-index-exceptions.json beside the file)',
    ),
    baseline: text('FILE', 'an earlier report of --json: what failed in it does not fail again'),
    report: text('FILE', 'write for readers what is used, until when, and what ends next: as Markdown'),
    index,
    ndjson: flag('a result a line, for a pipe'),
    sarif: flag('failures as SARIF 2.1.0, for code scanning'),
    junit: flag('results as XML of JUnit'),
    annotate: flag('the bill of materials with the ends of support in it'),
    attest: text('FILE', 'write a signed SLSA verification summary of each item that satisfies its policies'),
    key: text('FILE', 'the secret key to sign these with, as "minisign -G -W" makes it'),
    ...shared('root', 'as-of', 'base-url'),
  },
  details: [
    'An item: component@version, a package URL (pkg:npm/..., pkg:generic/<component>), an npm package (@scope/name@version), an',
    'image (team/agent:1.0), or a file: CycloneDX, SPDX 2.x or 3.x, or Syft, as JSON; a list with name=version, name@version or',
    'a package URL a line and comments behind #; CSV. A file is - (standard input), begins with /, ./ or ../, or ends in .json,',
    '.txt, .csv, .spdx, .xml or .ndjson. A file with a malformed line is rejected as a whole.',
    '',
    'policies:',
    ...Object.entries(builtInPolicies).map(([name, { description }]) => `  ${name.padEnd(12)}${description}`),
    '  and those of site/policies/<name>.json: {"description", "remediation", "labels", "query"}, where a release satisfies',
    '  the policy if the query selects it (search --help).',
    '',
    'Items that the index does not know are not-applicable, and only counted without --all; so is a tag or a commit in place of',
    'a version. A version that is not listed is unsatisfied if its release line has ended, otherwise unknown. A document that',
    'contradicts itself is judged by each package URL, name and version that it states. Repeated items are judged once.',
    'Stated digests are compared with recorded ones.',
    'An exception: [{"package", "versions", "policy", "reason", "until"}], with a component or package URL, exact versions or a',
    'semver range, and the last day that counts. One that has ended, or matches nothing, is reported.',
    '--attest writes an in-toto bundle: a DSSE envelope a line, with a verification summary (slsa.dev/verification_summary/v1) of',
    'an item and a policy. Items without a recorded digest, and an index that is too old, are left out.',
    'In a GitHub workflow, failures are annotated.',
    'Exits with 1 also if nothing could be judged, the index is too old or a file is rejected.',
  ],
  examples: [
    ['scan svc@2025.1', 'one item in use'],
    ['scan pkg:npm/%40example/edge-node@1.0.0 --policy current', 'a package, by another policy'],
    ['scan bom.json --require-known --json', 'a bill of materials, for a script'],
    ['scan versions.txt --policy lasting --sarif', 'a list, for code scanning'],
    ['scan bom.json --policy built-in-the-open --attest vsa.jsonl --key sign.key', 'with proof for others'],
  ],
  run,
};

async function run(invocation: Invocation): Promise<number> {
  const { options, report, root, day, baseUrl } = invocation;
  const form = formOf(options);
  if (options['require-known'] === true && options['allow-unknown'] === true)
    throw new UsageError('scan accepts one of --require-known, --allow-unknown');
  const attestation = openAttestation(invocation);
  const own = readPolicies(root, day);
  throwErrors(own.findings);
  const given = policiesGiven(invocation);
  const ofRoot = [...own.policies.values()].filter(({ isBuiltIn }) => !isBuiltIn);
  const wanted = [options['policy'] ?? (given.length > 0 ? [] : 'supported')].flat().map(String);
  const names = [...wanted, ...given.map(({ name }) => name)];
  const url = siteUrlOf('--index', options['index']);
  const { entries, documents } = await readArguments(invocation);
  if (form === 'annotate' && documents.length !== 1)
    throw new UsageError('scan --annotate expects one bill of materials as JSON');
  // Each element of a document that is given back is annotated.
  const unique = form === 'annotate' ? entries : uniqueEntries(entries);
  const config = requireValue(readSiteConfig(root));

  const judged = await askIndex(invocation, url, async (index) => {
    // Policies of the root take precedence over those of a published index; built-in ones are those of the index.
    const known = [...(await index.policies()), ...ofRoot, ...given];
    const policies = choosePolicies(names, known).map((policy) => readPolicy(policy, day, url));
    const scanned = await scanEntries(unique, policies, { index, day });
    const isOld = (await index.staleness()) !== undefined;
    if (attestation) {
      const address = url ?? baseUrl ?? config.releasesUrl;
      const sound = isOld && options['allow-stale'] !== true ? [] : unique;
      await writeAttestation(invocation, attestation, { index, address, entries: sound, scanned });
    }
    return { scanned, isOld };
  });
  const scanned = withBaseline(invocation, withExceptions(invocation, judged.scanned));

  const account = accountFor(entries, unique, scanned);
  const place = { informationUri: config.repositoryUrl, elsewhere: elsewhere() };
  if (form === 'sarif') report.document(sarifOf(scanned, account, place));
  else if (form === 'junit') report.document(junitOf(scanned, account));
  else if (form === 'annotate') {
    annotate(scanned, day);
    report.document(documents[0]!);
  } else report.document(scanned.map(({ scan }) => scan));
  const file = options['report'];
  if (typeof file === 'string') writeOutput(file, reportOf(scanned, account, day));
  return reportScan(invocation, account, scanned, judged.isOld);
}

/** Those that are no part of the index: of a file, and of a query. */
function policiesGiven({ options, day }: Invocation): ReadPolicy[] {
  const given: ReadPolicy[] = [];
  const { 'policy-file': file, query } = options;
  if (typeof file === 'string') given.push(requireValue(readPolicyFile(file, file, day)));
  if (typeof query === 'string') {
    try {
      const description = `The release is one that the query selects: ${query}`;
      const remediation = 'Move to a release that the query selects.';
      const policy = { name: 'query', isBuiltIn: false, description, remediation, query };
      given.push({ ...policy, selects: parseQuery(query, day) });
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      throw new UsageError(`--query: ${error.message}`);
    }
  }
  return given;
}

/** The policies of the command line, in its order. The last of a name counts. */
function choosePolicies(
  names: readonly string[],
  known: readonly PublishedNamedPolicy[],
): PublishedNamedPolicy[] {
  const policies = new Map(known.map((policy) => [policy.name, policy]));
  const unknown = names.filter((name) => !policies.has(name));
  if (unknown.length > 0)
    throw new UsageError(...unknown.map((name) => `--policy: ${unknownPolicy(name, [...policies.keys()])}`));
  return Array.from(new Set(names), (name) => policies.get(name)!);
}

async function askIndex<Answer>(
  invocation: Invocation,
  url: string | undefined,
  ask: (index: PublishedIndex) => Promise<Answer>,
): Promise<Answer> {
  if (url !== undefined) return askPublished(invocation, url, ask);
  const { index, close } = openCheckout(invocation, invocation.day, 'scan');
  return ask(index).finally(close);
}

function readPolicy(policy: PublishedNamedPolicy, day: Day, place = 'scan'): ReadPolicy {
  try {
    return parsePublishedPolicy(policy, day);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const why = `the query of its policy "${policy.name}" cannot be read here: ${error.message}`;
    throw inputError(place, `${why}. If a newer program wrote it, update this one`);
  }
}
