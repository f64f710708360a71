import * as z from 'zod';
import { findOwners } from '../core/index/owners.ts';
import { judgeRow } from '../core/query/match.ts';
import type { Query } from '../core/query/parse.ts';
import type { Item } from '../core/read-list.ts';
import type { Policy, Row, Verdict } from '../core/schema/documents.ts';
import type { Component as Details, Release } from '../core/schema/published.ts';
import { quote } from '../core/text.ts';
import { findRelease, findVerdict } from '../core/index/verdicts.ts';
import { parseVersion } from '../core/version.ts';
import { AskError } from './errors.ts';
import { type PublishedIndex, readNames } from './index.ts';
import { judgeVersion, readQuery } from './releases.ts';
import { findStatementPath } from './statements.ts';

const text = z.string();

/** The result of a policy for a package or component: PolicyScan.Result of the specification. */
export const PolicyScan = z
  .object({
    labels: z.record(text, text),
    status: z
      .enum(['satisfied', 'unsatisfied', 'not-applicable'])
      .describe(
        'not-applicable: a fact that the policy needs is not known; details.reason names the cause.',
      ),
    policyUri: text,
    policyDescription: text,
    policyRemediation: text,
    attestationUri: text.nullable().describe('The newest signed statement about the release.'),
    /** Always null: no builds of releases are recorded. */
    sourcedFromUri: text.nullable(),
    details: z.looseObject({
      component: text.optional(),
      version: text.optional(),
      reason: text,
      message: text.optional(),
    }),
  })
  .meta({ id: 'PolicyScan' });
export type PolicyScan = z.infer<typeof PolicyScan>;

export async function findPolicy(
  index: PublishedIndex,
  name: string,
  kind?: 'built-in' | 'own',
): Promise<Policy> {
  const all = await index.policies();
  const policies = all.filter(
    ({ isBuiltIn }) => kind === undefined || isBuiltIn === (kind === 'built-in'),
  );
  const policy = policies.find((each) => each.name === name);
  if (!policy) {
    const names = policies.map((each) => each.name).join(', ');
    const hint = names === '' ? 'There are none' : `Policies are ${names}`;
    throw new AskError(404, `There is no policy ${quote(name)}. ${hint}.`);
  }

  return policy;
}

interface Match {
  readonly details: Details;
  /** Undefined where the version is not listed. */
  readonly release: Release | undefined;
}

/** The component and the release of an item. Of several owners of a package, the one that lists the version. */
export async function findItem(
  index: PublishedIndex,
  { name = '', purl, version = '' }: Item,
): Promise<Match | undefined> {
  let first: Match | undefined;
  for (const { component, extractVersion } of findOwners(purl ?? name, await readNames(index))) {
    const details = await index.details(component);
    if (details) {
      const release =
        findRelease(details, extract(version, extractVersion)) ?? findByDigest(details, version);
      if (release) {
        return { details, release };
      }

      first ??= { details, release };
    }
  }
  return first;
}

function extract(version: string, pattern: string | undefined): string {
  const groups = pattern === undefined ? undefined : new RegExp(pattern).exec(version)?.groups;
  return groups?.['version'] ?? version;
}

/** An image may have its digest in place of a version. */
function findByDigest({ releases }: Details, digest: string): Release | undefined {
  return digest.includes(':')
    ? releases.find(({ digests = [] }) => digests.includes(digest))
    : undefined;
}

/** The component of an item, and the verdict on its version where it states one. Undefined for what is not in the index. */
export async function judgeItem(
  index: PublishedIndex,
  item: Item,
): Promise<{ details: Details; verdict: Verdict | undefined } | undefined> {
  const match = await findItem(index, item);
  if (!match) {
    return undefined;
  }

  const { details, release } = match;
  const version = release?.version ?? item.version;
  return { details, verdict: version === undefined ? undefined : findVerdict(details, version) };
}

/** The result of a policy for an item. A wrong digest or repository fails every policy. */
export async function scanItem(
  index: PublishedIndex,
  item: Item,
  policy: Policy,
): Promise<PolicyScan> {
  const result = {
    labels: policy.labels ?? {},
    status: 'not-applicable' as const,
    policyUri: `/policies/${policy.isBuiltIn ? 'built-in' : 'own'}/${policy.name}`,
    policyDescription: policy.description,
    policyRemediation: policy.remediation,
    attestationUri: null,
    sourcedFromUri: null,
  };

  const match = await findItem(index, item);
  const obstacle = describeObstacle(item, match);
  if (!match || obstacle !== undefined) {
    const { component } = match?.details ?? {};
    const details = { component, version: item.version, reason: obstacle ?? '' };
    return { ...result, details };
  }

  const { details, release } = match;
  const verdict = judgeVersion(details, release?.version ?? item.version!);
  const finding = await applyPolicy(index, policy, details.component, verdict);
  const difference = release ? compare(item, details, release) : undefined;
  return {
    ...result,
    ...(difference?.isWrong
      ? { status: 'unsatisfied', policyRemediation: 'Find out where these bytes are from.' }
      : { status: finding.status, policyRemediation: finding.remediation }),
    attestationUri: release
      ? await findStatementPath(index, item, details.component, release)
      : null,
    details: {
      component: details.component,
      version: verdict.version,
      reason: difference?.isWrong ? difference.text : finding.reason,
      message: difference?.text,
      changelogUrl: verdict.changelogUrl,
      supportedUntil: verdict.supportedUntil,
      advisories: verdict.advisories,
      severity: verdict.severity,
      releasesBehind: verdict.releasesBehind,
      moveTo: verdict.moveTo,
    },
  };
}

/** Why nothing can be said of an item; undefined where it can. */
function describeObstacle(
  { text: item, version }: Item,
  match: Match | undefined,
): string | undefined {
  if (!match) {
    return `The index does not know ${quote(item)}.`;
  }
  if (match.release) {
    return undefined;
  }
  if (version === undefined) {
    return 'No version is stated.';
  }

  return parseVersion(version)
    ? undefined
    : `${quote(version)} is no version; a tag or a commit may stand for any release.`;
}

async function applyPolicy(
  index: PublishedIndex,
  policy: Policy,
  component: string,
  verdict: Verdict,
) {
  const { asOf } = await index.status();
  const query = readQuery(policy.query, asOf);
  const rows = (await index.releases()).filter((each) => each.component === component);
  const row = rows.find(({ version }) => version === verdict.version);
  const status = row ? judgeListed(query, row) : judgeByLine(query, rows, verdict);

  const reason =
    policy.isBuiltIn || !row
      ? [verdict.sentence, ...verdict.because].join(' ')
      : `The policy asks for ${policy.query}.`;
  const remediation = policy.isBuiltIn && verdict.moveTo ? verdict.advice : policy.remediation;
  return { status, reason, remediation };
}

function judgeListed(query: Query, row: Row): PolicyScan['status'] {
  const isSatisfied = judgeRow(query, row);
  if (isSatisfied === undefined) {
    return 'not-applicable';
  }
  return isSatisfied ? 'satisfied' : 'unsatisfied';
}

/** A version that is not listed may not exist: it fails if its line has ended, and every release of the line fails. */
function judgeByLine(query: Query, rows: readonly Row[], { line, isSupported }: Verdict) {
  const fails = rows.every((row) => row.line !== line || judgeRow(query, row) === false);
  return isSupported === false && fails ? 'unsatisfied' : 'not-applicable';
}

interface Difference {
  /** Whether it contradicts what is recorded; else it could not be compared. */
  readonly isWrong: boolean;
  readonly text: string;
}

/** What differs from the recorded digests and repository, or could not be compared with them. */
function compare(
  { digests = [], repositoryUrl }: Item,
  { component, sourceRepository }: Details,
  { version, digests: recorded = [] }: Release,
): Difference | undefined {
  const isRecorded = digests.some((digest) => recorded.includes(digest));
  const algorithms = new Set(recorded.map((digest) => digest.split(':')[0]));
  const wrong = digests.find((digest) => algorithms.has(digest.split(':')[0]));
  const contradictions: string[] = [];
  const gaps: string[] = [];

  if (!isRecorded && wrong !== undefined) {
    contradictions.push(`${wrong} is not a digest that is recorded for ${version}.`);
  } else if (!isRecorded && digests.length > 0) {
    gaps.push(`No such digest of ${version} is recorded.`);
  }

  if (repositoryUrl !== undefined && sourceRepository === undefined) {
    gaps.push(`The source repository of ${component} is not recorded.`);
  } else if (
    repositoryUrl !== undefined &&
    normaliseAddress(repositoryUrl) !== normaliseAddress(sourceRepository!)
  ) {
    contradictions.push(
      `${component} is built from ${sourceRepository}, not from ${repositoryUrl}.`,
    );
  }

  const isWrong = contradictions.length > 0;
  const texts = isWrong ? contradictions : gaps;
  return texts.length > 0 ? { isWrong, text: texts.join(' ') } : undefined;
}

/** `github.com/example/agent` for its addresses on the web and in git. */
function normaliseAddress(address: string): string {
  const url = URL.parse(
    address
      .replace(/^git@([^/:]+):/, 'ssh://$1/')
      .replace(/^git\+/, '')
      .replace(/^(?!\w+:\/\/)/, 'https://'),
  );
  if (!url) {
    return address;
  }

  const host = /^https?:$/.test(url.protocol) ? url.host : url.hostname;
  return `${host}${url.pathname}`.toLowerCase().replaceAll(/^www\.|(?:\.git)?\/?$/g, '');
}
