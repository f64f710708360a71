import { commands, loadCommand } from '../../src/cli/command-line.ts';

/** Every verb with its command. */
export const loadedVerbs = await Promise.all(
  Object.keys(commands).map(async (verb) => ({ verb, command: await loadCommand(verb) })),
);
