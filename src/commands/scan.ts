import { packagesOfDefinitions, packagesOfIndex } from '../scan/packages.ts';
import { sarifOf } from '../scan/sarif.ts';
import { scanThings, type PolicyScan, type ScannedThing } from '../scan/scan-things.ts';
import type { Thing } from '../scan/thing.ts';
import { valueOf } from '../store/documents.ts';
import { readPolicies, unknownPolicy, type ReadPolicy } from '../store/policies.ts';
import { readDefinition, readSiteConfig } from '../store/read.ts';
import { listComponents } from '../store/root.ts';
import { counted } from '../text.ts';
import { refuseErrors, UsageError, type Invocation } from './command.ts';
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
  const policies = choosePolicies(invocation);
  const url = siteUrlOf('--index', options['index']);
  const things = readThings(invocation.arguments);
  const config = readSiteConfig(root);
  refuseErrors(config.findings);

  const scanned = await (url === undefined
    ? scanCheckout(invocation, things, policies, config.value!.releasesUrl)
    : scanPublished(invocation, things, policies, url));

  if (options['sarif'] === true) report.result(sarifOf(scanned, config.value!.repositoryUrl));
  else report.result(scanned.map(({ scan }) => scan));
  return tell(invocation, things, scanned);
}

function choosePolicies({ options, root, day }: Invocation): ReadPolicy[] {
  const { policies, findings } = readPolicies(root, day);
  refuseErrors(findings);
  const names = new Set([options['policy'] ?? 'supported'].flat().map(String));
  const unknown = [...names].filter((name) => !policies.has(name));
  if (unknown.length > 0)
    throw new UsageError(...unknown.map((name) => `--policy: ${unknownPolicy(name, policies)}`));
  return Array.from(names, (name) => policies.get(name)!);
}

async function scanCheckout(
  invocation: Invocation,
  things: readonly Thing[],
  policies: readonly ReadPolicy[],
  releasesUrl: string,
): Promise<ScannedThing[]> {
  const { root, day, baseUrl = releasesUrl } = invocation;
  const { index, close } = openCheckout(invocation, day, 'scan');
  try {
    const packages = packagesOfDefinitions(
      listComponents(root).names.map((name) => [name, valueOf(readDefinition(root, name)).sources]),
    );
    return await scanThings(things, policies, { index, packages, day, baseUrl });
  } finally {
    await close();
  }
}

async function scanPublished(
  invocation: Invocation,
  things: readonly Thing[],
  policies: readonly ReadPolicy[],
  url: string,
): Promise<ScannedThing[]> {
  const opened = openPublished(invocation, url);
  try {
    await tellDay(invocation, opened, url);
    const { index } = opened;
    const packages = await packagesOfIndex(index);
    return await scanThings(things, policies, { index, packages, day: invocation.day, baseUrl: url });
  } catch (error) {
    throw whyNoIndex(url, error);
  } finally {
    await opened.close();
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
