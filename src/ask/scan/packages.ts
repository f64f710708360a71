import type { PackageOwner } from '../../core/schemas/published/packages-file.ts';

/** The version of the index for one of a package; as it is where the owner takes nothing out of it. */
export async function extractVersion(
  { extractVersion: pattern }: PackageOwner,
  version: string,
): Promise<string> {
  if (pattern === undefined) return version;
  // Few packages need it, and every isolate of the host would have to load it.
  const { compileExpression } = await import('../../core/expression.ts');
  return compileExpression(pattern).match(version)?.['version'] ?? version;
}
