import type { Day } from '../../core/model/dates.ts';
import { formatPurl } from '../../core/model/purl.ts';
import { parseVersion } from '../../core/model/version.ts';
import { parsePolicyQuery } from '../../core/query/parse.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import type { PolicyScan } from '../../core/schemas/published/policy-scan.ts';
import type { PublishedNamedPolicy, ReadPolicy } from '../../core/schemas/published/small-files.ts';
import type { ReleaseStatement } from '../../core/schemas/published/statement.ts';
import { quote } from '../../core/text/foreign-text.ts';
import { didYouMean } from '../../core/text/wording.ts';
import type { PublishedReleaseOn } from '../answers/details-on.ts';
import type { PublishedIndex } from '../answers/published-index.ts';
import { extractVersion } from '../answers/resolve.ts';
import { judgePublished } from '../answers/version-answer.ts';
import { openOwners, type FindOwners } from '../texts/identify.ts';
import type { Entry, Item } from '../texts/items.ts';
import {
  compareItem,
  describeResult,
  judgeByPolicy,
  openComponents,
  type ItemComparison,
  type OpenedComponent,
  type ReleaseScan,
} from './judge-release.ts';

export interface ScannedItem extends Pick<ReleaseScan, 'isUnwatched'> {
  readonly item: Item;
  readonly policy: ReadPolicy;
  readonly scan: PolicyScan;
  /** The position of its entry in the input. */
  readonly entry: number;
}

interface ScanContext {
  readonly index: PublishedIndex;
  /** Today, for ages and states. */
  readonly day: Day;
}

interface PolicyResult {
  readonly policy: ReadPolicy;
  readonly scan: ReleaseScan;
}

/** The default policies of a scan. */
export const defaultPolicies = ['supported', 'secure'] as const;

/** The results of each policy for each statement of each entry, in this order. */
export async function scanEntries(
  entries: readonly Entry[],
  policies: readonly ReadPolicy[],
  context: ScanContext,
): Promise<ScannedItem[]> {
  const scanner = await createScanner(context);
  const scanned: ScannedItem[] = [];

  for (const [position, entry] of entries.entries()) {
    const results = [];
    for (const item of entry) {
      results.push({ item, scans: await scanner.scanItem(item, policies) });
    }

    for (const { item, scans } of listDistinctResults(results)) {
      const { text: thing, purl, file, line } = item;
      const itemFacts = { thing, purl: purl && formatPurl(purl), file, line };
      for (const { policy, scan } of scans) {
        const { isUnwatched, ...judged } = scan;
        scanned.push({
          item,
          policy,
          scan: { ...itemFacts, ...judged },
          entry: position,
          isUnwatched,
        });
      }
    }
  }

  return scanned;
}

/** The rank of a result from harmless to worst. */
export function rankHarm({ status }: Pick<PolicyScan, 'status'>): number {
  return byHarm.indexOf(status);
}

/** From harmless to worst. */
const byHarm: readonly PolicyScan['status'][] = [
  'not-applicable',
  'satisfied',
  'excepted',
  'unknown',
  'unsatisfied',
];

/** The worst result of each policy for an entry: an entry is as bad as its worst statement. */
export function listWorstResults(scanned: readonly ScannedItem[]): ScannedItem[] {
  const worst = new Map<string, ScannedItem>();
  for (const result of scanned) {
    const key = `${result.entry} ${result.policy.name}`;
    const worstResult = worst.get(key);
    if (!worstResult || rankHarm(worstResult.scan) < rankHarm(result.scan)) {
      worst.set(key, result);
    }
  }
  return [...worst.values()];
}

/**
 * An entry is known if the index knows one of its names. Names of the same release are one, and an unknown tag or digest is ignored
 * if a version of the component is known.
 */
function listDistinctResults<Result extends { readonly scans: readonly PolicyResult[] }>(
  results: readonly Result[],
): readonly Result[] {
  // The result of any policy tells which release it is about.
  const ourResults = results.flatMap((result) =>
    result.scans
      .slice(0, 1)
      .filter(({ scan }) => !isForeign(scan))
      .map(({ scan }) => ({ result, scan })),
  );
  if (ourResults.length === 0) {
    return results.slice(0, 1);
  }

  const isTag = ({ status }: ReleaseScan) => status === 'not-applicable';
  const components = new Set(
    ourResults
      .filter(({ scan }) => !isTag(scan))
      .map(({ scan }) => scan.details.component)
      .filter((value) => value !== undefined),
  );
  const seen = new Set<string>();

  const distinct = ourResults.filter(({ scan }) => {
    const { component, version, message } = scan.details;
    if (component === undefined) {
      return true;
    }
    if (isTag(scan)) {
      return !components.has(component);
    }

    const key = JSON.stringify([component, version, message]);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });

  return distinct.map(({ result }) => result);
}

/** Whether the index has nothing with this name. */
export function isForeign({ status, details }: ReleaseScan): boolean {
  return status === 'not-applicable' && details.component === undefined;
}

export function isJudged({ status }: Pick<PolicyScan, 'status'>): boolean {
  return status === 'satisfied' || status === 'unsatisfied';
}

async function createScanner({ index, day }: ScanContext): Promise<Scanner> {
  return new Scanner(index, await openComponents(index, day), await openOwners(index));
}

class Scanner {
  readonly #findOwners: FindOwners;
  readonly #index: PublishedIndex;
  readonly #open: Awaited<ReturnType<typeof openComponents>>;
  /** By component and version. */
  readonly #judged = new Map<string, readonly PolicyResult[]>();
  readonly #statements = new Map<string, Promise<ReadonlyMap<string, ReleaseStatement>>>();

  constructor(
    index: PublishedIndex,
    open: Awaited<ReturnType<typeof openComponents>>,
    findOwners: FindOwners,
  ) {
    this.#index = index;
    this.#open = open;
    this.#findOwners = findOwners;
  }

  /** The component of an item and the version as in the index; of several components with the package, one that lists the version. */
  async #find(item: Item): Promise<{ component: OpenedComponent; version: string } | undefined> {
    const components = [];
    for (const owner of this.#findOwners(item)) {
      const component = await this.#open(owner.component);
      if (component) {
        components.push({ component, version: await extractVersion(owner, item.version ?? '') });
      }
    }
    return components.find(({ component, version }) => component.find(version)) ?? components[0];
  }

  async scanItem(item: Item, policies: readonly ReadPolicy[]): Promise<readonly PolicyResult[]> {
    const { text, name, purl, range } = item;

    const createUnjudged = (status: PolicyScan['status'], details: ReleaseScan['details']) =>
      policies.map((policy) => {
        return {
          policy,
          scan: describeResult(policy, status, { version: item.version, ...details }),
        };
      });

    if ((name ?? purl) === undefined) {
      return createUnjudged('unknown', {
        reason: `${quote(text)} cannot be read as a name or a package URL.`,
      });
    }

    const match = await this.#find(item);
    if (!match) {
      return createUnjudged('not-applicable', {
        reason: `The index does not know ${quote(text)}.`,
      });
    }

    const { component, version } = match;
    const about = { component: component.details.component };
    if (item.version === undefined) {
      const reason =
        range === undefined
          ? 'No version is stated.'
          : `States the range ${quote(range)}, not a version.`;
      return createUnjudged('unknown', { ...about, reason });
    }

    const release = component.findByDigest(item.version) ?? component.find(version);
    if (!release && !parseVersion(version)) {
      const reason = `${quote(version)} is no version; a tag or a commit may stand for any release.`;
      return createUnjudged('not-applicable', { ...about, reason });
    }

    const scans = await this.#judge(component, release?.version ?? version, release, policies);
    return Promise.all(
      scans.map(async ({ policy, scan }) => ({
        policy,
        scan: await this.#compareBytes(scan, item, component, release),
      })),
    );
  }

  /** Judges each version once. */
  async #judge(
    component: OpenedComponent,
    version: string,
    release: PublishedReleaseOn | undefined,
    policies: readonly ReadPolicy[],
  ): Promise<readonly PolicyResult[]> {
    const { details } = component;
    const key = `${details.component} ${version}`;
    const existing = this.#judged.get(key);
    if (existing) {
      return existing;
    }

    const index = {
      ...this.#index,
      details: async (name: string) => (await this.#open(name))?.details,
    };
    const { answer } = await judgePublished(index, details, { version });
    const scans = policies.map((policy) => ({
      policy,
      scan: judgeByPolicy(policy, component, release, answer),
    }));
    this.#judged.set(key, scans);
    return scans;
  }

  /** The newest statement about a release; only a release with recorded digests may have statements. */
  async #findStatementOn(component: string, release: PublishedReleaseOn | undefined) {
    if (!release?.digests) {
      return undefined;
    }

    const statements = this.#statements.get(component) ?? this.#readStatements(component);
    this.#statements.set(component, statements);
    return (await statements).get(release.version);
  }

  async #readStatements(component: string): Promise<ReadonlyMap<string, ReleaseStatement>> {
    const statements = await this.#index.statements(component);
    return new Map(statements.map(({ statement }) => [statement.predicate.version, statement]));
  }

  /** The address of the statement about the item, and whether its bytes are the bytes of the release. */
  async #compareBytes(
    scan: ReleaseScan,
    item: Item,
    { details }: OpenedComponent,
    release: PublishedReleaseOn | undefined,
  ): Promise<ReleaseScan> {
    if (!(release || isJudged(scan))) {
      return scan;
    }

    const statement = await this.#findStatementOn(details.component, release);
    const attestationUri = statement ? findAddress(item, statement) : null;
    const comparison = release && compareItem(item, details, release);
    return { ...scan, attestationUri, ...(comparison && addComparison(scan, comparison)) };
  }
}

/** The address of a statement by a digest of the item, or else by the strongest digest. */
function findAddress(
  { purl, name = '', version = '', digests = [] }: Item,
  { subject, predicate }: ReleaseStatement,
): string {
  const recorded = subject.flatMap(({ digest }) =>
    Object.entries(digest).map(([algorithm, value]) => `${algorithm}:${value}`),
  );
  const strongest = recorded.toSorted((a, b) => b.length - a.length)[0]!;
  const digest = recorded.find((each) => digests.includes(each)) ?? strongest;
  const { type = 'generic', namespace, name: packageName = name } = purl ?? {};
  const path = [type, namespace, packageName, version]
    .filter((part) => part !== undefined)
    .map((part) => encodeURIComponent(part));
  return `/packages/${path.join('/')}/${digest}/attestations/site/${encodeURIComponent(predicate.id)}`;
}

function addComparison(
  { status, policyRemediation, details }: ReleaseScan,
  { isWrong, message }: ItemComparison,
): Partial<ReleaseScan> {
  if (!isWrong) {
    return { details: { ...details, message } };
  }

  const reason = status === 'unsatisfied' ? `${message} ${details.reason}` : message;
  const remedy = 'Find out where these bytes are from.';
  return {
    status: 'unsatisfied',
    policyRemediation:
      status === 'unsatisfied' && policyRemediation !== undefined
        ? `${remedy} ${policyRemediation}`
        : remedy,
    details: { ...details, reason, message },
  };
}

/** Parses the query of a policy, as of a day. Throws a `QuestionError` if a newer program wrote the query. */
export function parsePublishedPolicy(policy: PublishedNamedPolicy, day: Day): ReadPolicy {
  return { ...policy, selects: parsePolicyQuery(policy.query, day) };
}

/** Throws a `QuestionError`. */
export function findPolicyNamed(
  policies: readonly PublishedNamedPolicy[],
  name: string,
): PublishedNamedPolicy {
  const policy = policies.find((each) => each.name === name);
  if (policy) {
    return policy;
  }

  const names = policies.map((each) => each.name);
  throw new QuestionError('unknown', describeUnknownPolicy(name, names));
}

/** A message with a suggestion and all policies. */
export function describeUnknownPolicy(name: string, names: readonly string[]): string {
  return `There is no policy ${JSON.stringify(name)}.${didYouMean(name, names)} Policies are ${names.join(', ')}.`;
}
