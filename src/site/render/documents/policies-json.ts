import { pick } from '../../../core/model/objects.ts';
import type { PublishedNamedPolicy } from '../../../core/schemas/published/policy-scan.ts';

/** `policies.json`. A policy that was read also has its parsed query, which is not published. */
export function renderPoliciesFile(policies: Iterable<PublishedNamedPolicy>): string {
  const entries = Array.from(policies, (policy) =>
    pick(policy, ['name', 'isBuiltIn', 'description', 'remediation', 'labels', 'query']),
  );
  return `${JSON.stringify({ policies: entries }, undefined, 2)}\n`;
}
