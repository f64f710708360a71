/**
 * The default name for a component of this package; undefined if the package's name has no usable characters. A scope of npm
 * stays: `@types/node` is not Node.
 */
export function deriveComponentName(packageName: string): string | undefined {
  const part = packageName.startsWith('@') ? packageName : findLastPart(packageName);
  return spellComponentName(part) || undefined;
}

/** A text in the form of a component's name; empty without a usable character. */
export function spellComponentName(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** `agent` in `com.example:agent` and `https://git.example.com/group/agent.git`. Skips the major version of a Go module. */
export function findLastPart(packageName: string): string {
  const parts = packageName.replace(/(?:\.git)?\/?$/, '').split(/[/:]/);
  return parts.findLast((part, index) => index === 0 || !/^v\d+$/.test(part)) ?? '';
}
