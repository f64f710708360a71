import { defined, pick } from '../../core/text.ts';
import { accountSentence, listUnjudged, shownUnjudged, type Account } from './account.ts';
import type { ScannedItem } from './scan-items.ts';

export interface SarifContext {
  readonly informationUri: string;
  /** The file to show what stands in none: GitHub rejects a result without a physical location. */
  readonly elsewhere: string;
}

/** GitHub rejects a file with more results (https://docs.github.com/en/code-security/reference/code-scanning/sarif-support). */
const mostResults = 25_000;

/**
 * What does not satisfy a policy, for programs that show the findings of analyses
 * (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html). What was not judged is counted in a
 * notification, and the first of it has one of its own: readers limit the size of a file.
 */
export function sarifOf(
  scanned: readonly ScannedItem[],
  account: Account,
  { informationUri, elsewhere }: SarifContext,
): object {
  const rules = new Map(scanned.map(({ policy }) => [policy.name, policy]));
  const ids = [...rules.keys()];
  const unjudged = listUnjudged(scanned).slice(0, shownUnjudged);
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'release-index',
            informationUri,
            rules: Array.from(rules.values(), ({ name, description, remediation }) => ({
              id: name,
              shortDescription: { text: description },
              help: { text: remediation },
              // Readers group by it.
              defaultConfiguration: { level: 'error' },
            })),
          },
        },
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: [
              { level: 'note', message: { text: `${accountSentence(account)}.` } },
              ...unjudged.map(({ policy, scan }) => ({
                level: 'note',
                associatedRule: { id: policy.name, index: ids.indexOf(policy.name) },
                message: { text: `${scan.thing}: ${scan.details.reason}` },
              })),
            ],
          },
        ],
        results: scanned
          .filter(({ scan }) => scan.status === 'unsatisfied' || scan.status === 'excepted')
          .slice(0, mostResults)
          .map(({ item, policy, scan, isKnown }) => {
            const { details, policyRemediation } = scan;
            return defined({
              ruleId: policy.name,
              ruleIndex: ids.indexOf(policy.name),
              level: 'error',
              message: { text: `${item.text}: ${details.reason} ${policyRemediation}` },
              locations: [locationOf(item, elsewhere)],
              suppressions:
                scan.status === 'excepted'
                  ? [{ kind: 'external', status: 'accepted', justification: details.exception?.reason }]
                  : undefined,
              baselineState: isKnown === undefined ? undefined : isKnown ? 'unchanged' : 'new',
              properties: pick(scan, ['thing', 'purl']),
              partialFingerprints: { 'thingAndPolicy/v1': `${item.text} ${policy.name}` },
            });
          }),
      },
    ],
  };
}

function locationOf({ text, file, line = 1 }: ScannedItem['item'], elsewhere: string): object {
  const uri = (file ?? elsewhere).split(/[\\/]/).map(encodeURIComponent).join('/');
  return {
    physicalLocation: { artifactLocation: { uri }, region: { startLine: file === undefined ? 1 : line } },
    logicalLocations: [{ fullyQualifiedName: text, kind: 'package' }],
  };
}
