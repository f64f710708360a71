/** What works wherever there is npm: where the package is installed, in a checkout of it, and where it is neither. */
const anywhere = 'npx release-index';

let called = anywhere;

/** Told once, by whoever knows how the person called the program: everything in front of the verb. */
export function setCalledAs(command: string): void {
  called = command;
}

/** A verb with its arguments as the person who reads a message would type it. */
export function commandLine(...parts: readonly string[]): string {
  return [called, ...parts].join(' ');
}

/** The same for a text that is published or kept, whoever reads it. */
export function lastingCommandLine(...parts: readonly string[]): string {
  return [anywhere, ...parts].join(' ');
}
