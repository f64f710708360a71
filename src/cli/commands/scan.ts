import type { PublishedIndex } from '../../ask/published-index.ts';
import type { PolicyScan } from '../../core/schemas/published/policy-scan.ts';
import type { PublishedNamedPolicy } from '../../core/schemas/published/policies-file.ts';
import { QueryError } from '../../core/query/query-error.ts';
import { readPublished, unknownPolicy } from '../../ask/scan/published-policy.ts';
import { sarifOf } from '../../ask/scan/sarif.ts';
import { scanThings, type ScannedThing } from '../../ask/scan/scan-things.ts';
import type { Thing } from '../../ask/scan/thing.ts';
import type { ReadPolicy } from '../../core/schemas/published/policies-file.ts';
import { readPolicies } from '../../io/files/policies.ts';
import { readSiteConfig } from '../../io/files/read.ts';
import { counted } from '../../core/text.ts';
import { refusal, refuseErrors, UsageError, type Invocation } from './command.ts';
import { writeTableSummary } from './job-summary.ts';
import { openCheckout } from './opened-index.ts';
import { openPublished, tellDay, whyNoIndex } from './published-site.ts';
import { readThings } from './scanned-things.ts';
import { siteUrlOf } from './site-url.ts';

const forms = ['json', 'ndjson', 'sarif'];
/** The summary of a job holds a megabyte. */
const summaryRows = 500;

export async function scan(invocation: Invocation): Promise<number> {
  const { options, report, root } = invocation;
  const asked = forms.filter((form) => options[form] === true);
  if (asked.length > 1)
    throw new UsageError(`scan takes one of ${forms.map((form) => `--${form}`).join(', ')}`);
  const own = readPolicies(root, invocation.day);
  refuseErrors(own.findings);
  const url = siteUrlOf('--index', options['index']);
  const things = readThings(invocation.arguments);
  const config = readSiteConfig(root);
  refuseErrors(config.findings);

  const scanned = await (url === undefined
    ? scanCheckout(invocation, things, own.policies, config.value!.releasesUrl)
    : scanPublished(invocation, things, own.policies, url));

  if (options['sarif'] === true) report.result(sarifOf(scanned, config.value!.repositoryUrl));
  else report.result(scanned.map(({ scan }) => scan));
  return tell(invocation, things, scanned);
}

type Policies = ReadonlyMap<string, ReadPolicy>;

/** Those that are asked, in the order of the command line. */
function choosePolicies<Policy>({ options }: Invocation, policies: ReadonlyMap<string, Policy>): Policy[] {
  const names = new Set([options['policy'] ?? 'supported'].flat().map(String));
  const unknown = [...names].filter((name) => !policies.has(name));
  if (unknown.length > 0)
    throw new UsageError(...unknown.map((name) => `--policy: ${unknownPolicy(name, [...policies.keys()])}`));
  return Array.from(names, (name) => policies.get(name)!);
}

async function scanCheckout(
  invocation: Invocation,
  things: readonly Thing[],
  policies: Policies,
  releasesUrl: string,
): Promise<ScannedThing[]> {
  const { day, baseUrl = releasesUrl } = invocation;
  const chosen = choosePolicies(invocation, policies);
  const { index, close } = openCheckout(invocation, day, 'scan');
  try {
    return await scanThings(things, chosen, { index, day, baseUrl });
  } finally {
    await close();
  }
}

async function scanPublished(
  invocation: Invocation,
  things: readonly Thing[],
  own: Policies,
  url: string,
): Promise<ScannedThing[]> {
  const opened = openPublished(invocation, url);
  try {
    await tellDay(invocation, opened, url);
    const { index } = opened;
    const known = await policiesAt(index, own);
    const policies = choosePolicies(invocation, known).map((policy) => readAsked(policy, invocation, url));
    return await scanThings(things, policies, { index, day: invocation.day, baseUrl: url });
  } catch (error) {
    throw whyNoIndex(url, error);
  } finally {
    await opened.close();
  }
}

/** Those of the index, and those of the root, which go before. A built-in one is that of the index. */
async function policiesAt(
  index: PublishedIndex,
  own: Policies,
): Promise<ReadonlyMap<string, PublishedNamedPolicy>> {
  const ofRoot = [...own.values()].filter(({ isBuiltIn }) => !isBuiltIn);
  return new Map([...(await index.policies()), ...ofRoot].map((policy) => [policy.name, policy]));
}

function readAsked(policy: PublishedNamedPolicy, { day }: Invocation, url: string): ReadPolicy {
  try {
    return readPublished(policy, day);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const why = `the query of its policy "${policy.name}" cannot be read here: ${error.message}`;
    throw refusal(url, `${why}. If a newer program wrote it, update this one`);
  }
}

/** For people; returns the exit status. */
async function tell(
  { env, report, options }: Invocation,
  things: readonly Thing[],
  scanned: readonly ScannedThing[],
): Promise<number> {
  const withStatus = (status: PolicyScan['status']) => scanned.filter(({ scan }) => scan.status === status);
  const [failed, unknown] = [withStatus('unsatisfied'), withStatus('not-applicable')];
  const headings = ['thing', 'policy', 'status', 'leaves support', 'move to'];
  const rowOf = ({ thing, policy, scan: { status, details } }: ScannedThing) => {
    const { supportedUntil = '-', moveTo } = details;
    const target = moveTo && [moveTo.component, moveTo.version].filter(Boolean).join('@');
    return [thing.text, policy.name, status, supportedUntil, target ?? '-'];
  };
  if (scanned.length > 0) report.table({ headings, rows: scanned.map(rowOf) });
  for (const text of new Set([...failed, ...unknown].map(whyNot))) report.line(text);
  const counts = `${failed.length} unsatisfied, ${unknown.length} not applicable`;
  report.line(`${counted(things.length, 'thing')}, ${counted(scanned.length, 'result')}: ${counts}.`);

  const unknownThings = new Set(unknown.map(({ thing }) => thing.text)).size;
  const isUnknownWrong = options['require-known'] === true && unknownThings > 0;
  if (unknownThings > 0)
    report.finding({
      level: isUnknownWrong ? 'error' : 'warning',
      subject: 'scan',
      message: `${counted(unknownThings, 'thing')} could not be judged: the index does not know ${unknownThings === 1 ? 'it' : 'them'}`,
    });
  if (env['GITHUB_ACTIONS'] === 'true')
    for (const { thing, policy, scan } of failed)
      report.finding({
        level: 'error',
        subject: thing.text,
        message: `does not satisfy "${policy.name}". ${scan.details.reason} ${scan.policyRemediation}`,
        ...(thing.file !== undefined && { file: thing.file }),
      });
  if (env['GITHUB_STEP_SUMMARY'])
    await writeTableSummary(
      'What does not satisfy a policy',
      headings,
      failed.slice(0, summaryRows).map(rowOf),
      `Nothing. The index knows ${counted(things.length - unknownThings, 'thing')} of ${things.length}.`,
    );
  return failed.length > 0 || isUnknownWrong ? 1 : 0;
}

function whyNot({ thing, scan }: ScannedThing): string {
  const remedy = scan.status === 'unsatisfied' ? ` ${scan.policyRemediation}` : '';
  return `${thing.text}: ${scan.details.reason}${remedy}`;
}
