import { pick } from '../../core/text.ts';
import { accountSentence, listUnjudged, shownUnjudged, type Account } from './account.ts';
import type { ScannedItem } from './scan-items.ts';

/**
 * What does not satisfy a policy, for programs that show the findings of analyses
 * (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html). What was not judged is counted in a
 * notification, and the first of it has one of its own: readers limit the size of a file.
 */
export function sarifOf(scanned: readonly ScannedItem[], account: Account, informationUri: string): object {
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
          .filter(({ scan }) => scan.status === 'unsatisfied')
          .map(({ item, policy, scan }) => ({
            ruleId: policy.name,
            ruleIndex: ids.indexOf(policy.name),
            level: 'error',
            message: { text: `${item.text}: ${scan.details.reason} ${scan.policyRemediation}` },
            locations: [locationOf(item)],
            properties: pick(scan, ['thing', 'purl']),
            partialFingerprints: { 'thingAndPolicy/v1': `${item.text} ${policy.name}` },
          })),
      },
    ],
  };
}

function locationOf({ text, file, line = 1 }: ScannedItem['item']): object {
  const logicalLocations = [{ fullyQualifiedName: text, kind: 'package' }];
  if (file === undefined) return { logicalLocations };
  const uri = file.split(/[\\/]/).map(encodeURIComponent).join('/');
  return {
    physicalLocation: { artifactLocation: { uri }, region: { startLine: line } },
    logicalLocations,
  };
}
