import * as z from 'zod';
import { findOwners } from '../core/owners.ts';
import { formatPurl, normaliseName, type Purl } from '../core/purl.ts';
import { judgeRow } from '../core/query/match.ts';
import type { Query } from '../core/query/parse.ts';
import { listTerms } from '../core/query/terms.ts';
import type { Item } from '../core/read-list.ts';
import { quote } from '../core/text.ts';
import { findRelease } from '../core/verdicts.ts';
import { parseVersion } from '../core/version.ts';
import { AskError } from './errors.ts';
import type { Policy, Row } from '../core/schema/documents.ts';
import type { Component as Details, Release } from '../core/schema/published.ts';
import type { PublishedIndex, Statement } from './index.ts';
import { readNames } from './names.ts';
import { judgeVersion, readQuery } from './releases.ts';

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
    policyRemediation: text.optional(),
    attestationUri: text.nullable().describe('The newest signed statement about the release.'),
    sourcedFromUri: text.nullable().describe('Always null: no builds of releases are recorded.'),
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
  const policies = (await index.policies()).filter(
    ({ isBuiltIn }) => kind === undefined || isBuiltIn === (kind === 'built-in'),
  );
  const policy = policies.find((each) => each.name === name);
  if (!policy) {
    const names = policies.map((each) => each.name).join(', ');
    throw new AskError(
      404,
      `There is no policy ${quote(name)}. ${names === '' ? 'There are none' : `Policies are ${names}`}.`,
    );
  }

  return policy;
}

/** The component and the release of an item. Of several owners of a package, the one that lists the version. */
export async function findItem(index: PublishedIndex, { name, purl, version = '' }: Item) {
  let first: { details: Details; release: Release | undefined } | undefined;
  for (const { component, extractVersion } of findOwners(
    purl ?? name ?? '',
    await readNames(index),
  )) {
    const details = await index.details(component);
    if (details) {
      const own =
        extractVersion === undefined
          ? version
          : (new RegExp(extractVersion).exec(version)?.groups?.['version'] ?? version);
      const release = findRelease(details.releases, own) ?? findByDigest(details.releases, version);
      if (release) {
        return { details, release };
      }
      first ??= { details, release };
    }
  }
  return first;
}

function findByDigest(releases: readonly Release[], digest: string): Release | undefined {
  return digest.includes(':')
    ? releases.find(({ digests = [] }) => digests.includes(digest))
    : undefined;
}

/** The result of a policy for an item. A wrong digest or repository fails every policy. */
export async function scanItem(
  index: PublishedIndex,
  item: Item,
  policy: Policy,
): Promise<PolicyScan> {
  const result = {
    labels: policy.labels ?? {},
    policyUri: `/policies/${policy.isBuiltIn ? 'built-in' : 'own'}/${policy.name}`,
    policyDescription: policy.description,
    policyRemediation: policy.remediation,
    attestationUri: null,
    sourcedFromUri: null,
  };
  const skip = (reason: string, more = {}): PolicyScan => ({
    ...result,
    status: 'not-applicable',
    policyRemediation: undefined,
    details: { ...more, reason },
  });

  const match = await findItem(index, item);
  if (!match) {
    return skip(`The index does not know ${quote(item.text)}.`, { version: item.version });
  }

  const { details, release } = match;
  const { component } = details;
  if (!release && (item.version === undefined || !parseVersion(item.version))) {
    return skip(
      item.version === undefined
        ? 'No version is stated.'
        : `${quote(item.version)} is no version; a tag or a commit may stand for any release.`,
      { component, version: item.version },
    );
  }

  const verdict = judgeVersion(details, release?.version ?? item.version!);
  const { asOf } = await index.status();
  const query = readQuery(policy.query, asOf);
  const row = (await index.releases()).find(
    (each) => each.component === component && each.version === verdict.version,
  );
  const passes = row ? judgeRow(query, row) : verdict.isSupported === false ? false : undefined;
  const reason =
    row && !policy.isBuiltIn
      ? describeCondition(policy, query, row)
      : [verdict.sentence, ...verdict.because].join(' ');
  const message = release && compare(item, details, release);
  const isWrong = message?.isWrong === true;

  return {
    ...result,
    status: isWrong || passes === false ? 'unsatisfied' : passes ? 'satisfied' : 'not-applicable',
    policyRemediation: isWrong
      ? 'Find out where these bytes are from.'
      : policy.isBuiltIn
        ? verdict.moveTo && verdict.advice
        : policy.remediation,
    attestationUri: release ? await findStatementPath(index, item, component, release) : null,
    details: {
      component,
      version: verdict.version,
      reason: isWrong ? message.text : reason,
      message: message?.text,
      changelogUrl: verdict.changelogUrl,
      supportedUntil: verdict.supportedUntil,
      advisories: verdict.advisories,
      severity: verdict.severity,
      releasesBehind: verdict.releasesBehind,
      moveTo: verdict.moveTo,
    },
  };
}

/** `The policy asks for -isDeprecated. Of 2025.1: isDeprecated true.` */
function describeCondition(policy: Policy, query: Query, row: Row): string {
  const values = listTerms(query).flatMap(({ fields: [field] }) =>
    field ? [`${field.name} ${JSON.stringify(row[field.name] ?? 'unknown')}`] : [],
  );
  return `The policy asks for ${policy.query}. Of ${row.version}: ${[...new Set(values)].join(', ')}.`;
}

/** What differs from the recorded digests and repository, or could not be compared. */
function compare(
  { digests = [], repositoryUrl }: Item,
  details: Details,
  release: Release,
): { isWrong: boolean; text: string } | undefined {
  const { digests: recorded = [] } = release;
  const algorithms = new Set(recorded.map((digest) => digest.split(':')[0]));
  const wrong = digests.some((digest) => recorded.includes(digest))
    ? undefined
    : digests.find((digest) => algorithms.has(digest.split(':')[0]));
  const texts: string[] = [];
  if (wrong !== undefined) {
    texts.push(`${wrong} is not a digest that is recorded for ${release.version}.`);
  }
  const { sourceRepository } = details;
  const differs =
    repositoryUrl !== undefined &&
    sourceRepository !== undefined &&
    normaliseAddress(repositoryUrl) !== normaliseAddress(sourceRepository);
  if (differs) {
    texts.push(
      `${details.component} is built from ${sourceRepository}, not from ${repositoryUrl}.`,
    );
  }
  if (texts.length > 0) {
    return { isWrong: true, text: texts.join(' ') };
  }

  if (digests.length > 0 && !digests.some((digest) => recorded.includes(digest))) {
    texts.push(`No such digest of ${release.version} is recorded.`);
  }
  if (repositoryUrl !== undefined && sourceRepository === undefined) {
    texts.push(`The source repository of ${details.component} is not recorded.`);
  }
  return texts.length > 0 ? { isWrong: false, text: texts.join(' ') } : undefined;
}

/** `github.com/example/agent` for its addresses on the web and in git. */
function normaliseAddress(address: string): string {
  const url = URL.parse(
    address
      .replace(/^git@([^/:]+):/, 'ssh://$1/')
      .replace(/^git\+/, '')
      .replace(/^(?!\w+:\/\/)/, 'https://'),
  );
  const host = url && /^https?:$/.test(url.protocol) ? url.host : url?.hostname;
  return url
    ? `${host}${url.pathname}`.toLowerCase().replaceAll(/^www\.|(?:\.git)?\/?$/g, '')
    : address;
}

/** The package in the path of a request. */
interface Segments {
  readonly type: string;
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly version: string;
}

function toItem({ type: given, namespace, name, version }: Segments): Item {
  const type = given.toLowerCase();
  const path = namespace === undefined ? name : `${namespace}/${name}`;
  const purl: Purl = {
    type,
    name: normaliseName(type, path),
    version,
    qualifiers: new URLSearchParams(),
  };
  return { text: formatPurl(purl), purl, version };
}

export function scanPackage(
  index: PublishedIndex,
  segments: Segments,
  policy: Policy,
  { sha256, repositoryUrl }: { sha256?: string | undefined; repositoryUrl?: string | undefined },
): Promise<PolicyScan> {
  const digests = sha256 === undefined ? [] : [sha256.toLowerCase().replace(/^(?!sha)/, 'sha256:')];
  return scanItem(index, { ...toItem(segments), digests, repositoryUrl }, policy);
}

function listStated({ subject }: Statement): string[] {
  return subject.flatMap(({ digest }) =>
    Object.entries(digest).map(([algorithm, value]) => `${algorithm}:${value}`),
  );
}

/** `/packages/npm/%40example/agent/1.0/sha512:0f1e…/attestations/site/agent%2F1.0%2F2026-01-31` */
async function findStatementPath(
  index: PublishedIndex,
  { purl, version = '' }: Item,
  component: string,
  release: Release,
): Promise<string | null> {
  const statements = release.digests ? await index.statements(component) : [];
  const statement = statements.findLast(
    (each) => each.statement.predicate.version === release.version,
  )?.statement;
  if (!statement) {
    return null;
  }

  const [digest] = listStated(statement).sort((a, b) => b.length - a.length);
  const slash = purl?.name.lastIndexOf('/') ?? -1;
  const name =
    slash === -1 ? [purl?.name ?? ''] : [purl!.name.slice(0, slash), purl!.name.slice(slash + 1)];
  const place =
    purl && purl.type !== 'oci'
      ? [purl.type, ...name, version]
      : ['generic', component, release.version];
  const segments = place.map(encodeURIComponent);
  return `/packages/${segments.join('/')}/${digest}/attestations/site/${encodeURIComponent(statement.predicate.id)}`;
}

export async function readStatement(
  index: PublishedIndex,
  segments: Segments,
  digest: string,
  id: string,
) {
  const item = toItem(segments);
  const match = await findItem(index, item);
  if (!match?.release) {
    throw new AskError(404, `The index lists no release ${quote(item.text)}.`);
  }

  const { details, release } = match;
  const statements = await index.statements(details.component);
  const found = statements.find(
    ({ statement: { predicate } }) => predicate.version === release.version && predicate.id === id,
  );
  if (!found) {
    throw new AskError(404, `There is no statement ${quote(id)} about this package.`);
  }
  if (!listStated(found.statement).some((each) => each.toLowerCase() === digest.toLowerCase())) {
    throw new AskError(404, `This statement is not about ${digest}.`);
  }

  return found.envelope;
}
