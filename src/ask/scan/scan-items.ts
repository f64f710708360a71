import type { PublishedIndex } from '../published-index.ts';
import type { DetailedRelease as Release } from '../details-on.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import type { Day } from '../../core/dates.ts';
import type { PolicyScan } from '../../core/schemas/published/policy-scan.ts';
import { truthOf } from '../../core/query/match.ts';
import type { PublishedNamedPolicy, ReadPolicy } from '../../core/schemas/published/small-files.ts';
import { defined, quote } from '../../core/text.ts';
import { parseVersion } from '../../core/version.ts';
import {
  compareItem,
  distanceOf,
  openComponents,
  type Comparison,
  type OpenedComponent,
} from './components.ts';
import type { Entry, Item } from './items.ts';
import { formatPurl, packagesOf } from '../../core/purl.ts';
import { exactNames, extractVersion } from '../resolve.ts';
import { answerPublished, reasonOf } from '../version-answer.ts';
import { parsePolicyQuery, termsOf } from '../../core/query/parse.ts';
import { didYouMean } from '../../core/nearest.ts';

export interface ScannedItem {
  readonly item: Item;
  readonly policy: ReadPolicy;
  readonly scan: PolicyScan;
  /** The place of its entry in the input. */
  readonly entry: number;
  /** It is unknown only because no source of advisories is configured for its component. */
  readonly isUnwatched?: true;
}

export interface ScanContext {
  readonly index: PublishedIndex;
  /** The day from which ages count. */
  readonly day: Day;
  /** How many releases the components of a document may have together; any number where absent. */
  readonly mostReleases?: number;
}

/** The policies of a scan that names none. */
export const defaultPolicies = ['supported', 'secure'] as const;

/** The results of each policy for each statement of each entry, in this order. */
export async function scanEntries(
  entries: readonly Entry[],
  policies: readonly ReadPolicy[],
  context: ScanContext,
): Promise<ScannedItem[]> {
  const scansOf = await createScanner(context);
  const scanned: ScannedItem[] = [];
  for (const [place, entry] of entries.entries()) {
    const results = [];
    for (const item of entry) results.push({ item, scans: await scansOf(item, policies) });
    for (const { item, scans } of distinctResults(results)) {
      const { text: thing, purl, file, line } = item;
      const written = defined({ thing, purl: purl && formatPurl(purl), file, line });
      for (const [index, policy] of policies.entries()) {
        const { isUnwatched, ...scan } = scans[index]!;
        scanned.push(defined({ item, policy, scan: { ...written, ...scan }, entry: place, isUnwatched }));
      }
    }
  }
  return scanned;
}

/** How bad a result is, compared with others. */
export function harmOf({ status }: Pick<PolicyScan, 'status'>): number {
  return byHarm.indexOf(status);
}

/** The worse later. */
const byHarm: readonly PolicyScan['status'][] = [
  'not-applicable',
  'satisfied',
  'excepted',
  'unknown',
  'unsatisfied',
];

/** Of several statements of an entry, the worst result of each policy: an entry is not better than any of what it states. */
export function worstResults(scanned: readonly ScannedItem[]): ScannedItem[] {
  const worst = new Map<string, ScannedItem>();
  for (const result of scanned) {
    const key = `${result.entry} ${result.policy.name}`;
    const known = worst.get(key);
    if (!known || harmOf(known.scan) < harmOf(result.scan)) worst.set(key, result);
  }
  return [...worst.values()];
}

/**
 * An entry that the index knows by one of its names is known. Names of one release are one, and a tag or digest that names
 * none says nothing beside a version of the component.
 */
function distinctResults<Result extends { readonly scans: readonly Judgement[] }>(
  results: readonly Result[],
): readonly Result[] {
  const known = results.filter(({ scans }) => !isForeign(scans[0]!));
  if (known.length === 0) return results.slice(0, 1);
  const keyOf = ({ scans: [scan] }: Result) =>
    [scan!.details.component, scan!.details.version, scan!.details.message].join(' ');
  return known.filter((result, index) => {
    const { status, details } = result.scans[0]!;
    if (details.component === undefined) return true;
    const isOf = ({ scans: [other] }: Result) => other!.details.component === details.component;
    if (status === 'not-applicable')
      return !known.some((other) => isOf(other) && other.scans[0]!.status !== 'not-applicable');
    return known.findIndex((other) => isOf(other) && keyOf(other) === keyOf(result)) === index;
  });
}

/** The index has nothing of this name. */
export function isForeign({ status, details }: Judgement): boolean {
  return status === 'not-applicable' && details.component === undefined;
}

export function isJudged({ status }: Pick<PolicyScan, 'status'>): boolean {
  return status === 'satisfied' || status === 'unsatisfied';
}

/** The fields of queries that only a release with provenance has. */
const buildFields = new Set(['hasProvenance', 'isFromSourceRepository', 'repository', 'builder', 'commit']);

/** What a policy says, wherever the thing was written. */
type Judgement = Omit<PolicyScan, 'thing' | 'purl' | 'file' | 'line'> & Pick<ScannedItem, 'isUnwatched'>;

type Digests = ReadonlyMap<string, string>;

async function createScanner({ index, day, mostReleases }: ScanContext) {
  const digests = await index.digests();
  const isSigned = digests.has('signing-key.pub');
  const open = await openComponents(index, day, mostReleases);
  const judged = new Map<string, readonly Judgement[]>();
  const named = await exactNames(index);

  /** The component of an item and the version as its index has it; of several that share a package, one that lists it. */
  async function find(item: Item): Promise<{ component: OpenedComponent; version: string } | undefined> {
    const { name, purl, cpe, version = '' } = item;
    const own = name ?? (purl?.type === 'generic' && purl.namespace === undefined ? purl.name : undefined);
    const component = own === undefined ? undefined : ((await open(own)) ?? (await open(own.toLowerCase())));
    if (component) return { component, version };
    const packages = await index.packages();
    const keys = cpe === undefined ? (purl ? packagesOf(purl) : undefined) : [cpe];
    const owners = keys ? keys.flatMap((key) => packages.get(key) ?? []) : named(name ?? '');
    const found = [];
    for (const owner of owners) {
      const component = await open(owner.component);
      if (component) found.push({ component, version: await extractVersion(owner, version) });
    }
    return found.find(({ component, version }) => component.find(version)) ?? found[0];
  }

  return async function scansOf(item: Item, policies: readonly ReadPolicy[]): Promise<readonly Judgement[]> {
    const { text, name, purl, cpe } = item;
    const unjudged = (status: PolicyScan['status'], details: Judgement['details']) =>
      policies.map((policy) => resultOf(policy, status, defined({ version: item.version, ...details })));
    if ((name ?? purl ?? cpe) === undefined)
      return unjudged('unknown', { reason: `${quote(text)} cannot be read as a name or a package URL.` });
    const found = await find(item);
    if (!found) return unjudged('not-applicable', { reason: `The index does not know ${quote(text)}.` });
    const { component, version } = found;
    const known = { component: component.details.component };
    if (item.version === undefined) return unjudged('unknown', { ...known, reason: 'No version is stated.' });
    const release = component.findByDigest(item.version) ?? component.find(version);
    if (!release && !parseVersion(version)) {
      const reason = `${quote(version)} is no version; a tag or a commit may stand for any release.`;
      return unjudged('not-applicable', { ...known, reason });
    }
    const asked = release?.version ?? version;
    const key = `${known.component} ${asked}`;
    let scans = judged.get(key);
    if (!scans) {
      const answer = await answerPublished(index, component.details, asked);
      scans = policies.map((policy) => judge(policy, component, release, answer));
      judged.set(key, scans);
    }
    return scans.map((scan) => ofItem(scan, item, release));
  };

  /** Where the statements about the item are, and whether its bytes are those of the release. */
  function ofItem(scan: Judgement, item: Item, release: Release | undefined): Judgement {
    const { component } = scan.details;
    if (component === undefined || !(release || isJudged(scan))) return scan;
    const attestationUri = isSigned ? statementsOf(item, component, digests) : null;
    const compared = release && compareItem(item, release);
    return { ...scan, attestationUri, ...(compared && withComparison(scan, compared)) };
  }
}

/** A version that is not listed fails with its line: where that has ended, and no release of it satisfies the policy. */
function judge(
  policy: ReadPolicy,
  component: OpenedComponent,
  release: Release | undefined,
  answer: VersionAnswer,
): Judgement {
  const { version, supportedUntil, supportedUntilAtMost, line } = answer;
  const { component: name, changelogUrl, releases } = component.details;
  const truthFor = (found: Release) => truthOf(policy.selects, component.rowOf(found));
  const truth = release && truthFor(release);
  const unknown = release ? unknownWords(policy, component, release) : [];
  const reason = [reasonOf(answer), ...unknown].join(' ');
  const { advisories, severity } = release ?? {};
  const distance = release && distanceOf(release);
  const details = {
    ...{ component: name, version, reason, supportedUntil, supportedUntilAtMost },
    ...{ advisories, severity, ...distance },
  };
  const ofLine = releases.filter((other) => other.line === line);
  const isOpen = answer.isSupported !== false || ofLine.some((other) => truthFor(other) !== false);
  if (!release && isOpen) return resultOf(policy, 'unknown', defined(details));
  const isUnknown = release !== undefined && truth === undefined;
  const status = truth ? 'satisfied' : isUnknown ? 'unknown' : 'unsatisfied';
  const { move, moveTo } = whereTo(policy, component, answer, status);
  return {
    ...resultOf(policy, status, defined({ ...details, moveTo })),
    ...(policy.isBuiltIn && { policyRemediation: move }),
    sourcedFromUri: release?.provenance?.run ?? release?.changelogUrl ?? changelogUrl,
    ...(isUnknown && isUnwatched(policy, component, release) && { isUnwatched: true as const }),
  };
}

/** Whether the policy is unknown of the release only because nobody watches for advisories on it. */
function isUnwatched({ selects }: ReadPolicy, component: OpenedComponent, release: Release): boolean {
  const row = component.rowOf(release);
  return row.isVulnerable === undefined && truthOf(selects, { ...row, isVulnerable: false }) === true;
}

/** Sentences that name what the policy asks and the index does not know. */
function unknownWords(
  { selects }: ReadPolicy,
  { details }: OpenedComponent,
  { provenance }: Release,
): string[] {
  const asked = new Set(termsOf(selects).flatMap(({ fields }) => fields.map(({ name }) => name)));
  const isBuildAsked = [...buildFields].some((name) => asked.has(name));
  const isSourceUnknown = provenance && provenance.isFromSourceRepository === undefined;
  return [
    ...(asked.has('isVulnerable') && !details.watchesAdvisories
      ? [`No source of advisories has answered for ${details.component}.`]
      : []),
    ...(isBuildAsked && !provenance ? ['No verified attestation states its build.'] : []),
    ...(isSourceUnknown && asked.has('isFromSourceRepository')
      ? ['Its source repository is not known: the definition names none.']
      : []),
  ];
}

/** An address of the index, as the specification of the results has it. */
function statementsOf({ purl, name = '', version = '' }: Item, component: string, digests: Digests): string {
  const { type = 'generic', namespace, name: packageName = name } = purl ?? {};
  const path = [type, namespace, packageName, version].flatMap((part) =>
    part === undefined ? [] : encodeURIComponent(part),
  );
  const digest = digests.get(`${component}.json`);
  return `/packages/${path.join('/')}/sha256:${digest}/attestations/site/${component}`;
}

function withComparison(
  { status, policyRemediation, details }: Judgement,
  { isWrong, message }: Comparison,
): Partial<Judgement> {
  if (!isWrong) return { details: { ...details, message } };
  const reason = status === 'unsatisfied' ? `${message} ${details.reason}` : message;
  const remedy = 'Find out where these bytes are from.';
  return {
    status: 'unsatisfied',
    policyRemediation:
      status === 'unsatisfied' && policyRemediation !== undefined ? `${remedy} ${policyRemediation}` : remedy,
    details: { ...details, reason, message },
  };
}

/** What is recommended for the release, unless that certainly fails the policy, too. */
function whereTo(
  policy: ReadPolicy,
  component: OpenedComponent,
  answer: VersionAnswer,
  status: PolicyScan['status'],
): { move: string } & Pick<VersionAnswer, 'moveTo'> {
  const { moveTo, isDeprecated } = answer;
  const move = answer.advice;
  const { component: name } = component.details;
  const latest = component.details.latest?.version;
  const isElsewhere = moveTo !== undefined && moveTo.component !== name;
  if (status === 'satisfied' || isElsewhere) return { move, moveTo };
  const truthFor = (version: string) => truthOf(policy.selects, component.rowOf(component.find(version)!));
  if (moveTo?.version !== undefined && truthFor(moveTo.version) !== false) return { move, moveTo };
  if (latest !== undefined && truthFor(latest))
    return { move: `Move to ${latest}, the latest version.`, moveTo: { component: name, version: latest } };
  if (!moveTo && isDeprecated === true) return { move };
  return { move: `${policy.remediation} Neither the latest release of its line nor that of ${name} is one.` };
}

/** Without what is known of a release only. */
function resultOf(
  policy: ReadPolicy,
  status: PolicyScan['status'],
  details: Judgement['details'],
): Judgement {
  const { labels = {}, name, isBuiltIn, description, remediation } = policy;
  const policyUri = `/policies/${isBuiltIn ? 'built-in' : 'own'}/${name}`;
  // There is nothing to advise on what is not of the index.
  const advice = details.component === undefined ? {} : { policyRemediation: remediation };
  const stated = { policyUri, policyDescription: description, ...advice };
  return { labels, status, ...stated, attestationUri: null, sourcedFromUri: null, details };
}

/** As of a day. Throws a `QueryError` where a newer program wrote the query. */
export function parsePublishedPolicy(policy: PublishedNamedPolicy, day: Day): ReadPolicy {
  return { ...policy, selects: parsePolicyQuery(policy.query, day) };
}

/** Names the nearest policy, and all. */
export function unknownPolicy(name: string, names: readonly string[]): string {
  return `There is no policy ${JSON.stringify(name)}.${didYouMean(name, names)} Policies are ${names.join(', ')}.`;
}
