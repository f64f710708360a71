import * as z from 'zod';
import { pick } from '../core/objects.ts';
import { endKeys, paidKeys } from '../core/phrases.ts';
import type { ScanPolicy, Verdict } from '../core/schema/documents.ts';
import type { SignedStatement, Statement } from '../core/schema/statement.ts';
import { findNearest, quote } from '../core/text.ts';
import { compareVersions, readVersion } from '../core/version.ts';
import { AskError } from './ask-error.ts';
import type { Item } from './item.ts';
import { findKind } from './judged-list.ts';
import {
  explainResult,
  hideVendorEnd,
  judgePolicy,
  listVerdictFacts,
  outcomes,
  type Facts,
  type Result,
} from './policy-result.ts';
import { keep, type PublishedIndex, readQuery } from './published-index.ts';
import type { Values } from './query/match.ts';
import type { Query } from './query/parse.ts';
import { listRows, type SearchRow } from './query/search.ts';
import { describeObstacle, type Entry, type Match } from './verdicts.ts';

const Text = z.string();

/** The result of a scan policy for a package or component, `PolicyScan.Result` in the specification. */
export const PolicyScan = z
  .object({
    labels: z.record(Text, Text),
    status: z
      .enum(['satisfied', 'unsatisfied', 'not-applicable'])
      .describe(
        'not-applicable: it is not certain whether the release satisfies the policy. details.result and details.reason say why.',
      ),
    policyUri: Text,
    policyDescription: Text,
    policyRemediation: Text,
    attestationUri: Text.nullable().describe('The newest signed statement about the release.'),
    /** Always null, because the index does not know how releases were built. */
    sourcedFromUri: Text.nullable(),
    details: z.looseObject({
      component: Text.optional(),
      version: Text.optional(),
      result: z
        .enum(outcomes)
        .describe(
          'cannot-tell: the policy applies, but a fact that it needs is unknown. does-not-apply: the component has no such facts. not-released: the version is later than all known lines, but may have been released since the build, which is not a failure.',
        ),
      reason: Text,
      message: Text.optional(),
    }),
  })
  .meta({ id: 'PolicyScan' });
export type PolicyScan = z.infer<typeof PolicyScan>;

/** Finds a scan policy by its name and, if given, its kind. Throws an `AskError` if there is no such policy. */
export async function findPolicy(
  index: PublishedIndex,
  name: string,
  kind?: 'built-in' | 'own',
): Promise<ScanPolicy> {
  const policies = (await index.policies()).filter(
    ({ isBuiltIn }) => kind === undefined || isBuiltIn === (kind === 'built-in'),
  );
  const policy = policies.find((each) => each.name === name);
  if (!policy) {
    const names = policies.map((each) => each.name).join(', ') || 'none';
    const nearest = findNearest(
      name,
      policies.map((each) => each.name),
    );
    const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
    throw new AskError(404, `There is no policy ${quote(name)}. Policies: ${names}.${hint}`);
  }

  return policy;
}

export type Scanned = Awaited<ReturnType<typeof scanItems>>[number];

/** Applies scan policies to the items of a list. Reads each file of the index once. */
export async function scanItems(
  index: PublishedIndex,
  items: readonly Item[],
  policies: readonly ScanPolicy[],
) {
  const { asOf, components } = await index.status();
  const queries = policies.map((policy) => ({ policy, query: readQuery(policy.query, asOf) }));
  const readRows = keep(async (component) => listRows(await index.releases(component)));
  const readStatements = keep((component) => index.statements(component));

  return Array.fromAsync(await index.find(items), async (entry) => {
    const { item, match } = entry;
    const facts = match?.verdict && {
      ...listFacts(match.verdict, await readRows(match.component)),
      mayMiss: components[match.component]?.mayMiss,
    };
    const attestationUri = match?.release?.digests
      ? findStatementPath(await readStatements(match.component), item, match)
      : null;
    const scans = queries.map(({ policy, query }) => {
      const result = judgeEntry(entry, query, facts);
      return { policy, result, scan: describeScan(entry, policy, result, attestationUri) };
    });
    return { ...entry, scans };
  });
}

/** Lists the facts that scan policies need about one entry of the user's list. `rows`: the releases of the entry's component. */
function listFacts(verdict: Verdict, rows: readonly SearchRow[]): Facts {
  const row = rows.find(({ version }) => version === verdict.version);
  return {
    verdict,
    row: hideVendorEnd(row ?? describeUnlisted(verdict, rows), verdict),
    isKnown: (field) => rows.some((each) => each[field as keyof SearchRow] !== undefined),
  };
}

const ofComponent = [
  'component',
  'title',
  'policy',
  'datasource',
  'package',
  'freshness',
  'repository',
] as const;
const ofLines = ['isLts', 'phase', 'supportLeft'] as const;
/** The facts about an unlisted version if a newer release of its release line is listed. */
const older = { isLatest: false, isLatestOfLine: false, isNewestOfLine: false };
const unaffected = { advisory: null, severity: null, isExploited: false, exploitedSince: null };
const unchecked = { severity: undefined, isExploited: undefined, exploitedSince: undefined };

/**
 * Lists the facts about an unlisted version. In these cases, it gets the facts about the newest release of its line:
 * - The version is later than all releases of the line. It may have been released since the build.
 * - The item names only a release line.
 *
 * Any other version gets only the facts about the line.
 */
function describeUnlisted(verdict: Verdict, rows: readonly SearchRow[]): Values {
  const { version, line, lines, advisories } = verdict;
  const ofLine = rows.filter((row) => row.line === line);
  const newest = ofLine.findLast(({ isLatestOfLine }) => isLatestOfLine) ?? ofLine.at(-1);
  // `lines` is given if the item names only a release line, for example by a codename.
  const isNewest = lines !== undefined || ofLine.every((row) => isOlder(row.version, version));
  const facts = listVerdictFacts(verdict);
  return {
    ...(rows[0] && pick(rows[0], ofComponent)),
    ...(newest && (isNewest ? newest : { ...older, ...pick(newest, ofLines) })),
    ...facts,
    ...(facts['isVulnerable'] === false ? unaffected : { ...unchecked, advisory: advisories }),
  };
}

function isOlder(version: string, other: string): boolean {
  return compareVersions(readVersion(version), readVersion(other)) < 0;
}

/**
 * Judges an entry by a scan policy. Every policy fails if the entry's digest or repository contradicts the recorded digest or repository.
 */
function judgeEntry(entry: Entry, query: Query, facts: Facts | undefined): Result {
  const { item, match } = entry;
  if (match?.verdict && compareStated(item, match).contradictions.length > 0) {
    return { outcome: 'unsatisfied' };
  }

  const kind = findKind(entry);
  if (kind !== 'judged' || !facts) {
    const isGap = kind === 'unjudged' || kind === 'uncertain';
    return { outcome: isGap ? 'cannot-tell' : 'does-not-apply' };
  }

  return judgePolicy(query, facts);
}

/** Returns the result of a scan policy in the form of the specification. */
function describeScan(
  entry: Entry,
  policy: ScanPolicy,
  result: Result,
  attestationUri: string | null,
): PolicyScan {
  const { item, match } = entry;
  const { component, verdict } = match ?? {};
  const scan = {
    labels: policy.labels ?? {},
    status: toStatus(result),
    policyUri: `/policies/${policy.isBuiltIn ? 'built-in' : 'own'}/${policy.name}`,
    policyDescription: policy.description,
    policyRemediation: policy.remediation,
    attestationUri,
    sourcedFromUri: null,
  };
  if (!match || !verdict) {
    const reason = describeObstacle(entry);
    const details = { component, version: item.version, result: result.outcome, reason };
    return { ...scan, details };
  }

  const { contradictions, gaps } = compareStated(item, match);
  const isFalse = contradictions.length > 0;
  const remedy = isFalse ? 'Find out where these bytes are from.' : chooseRemedy(policy, verdict);
  const reason = isFalse ? contradictions : explainOutcome(policy, verdict, result);
  return {
    ...scan,
    policyRemediation: remedy,
    details: {
      component,
      version: verdict.version,
      result: result.outcome,
      reason: reason.join(' '),
      message: [...contradictions, ...gaps].join(' ') || undefined,
      ...pick(verdict, verdictKeys),
    },
  };
}

const verdictKeys = [
  'changelogUrl',
  ...endKeys,
  ...paidKeys,
  'advisories',
  'severity',
  'releasesBehind',
  'moveTo',
  'moveToParts',
] as const;

function toStatus({ outcome }: Result): PolicyScan['status'] {
  return outcome === 'satisfied' || outcome === 'unsatisfied' ? outcome : 'not-applicable';
}

function chooseRemedy({ isBuiltIn, remediation }: ScanPolicy, verdict: Verdict): string {
  return isBuiltIn && (verdict.moveTo || verdict.moveToParts) ? verdict.advice : remediation;
}

/**
 * Explains the result of a scan policy. For a built-in policy or an unlisted version, returns the sentences of the verdict. Otherwise
 * returns the query of the policy.
 */
function explainOutcome(
  { isBuiltIn, query }: ScanPolicy,
  { sentence, because, isListed }: Verdict,
  result: Result,
): string[] {
  const words = isBuiltIn || !isListed ? [sentence, ...because] : [`The policy asks for ${query}.`];
  return [...words, explainResult(result)].filter((text) => text !== undefined);
}

/**
 * Compares the digests and the repository of an item with the recorded digests and repository.
 * - `contradictions`: which of them differ
 * - `gaps`: which of them cannot be compared
 */
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

/** Returns `github.com/example/agent` for every URL of this repository, on the web or for git. */
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

  // The port in an ssh or git URL does not identify the repository.
  const host = /^https?:$/.test(url.protocol) ? url.host : url.hostname;
  return `${host}${url.pathname}`.toLowerCase().replaceAll(/^www\.|(?:\.git)?\/?$/g, '');
}

/**
 * Finds the path of the newest statement about a release: `/packages/npm/%40example/agent/1.0/sha512:0f1e…/attestations/site/agent%2F1.0`.
 */
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
  // The strongest algorithm comes first, because it has the longest digest.
  const [strongest] = listDigests(newest.statement).sort((a, b) => b.length - a.length);
  const id = encodeURIComponent(newest.statement.predicate.id);
  return `/packages/${place}/${strongest}/attestations/site/${id}`;
}

/** Lists the parts of a package's path. An OCI image, or an item without a package URL, has the path `generic/<component>/<version>`. */
function listSegments({ purl, version = '' }: Item, match: Match): string[] {
  if (!purl || purl.type === 'oci') {
    return ['generic', match.component, match.version];
  }

  // The name is split at the last slash, because everything before it is the namespace.
  return [purl.type, ...purl.name.split(/\/(?=[^/]*$)/), version];
}

/** Lists the digests in a statement: `sha512:0f1e…`. */
export function listDigests({ subject }: Statement): string[] {
  return subject.flatMap(({ digest }) =>
    Object.entries(digest).map(([algorithm, value]) => `${algorithm}:${value}`),
  );
}
