/** Works where the package is installed, in a checkout of it, and where it is neither. */
const portablePrefix = 'npx release-index';

let prefix = portablePrefix;

/** Sets the command prefix shown in messages: everything in front of the verb. */
export function setCommandPrefix(command: string): void {
  prefix = command;
}

/** A verb with its arguments as the person who reads a message would type it. */
export function commandLine(...parts: readonly string[]): string {
  return [prefix, ...parts].join(' ');
}

/** The same for a text that is published or kept, whoever reads it. */
export function portableCommandLine(...parts: readonly string[]): string {
  return [portablePrefix, ...parts].join(' ');
}
