import { pick } from '../../core/model/objects.ts';
import { asksAboutAdvisories } from '../../core/query/query-terms.ts';
import type { ReadPolicy } from './scan-policies.ts';
import {
  describeAccount,
  describeUnwatched,
  listNamedUnknown,
  listVulnerable,
  maxNamedUnknown,
  type Account,
  type ScannedItem,
} from './scan-results.ts';

/** The file to name for results without a file: GitHub rejects a result without a physical location. */
const placeholderFile = 'README.md';

/** A policy, or the rule about advisories. */
type Rule = Pick<ReadPolicy, 'name' | 'description' | 'remediation'>;

/** The rule for advisories about items that fail no policy. */
const advisoryRule: Rule = {
  // No policy can have this name.
  name: 'release-index/advisories',
  description: 'An advisory affects the release.',
  remediation: 'Move to a release that no known advisory affects.',
};

/** A result of a scan that a rule reports. */
interface RuleResult extends Pick<ScannedItem, 'item' | 'scan'> {
  readonly rule: Rule;
  /** The result whose exception accepts it. */
  readonly acceptedBy: ScannedItem | undefined;
}

/**
 * The failures, the excepted results and the advisories, as SARIF for programs that show the findings of analyses
 * (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html).
 */
export function renderSarif(
  scanned: readonly ScannedItem[],
  account: Account,
  informationUri: string,
): object {
  const policies = new Map(scanned.map(({ policy }) => [policy.name, policy]));
  const rules = [...policies.values(), advisoryRule];

  const results = [...listPolicyResults(scanned), ...listAdvisoryResults(scanned)];
  const driver = { name: 'release-index', informationUri, rules: rules.map(renderRule) };
  const toolExecutionNotifications = renderNotifications(scanned, account);
  const run = {
    tool: { driver },
    invocations: [{ executionSuccessful: true, toolExecutionNotifications }],
    results: results.map(renderResult),
  };

  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [run],
  };
}

function listPolicyResults(scanned: readonly ScannedItem[]): RuleResult[] {
  const results: RuleResult[] = [];
  for (const result of scanned) {
    const { item, scan, policy: rule } = result;
    const isExcepted = scan.status === 'excepted';
    if (isExcepted || scan.status === 'unsatisfied') {
      results.push({ item, scan, rule, acceptedBy: isExcepted ? result : undefined });
    }
  }
  return results;
}

/** An exception for a policy accepts the advisories of its entry only if the policy asks about advisories. */
function listAdvisoryResults(scanned: readonly ScannedItem[]): RuleResult[] {
  const accepting = scanned.filter(
    ({ scan, policy }) => scan.status === 'excepted' && asksAboutAdvisories(policy.selects),
  );
  const acceptingByEntry = new Map(accepting.map((result) => [result.position, result]));

  return listVulnerable(scanned).map(({ item, scan, position }) => {
    return { item, scan, rule: advisoryRule, acceptedBy: acceptingByEntry.get(position) };
  });
}

function renderRule({ name, description, remediation }: Rule): object {
  return {
    id: name,
    shortDescription: { text: description },
    help: { text: remediation },
    // Each result has a level of its own; GitHub shows that of the rule, too.
    defaultConfiguration: { level: 'error' },
  };
}

/** Notes with the counts, and with the first unknown results: readers limit the size of a file. */
function renderNotifications(scanned: readonly ScannedItem[], account: Account): object[] {
  const texts = [`${describeAccount(account)}.`];
  const unwatched = describeUnwatched(scanned);
  if (unwatched !== undefined) {
    texts.push(unwatched);
  }
  for (const { item, scan } of listNamedUnknown(scanned).slice(0, maxNamedUnknown)) {
    texts.push(`${item.text}: ${scan.details.reason}`);
  }
  // The same item may be unknown by several policies.
  return [...new Set(texts)].map((text) => ({ level: 'note', message: { text } }));
}

function renderResult({ item, scan, rule, acceptedBy }: RuleResult): object {
  const { details, policyRemediation = '' } = scan;
  const justification = acceptedBy?.scan.details.exception?.reason;

  return {
    ruleId: rule.name,
    level: rule === advisoryRule ? 'warning' : 'error',
    message: { text: `${item.text}: ${details.reason} ${policyRemediation}`.trim() },
    locations: [describeLocation(item)],
    suppressions: acceptedBy && [{ kind: 'external', status: 'accepted', justification }],
    properties: pick(scan, ['thing', 'purl']),
    partialFingerprints: { 'thingAndPolicy/v1': `${item.text} ${rule.name}` },
  };
}

function describeLocation({ text, file, line = 1 }: ScannedItem['item']): object {
  const uri = (file ?? placeholderFile).split(/[\\/]/).map(encodeURIComponent).join('/');
  return {
    physicalLocation: {
      artifactLocation: { uri },
      // A line of the standard input is no line of the placeholder.
      region: { startLine: file === undefined ? 1 : line },
    },
    logicalLocations: [{ fullyQualifiedName: text, kind: 'package' }],
  };
}
