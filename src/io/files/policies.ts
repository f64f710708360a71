import { basename } from 'node:path';
import { parsePolicyQuery, unitNotes } from '../../core/query/parse.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import { componentName } from '../../core/schemas/definition/component-name.ts';
import { NamedPolicy } from '../../core/schemas/definition/scan-policy.ts';
import { fileProblem, type Finding } from '../../core/schemas/finding.ts';
import type { ReadPolicy } from '../../core/schemas/published/small-files.ts';
import { readData } from '../program.ts';
import { readDocument, type ReadResult } from './read-documents.ts';
import { siteFiles, type Root } from './root.ts';

/** The policies that every index has. */
export const builtInPolicies = readData<Readonly<Record<string, NamedPolicy>>>(
  'site/built-in-policies.json',
);

/** All policies by name, built-in and from the root, as of a day. */
export function readPolicies(
  root: Root,
  day: string,
): { policies: ReadonlyMap<string, ReadPolicy>; findings: Finding[] } {
  const policies = new Map<string, ReadPolicy>();
  for (const [name, policy] of Object.entries(builtInPolicies)) {
    policies.set(name, {
      name,
      isBuiltIn: true,
      ...policy,
      selects: parsePolicyQuery(policy.query, day),
    });
  }

  const findings: Finding[] = [];

  for (const [fileName, path] of siteFiles(root, 'policies')) {
    const { value, findings: fileFindings } = readPolicyFile(
      path,
      `site/policies/${fileName}`,
      day,
    );
    findings.push(...fileFindings);
    if (value) {
      policies.set(value.name, value);
    }
  }

  return { policies, findings };
}

/** Reads a policy, which is named after its file. */
function readPolicyFile(path: string, file: string, day: string): ReadResult<ReadPolicy> {
  const refused = (message: string) => ({ findings: [fileProblem(file, message)] });
  const fileName = basename(path);
  const name = fileName.replace(/\.json$/, '');
  const wrong = whyNoPolicyName(name, fileName);
  if (wrong !== undefined) {
    return refused(wrong);
  }

  const { value, findings } = readDocument(path, file, NamedPolicy);
  if (!value) {
    return { findings };
  }

  try {
    const { $schema: _, ...policy } = value;
    const selects = parsePolicyQuery(policy.query, day);
    const notes = unitNotes(selects).map((note) => fileProblem(file, `query: ${note}`, 'warning'));
    return {
      value: { name, isBuiltIn: false, ...policy, selects },
      findings: [...findings, ...notes],
    };
  } catch (error) {
    if (!(error instanceof QuestionError && error.reason === 'query')) {
      throw error;
    }

    return refused(`query: ${error.message}`);
  }
}

function whyNoPolicyName(name: string, fileName: string): string | undefined {
  if (name === fileName) {
    return 'expected a file <policy>.json; remove or rename it';
  }
  if (!componentName.test(name)) {
    return `expected a name of lower-case letters, digits and hyphens; got "${name}"`;
  }
  if (Object.hasOwn(builtInPolicies, name)) {
    return `"${name}" is the name of a built-in policy. Rename the file`;
  }

  return undefined;
}
