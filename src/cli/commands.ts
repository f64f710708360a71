import type { Command } from './command.ts';

export interface ListedCommand {
  summary: string;
  load: () => Promise<{ command: Command }>;
}

/** Every verb. Its file, which holds help, options and run, is loaded only when the verb is called. */
export const commands: Readonly<Record<string, ListedCommand>> = {
  gather: { summary: 'ask upstream and update data/', load: () => import('./commands/gather.ts') },
  build: { summary: 'make the site from components/ and data/', load: () => import('./commands/build.ts') },
  check: {
    summary: 'validate definitions, data and the built site',
    load: () => import('./commands/check.ts'),
  },
  start: { summary: 'gather, then build', load: () => import('./commands/start.ts') },
  preview: { summary: 'serve the built site on 127.0.0.1', load: () => import('./commands/preview.ts') },
  explain: {
    summary: 'explain the status of a component or version',
    load: () => import('./commands/explain.ts'),
  },
  search: { summary: 'find releases by a query', load: () => import('./commands/search.ts') },
  scan: { summary: 'check used versions against policies', load: () => import('./commands/scan.ts') },
  mcp: {
    summary: 'answer agents by the Model Context Protocol on standard input',
    load: () => import('./commands/mcp.ts'),
  },
  init: { summary: 'start an index of your own in a folder', load: () => import('./commands/init.ts') },
  add: {
    summary: 'define a component by what its registry states, and gather it',
    load: () => import('./commands/add.ts'),
  },
  'key new': {
    summary: 'make an access key of a private index, and show it once',
    load: async () => ({ command: (await import('./commands/key.ts')).newKey }),
  },
  'key list': {
    summary: 'list the access keys of a private index',
    load: async () => ({ command: (await import('./commands/key.ts')).listKeys }),
  },
  'key revoke': {
    summary: 'revoke an access key of a private index',
    load: async () => ({ command: (await import('./commands/key.ts')).revokeKey }),
  },
  publish: { summary: 'upload the built site', load: () => import('./commands/publish.ts') },
  sign: {
    summary: 'sign the built site, for a host that "publish" does not know',
    load: () => import('./commands/sign.ts'),
  },
  verify: {
    summary: 'check origin and integrity of a site',
    load: () => import('./commands/verify.ts'),
  },
  daily: { summary: 'gather, commit data/, build, publish', load: () => import('./commands/daily.ts') },
  attention: {
    summary: 'open, update or close the issue with the alerts of "daily"',
    load: () => import('./commands/attention.ts'),
  },
  compare: {
    summary: 'compare this index with that of another checkout',
    load: () => import('./commands/compare.ts'),
  },
  schemas: {
    summary: 'write the JSON Schemas of all documents into a folder',
    load: () => import('./commands/schemas.ts'),
  },
};

export async function loadCommand(verb: string): Promise<Command> {
  const { command } = await commands[verb]!.load();
  return command;
}

/** The verbs of two words that begin with this one. */
export function verbsOf(word: string): string[] {
  return Object.keys(commands).filter((verb) => verb.startsWith(`${word} `));
}
