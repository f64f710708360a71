import { componentName } from '../../core/schemas/component-name.ts';
import { fileProblem, type Finding } from '../../core/schemas/finding.ts';
import { builtInPolicies, NamedPolicy } from '../../core/schemas/named-policy.ts';
import type { ReadPolicy } from '../../core/schemas/published/policies-file.ts';
import { parseQuery } from '../../core/query/parse.ts';
import { QueryError } from '../../core/query/query-error.ts';
import { readDocument } from './documents.ts';
import { siteFiles, type Root } from './root.ts';

/** All policies by name: those that every index has, and those of the root, as of a day. */
export function readPolicies(
  root: Root,
  day: string,
): { policies: ReadonlyMap<string, ReadPolicy>; findings: Finding[] } {
  const policies = new Map<string, ReadPolicy>();
  for (const [name, policy] of Object.entries(builtInPolicies))
    policies.set(name, { name, isBuiltIn: true, ...policy, selects: parseQuery(policy.query, day) });
  const findings: Finding[] = [];
  for (const [fileName, path] of siteFiles(root, 'policies')) {
    const file = `site/policies/${fileName}`;
    const name = fileName.replace(/\.json$/, '');
    const wrong = whyNoPolicyName(name, fileName);
    if (wrong !== undefined) {
      findings.push(fileProblem(file, wrong));
      continue;
    }
    const { value, findings: found } = readDocument(path, file, NamedPolicy);
    findings.push(...found);
    if (!value) continue;
    try {
      const { $schema: _, ...policy } = value;
      policies.set(name, { name, isBuiltIn: false, ...policy, selects: parseQuery(policy.query, day) });
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      findings.push(fileProblem(file, `query: ${error.message}`));
    }
  }
  return { policies, findings };
}

function whyNoPolicyName(name: string, fileName: string): string | undefined {
  if (name === fileName) return 'expected a file <policy>.json; remove or rename it';
  if (!componentName.test(name))
    return `expected a name of lower-case letters, digits and hyphens; got "${name}"`;
  if (Object.hasOwn(builtInPolicies, name))
    return `expected a name that no built-in policy has; got "${name}". Rename it`;
  return undefined;
}
