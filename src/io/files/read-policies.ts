import type { Day } from '../../core/model/dates.ts';
import { parsePolicyQuery, listUnitNotes } from '../../core/query/query-units.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import { findFormProblem } from '../../core/schemas/definition/component-name.ts';
import { fileProblem, type Finding } from '../../core/schemas/finding.ts';
import { NamedPolicy } from '../../core/schemas/definition/scan-rules.ts';
import type { PublishedNamedPolicy } from '../../core/schemas/published/policy-scan.ts';
import { readProgramDocument } from '../program.ts';
import { readDocument, type ReadResult } from './read-documents.ts';
import { listSiteFiles, type Root } from './root.ts';

/** The policies that every index has. */
export const builtInPolicies = readProgramDocument<Readonly<Record<string, NamedPolicy>>>(
  'site/built-in-policies.json',
);

/** All policies by name, built-in and from the root. Queries that cannot be read as of the day are problems. */
export function readPolicies(
  root: Root,
  day: Day,
): { policies: ReadonlyMap<string, PublishedNamedPolicy>; findings: Finding[] } {
  const builtIn = Object.entries(builtInPolicies);
  const policies = new Map<string, PublishedNamedPolicy>(
    builtIn.map(([name, policy]) => [name, { name, isBuiltIn: true, ...policy }]),
  );
  const findings: Finding[] = [];

  for (const [fileName, path] of listSiteFiles(root, 'policies')) {
    const result = readPolicyFile(fileName, path, day);
    findings.push(...result.findings);
    if (result.value) {
      policies.set(result.value.name, result.value);
    }
  }

  return { policies, findings };
}

/** Reads a policy, which is named after its file. */
function readPolicyFile(
  fileName: string,
  path: string,
  day: Day,
): ReadResult<PublishedNamedPolicy> {
  const file = `site/policies/${fileName}`;
  const name = fileName.replace(/\.json$/, '');
  const problem = findPolicyNameProblem(name, fileName);
  if (problem !== undefined) {
    return { findings: [fileProblem(file, problem)] };
  }

  const { value, findings } = readDocument(path, file, NamedPolicy);
  if (!value) {
    return { findings };
  }

  const { $schema: _, ...policy } = value;
  try {
    const notes = listUnitNotes(parsePolicyQuery(policy.query, day));
    findings.push(...notes.map((note) => fileProblem(file, `query: ${note}`, 'warning')));
    return { value: { name, isBuiltIn: false, ...policy }, findings };
  } catch (error) {
    if (error instanceof QuestionError && error.reason === 'query') {
      return { findings: [fileProblem(file, `query: ${error.message}`)] };
    }

    throw error;
  }
}

function findPolicyNameProblem(name: string, fileName: string): string | undefined {
  if (name === fileName) {
    return 'expected a file <policy>.json; remove or rename it';
  }

  return Object.hasOwn(builtInPolicies, name)
    ? `"${name}" is the name of a built-in policy. Rename the file`
    : findFormProblem(name);
}
