import { pick } from '../../core/model/objects.ts';
import type { ReadPolicy } from '../../core/query/query-terms.ts';
import {
  describeAccount,
  describeUnwatched,
  listNamedUnjudged,
  listVulnerable,
  maxNamedUnjudged,
  type Account,
  type ScannedItem,
} from './scan-results.ts';

/** The file to name for results without a file: GitHub rejects a result without a physical location. */
const placeholderFile = 'README.md';

/** A policy, or the rule about advisories. */
type Rule = Pick<ReadPolicy, 'name' | 'description' | 'remediation'>;

/** The rule for advisories about releases that satisfy the requested policies. */
const advisoryRule: Rule = {
  // No policy can have this name.
  name: 'release-index/advisories',
  description: 'An advisory affects the release.',
  remediation: 'Move to a release that no known advisory affects.',
};

/** A result by a rule. */
type Finding = Pick<ScannedItem, 'item' | 'scan'> & { readonly policy: Rule };

/**
 * The items that do not satisfy a policy, as SARIF for programs that show the findings of analyses
 * (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html).
 */
export function renderSarif(
  scanned: readonly ScannedItem[],
  account: Account,
  informationUri: string,
): object {
  const rules = [
    ...new Map(scanned.map(({ policy }) => [policy.name, policy])).values(),
    advisoryRule,
  ];
  const ruleIds = rules.map(({ name }) => name);
  const findings: Finding[] = [
    ...scanned.filter(isReported),
    ...listVulnerable(scanned).map((result) => ({ ...result, policy: advisoryRule })),
  ];
  const driver = { name: 'release-index', informationUri, rules: rules.map(renderRule) };
  const toolExecutionNotifications = renderNotifications(scanned, account);
  const run = {
    tool: { driver },
    invocations: [{ executionSuccessful: true, toolExecutionNotifications }],
    results: findings.map((finding) => renderResult(finding, ruleIds)),
  };

  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [run],
  };
}

function renderRule({ name, description, remediation }: Rule): object {
  return {
    id: name,
    shortDescription: { text: description },
    help: { text: remediation },
    // Readers group by it.
    defaultConfiguration: { level: 'error' },
  };
}

/** Notes with the counts, and with the first items that were not judged: readers limit the size of a file. */
function renderNotifications(scanned: readonly ScannedItem[], account: Account): object[] {
  const texts = [`${describeAccount(account)}.`];
  const unwatched = describeUnwatched(scanned);
  if (unwatched !== undefined) {
    texts.push(unwatched);
  }
  for (const { scan } of listNamedUnjudged(scanned).slice(0, maxNamedUnjudged)) {
    texts.push(`${scan.thing}: ${scan.details.reason}`);
  }
  return texts.map((text) => ({ level: 'note', message: { text } }));
}

function renderResult({ item, policy, scan }: Finding, ruleIds: readonly string[]): object {
  const { details, policyRemediation = '' } = scan;
  const justification = details.exception?.reason;

  return {
    ruleId: policy.name,
    ruleIndex: ruleIds.indexOf(policy.name),
    level: policy === advisoryRule ? 'warning' : 'error',
    message: { text: `${item.text}: ${details.reason} ${policyRemediation}`.trim() },
    locations: [describeLocation(item)],
    suppressions:
      scan.status === 'excepted'
        ? [{ kind: 'external', status: 'accepted', justification }]
        : undefined,
    properties: pick(scan, ['thing', 'purl']),
    partialFingerprints: { 'thingAndPolicy/v1': `${item.text} ${policy.name}` },
  };
}

function isReported({ scan }: ScannedItem): boolean {
  return scan.status === 'unsatisfied' || scan.status === 'excepted';
}

function describeLocation({ text, file, line = 1 }: ScannedItem['item']): object {
  const uri = (file ?? placeholderFile).split(/[\\/]/).map(encodeURIComponent).join('/');
  return {
    physicalLocation: {
      artifactLocation: { uri },
      // The line of an item from standard input is not one of the placeholder.
      region: { startLine: file === undefined ? 1 : line },
    },
    logicalLocations: [{ fullyQualifiedName: text, kind: 'package' }],
  };
}
