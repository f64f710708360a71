/** A command of this program, as it works where the package is installed, in a checkout of it, and elsewhere. */
export function commandLine(...parts: readonly string[]): string {
  return ['npx release-index', ...parts].join(' ');
}
