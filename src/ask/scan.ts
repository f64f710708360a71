import * as z from 'zod';
import { pick } from '../core/objects.ts';
import { endKeys } from '../core/phrases.ts';
import type { Policy, Verdict } from '../core/schema/documents.ts';
import type { SignedStatement, Statement } from '../core/schema/statement.ts';
import { quote } from '../core/text.ts';
import { AskError } from './ask-error.ts';
import type { Item } from './item.ts';
import { keep, type PublishedIndex, readQuery } from './published-index.ts';
import { judgeRow } from './query/match.ts';
import type { Query } from './query/parse.ts';
import { listRows, type SearchRow } from './query/search.ts';
import { describeObstacle, type Entry, type Match } from './verdicts.ts';

const Text = z.string();

/** The result of a policy for a package or component: PolicyScan.Result of the specification. */
export const PolicyScan = z
  .object({
    labels: z.record(Text, Text),
    status: z
      .enum(['satisfied', 'unsatisfied', 'not-applicable'])
      .describe(
        'not-applicable: a fact that the policy needs is not known; details.reason names the cause.',
      ),
    policyUri: Text,
    policyDescription: Text,
    policyRemediation: Text,
    attestationUri: Text.nullable().describe('The newest signed statement about the release.'),
    /** Always null, because no builds of releases are recorded. */
    sourcedFromUri: Text.nullable(),
    details: z.looseObject({
      component: Text.optional(),
      version: Text.optional(),
      reason: Text,
      message: Text.optional(),
    }),
  })
  .meta({ id: 'PolicyScan' });
export type PolicyScan = z.infer<typeof PolicyScan>;

/** Finds the policy with a name. `kind`: only policies of this kind. Throws an `AskError` if there is none. */
export async function findPolicy(
  index: PublishedIndex,
  name: string,
  kind?: 'built-in' | 'own',
): Promise<Policy> {
  const policies = (await index.policies()).filter(
    ({ isBuiltIn }) => kind === undefined || isBuiltIn === (kind === 'built-in'),
  );
  const policy = policies.find((each) => each.name === name);
  if (!policy) {
    const names = policies.map((each) => each.name).join(', ') || 'none';
    throw new AskError(404, `There is no policy ${quote(name)}. Policies: ${names}.`);
  }

  return policy;
}

export type Scanned = Awaited<ReturnType<typeof scanItems>>[number];

/** Applies policies to the items of a list. Each file is read once. */
export async function scanItems(
  index: PublishedIndex,
  items: readonly Item[],
  policies: readonly Policy[],
) {
  const { asOf } = await index.status();
  const queries = policies.map((policy) => ({ policy, query: readQuery(policy.query, asOf) }));
  const readRows = keep(async (component) => listRows(await index.releases(component)));
  const readStatements = keep((component) => index.statements(component));

  return Array.fromAsync(await index.find(items), async (entry) => {
    const { item, match } = entry;
    const facts = {
      rows: match ? await readRows(match.component) : [],
      attestationUri: match?.release?.digests
        ? findStatementPath(await readStatements(match.component), item, match)
        : null,
    };
    const scans = queries.map((asked) => ({
      policy: asked.policy,
      scan: scanItem(entry, asked, facts),
    }));
    return { ...entry, scans };
  });
}

/** Applies a policy to an item. A digest or repository that contradicts the recorded one fails every policy. `rows`: the releases of the component. */
function scanItem(
  entry: Entry,
  { policy, query }: { policy: Policy; query: Query },
  { rows, attestationUri }: { rows: readonly SearchRow[]; attestationUri: string | null },
): PolicyScan {
  const result = {
    labels: policy.labels ?? {},
    status: 'not-applicable' as const,
    policyUri: `/policies/${policy.isBuiltIn ? 'built-in' : 'own'}/${policy.name}`,
    policyDescription: policy.description,
    policyRemediation: policy.remediation,
    attestationUri,
    sourcedFromUri: null,
  };

  const { item, match } = entry;
  const { component, verdict } = match ?? {};
  if (!match || !verdict) {
    const details = { component, version: item.version, reason: describeObstacle(entry) };
    return { ...result, details };
  }

  const { contradictions, gaps } = compareStated(item, match);
  const { reason, ...outcome } =
    contradictions.length > 0
      ? {
          status: 'unsatisfied' as const,
          policyRemediation: 'Find out where these bytes are from.',
          reason: contradictions.join(' '),
        }
      : applyPolicy(policy, query, rows, verdict);
  return {
    ...result,
    ...outcome,
    details: {
      component,
      version: verdict.version,
      reason,
      message: [...contradictions, ...gaps].join(' ') || undefined,
      ...pick(verdict, verdictKeys),
    },
  };
}

const verdictKeys = [
  'changelogUrl',
  ...endKeys,
  'advisories',
  'severity',
  'releasesBehind',
  'moveTo',
] as const;

/** Applies the query of a policy. The reason of a built-in policy is the verdict in words. The reason of any other policy is its query, if the version is listed. */
function applyPolicy(
  { isBuiltIn, query: text, remediation }: Policy,
  query: Query,
  rows: readonly SearchRow[],
  verdict: Verdict,
) {
  const row = rows.find(({ version }) => version === verdict.version);
  const isSatisfied = row ? judgeRow(query, row) : judgeByLine(query, rows, verdict);
  const sentences = [verdict.sentence, ...verdict.because].join(' ');
  return {
    status: toStatus(isSatisfied),
    policyRemediation: isBuiltIn && verdict.moveTo ? verdict.advice : remediation,
    reason: isBuiltIn || !row ? sentences : `The policy asks for ${text}.`,
  };
}

/** Judges a version that is not listed. It may not exist, so it fails only if its line has ended and every release of the line fails. */
function judgeByLine(query: Query, rows: readonly SearchRow[], { line, isSupported }: Verdict) {
  const fails = rows.every((row) => row.line !== line || judgeRow(query, row) === false);
  return isSupported === false && fails ? false : undefined;
}

function toStatus(isSatisfied: boolean | undefined): PolicyScan['status'] {
  if (isSatisfied === undefined) {
    return 'not-applicable';
  }
  return isSatisfied ? 'satisfied' : 'unsatisfied';
}

/** Compares the digests and the repository of an item with the recorded ones. Returns contradictions, and what cannot be compared. */
function compareStated(
  { digests = [], repositoryUrl }: Item,
  { component, sourceRepository, version, release }: Match,
) {
  const contradictions: string[] = [];
  const gaps: string[] = [];
  const recorded = release?.digests ?? [];
  if (digests.length > 0 && !digests.some((digest) => recorded.includes(digest))) {
    const algorithms = recorded.map((digest) => digest.split(':')[0]);
    const other = digests.find((digest) => algorithms.includes(digest.split(':')[0]));
    if (other === undefined) {
      gaps.push(`No such digest of ${version} is recorded.`);
    } else {
      contradictions.push(`${other} is not a digest that is recorded for ${version}.`);
    }
  }

  if (repositoryUrl) {
    if (!sourceRepository) {
      gaps.push(`The source repository of ${component} is not recorded.`);
    } else if (normaliseAddress(repositoryUrl) !== normaliseAddress(sourceRepository)) {
      contradictions.push(
        `${component} is built from ${sourceRepository}, not from ${repositoryUrl}.`,
      );
    }
  }
  return { contradictions, gaps };
}

/** Returns `github.com/example/agent` for all addresses of the repository, on the web and in git. */
function normaliseAddress(address: string): string {
  const url = URL.parse(
    address
      // git@host:path
      .replace(/^git@([^/:]+):/, 'ssh://$1/')
      // git+https://host/path
      .replace(/^git\+/, '')
      // host/path
      .replace(/^(?!\w+:\/\/)/, 'https://'),
  );
  if (!url) {
    return address;
  }

  // The port does not identify the repository.
  const host = /^https?:$/.test(url.protocol) ? url.host : url.hostname;
  return `${host}${url.pathname}`.toLowerCase().replaceAll(/^www\.|(?:\.git)?\/?$/g, '');
}

/** Finds the path of the newest statement about a release: `/packages/npm/%40example/agent/1.0/sha512:0f1e…/attestations/site/agent%2F1.0`. */
function findStatementPath(
  statements: readonly SignedStatement[],
  item: Item,
  match: Match,
): string | null {
  const newest = statements.findLast(
    ({ statement }) => statement.predicate.version === match.release?.version,
  );
  if (!newest) {
    return null;
  }

  const place = listSegments(item, match).map(encodeURIComponent).join('/');
  // The strongest algorithm has the longest digest.
  const [strongest] = listDigests(newest.statement).sort((a, b) => b.length - a.length);
  const id = encodeURIComponent(newest.statement.predicate.id);
  return `/packages/${place}/${strongest}/attestations/site/${id}`;
}

/** Returns the path of the package in the question, or else of the component. */
function listSegments({ purl, version = '' }: Item, match: Match): string[] {
  if (!purl || purl.type === 'oci') {
    return ['generic', match.component, match.version];
  }

  // Split at the last slash, because a namespace is all but the last part of a name.
  return [purl.type, ...purl.name.split(/\/(?=[^/]*$)/), version];
}

/** Lists the digests of a statement: `sha512:0f1e…`. */
export function listDigests({ subject }: Statement): string[] {
  return subject.flatMap(({ digest }) =>
    Object.entries(digest).map(([algorithm, value]) => `${algorithm}:${value}`),
  );
}
