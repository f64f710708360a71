/** What keeps a text from being a regular expression that, if named, has the groups it needs; empty where nothing does. */
export function expressionProblems(text: string, groups: readonly string[]): string[] {
  try {
    new RegExp(text, 'gm');
  } catch (error) {
    return [`expected a regular expression (${(error as Error).message})`];
  }
  return groups
    .filter((group) => !text.includes(`(?<${group}>`))
    .map((group) => `expected a named group (?<${group}>…)`);
}
