import type { Command } from './command.ts';

/** Every verb with its summary. The file of a verb, with help, options and `run`, is loaded only when called. */
export const commands: Readonly<Record<string, string>> = {
  gather: 'ask upstream and update data/',
  record: 'append the changes since the last run to the journal',
  build: 'make the site from components/ and data/',
  plan: 'show what the next daily run would change, hold and publish',
  accept: 'let a held change through, by its id',
  check: 'validate definitions, data and the built site',
  start: 'gather, then build',
  preview: 'serve the built site on 127.0.0.1',
  explain: 'explain the status of a component or version',
  search: 'find releases by a query',
  scan: 'check used versions against policies',
  mcp: 'answer agents by the Model Context Protocol on standard input',
  init: 'start an index of your own in a folder',
  add: 'define a component by what its registry states, and gather it',
  'key new': 'make an access key of a private index, and show it once',
  publish: 'upload the built site',
  sign: 'sign the built site, for a host that "publish" does not know',
  verify: 'check origin and integrity of a site',
  daily: 'gather, record, commit data/, build, publish',
  attention: 'open, update or close the issue with the alerts of "daily"',
  doctor: 'list what is missing before a publication',
  compare: 'compare this index with the index of another checkout',
};

/** The file of "key new" is `key-new.ts`. */
export async function loadCommand(verb: string): Promise<Command> {
  const file = verb.replace(' ', '-');
  const { command } = (await import(`./commands/${file}.ts`)) as { command: Command };
  return command;
}

/** The verbs of two words that begin with this one. */
export function listVerbs(word: string): string[] {
  return Object.keys(commands).filter((verb) => verb.startsWith(`${word} `));
}
