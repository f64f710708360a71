import type { PublishedNamedPolicy } from '../../../core/schemas/published/policy-scan.ts';

/** `policies.json`. */
export function renderPoliciesFile(policies: Iterable<PublishedNamedPolicy>): string {
  return `${JSON.stringify({ policies: [...policies] }, undefined, 2)}\n`;
}
