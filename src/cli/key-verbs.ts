import { text, type Verb } from './verb.ts';

const where =
  'The list is .access/keys.json under the root, which git ignores: digests with name, user and last day, and no key.';
const then =
  'What is published changes with the next "publish", which sends the list to the host as a secret.';

/** Access keys of a private index. */
export const keyVerbs: Readonly<Record<string, Verb>> = {
  'key new': {
    summary: 'make an access key of a private index, and show it once',
    shared: ['root', 'as-of'],
    options: {
      user: text('NAME', 'whom it stands for: a user name of site/access.json; required'),
      expires: text('YYYY-MM-DD', 'the last day on which it counts, UTC; required'),
      name: text('NAME', 'what "key list" and "key revoke" call it (default: made from the user name)'),
    },
    details: [
      'Writes the key, and nothing else, to standard output: 256 random bits behind "release_index_". It is kept nowhere.',
      where,
      then,
      'In a workflow, "publish" takes the list from the variable RELEASE_INDEX_ACCESS_KEYS instead. To hand it over:',
      '  gh secret set RELEASE_INDEX_ACCESS_KEYS <.access/keys.json',
    ],
    examples: [
      ['key new --user jane --expires 2027-03-31', 'a key for a person'],
      ['key new --user bot --expires 2027-03-31 --name renovate', 'one of several of a user'],
    ],
  },
  'key list': {
    summary: 'list the access keys of a private index',
    shared: ['root', 'as-of'],
    details: [
      'Names, users and last days, and whether a key counts. Keys themselves are kept nowhere.',
      where,
    ],
    examples: [['key list', 'which keys there are']],
  },
  'key revoke': {
    summary: 'let an access key of a private index no longer count',
    synopsis: '<name>',
    arity: [1, 1],
    shared: ['root', 'as-of'],
    details: [where, then],
    examples: [['key revoke renovate', 'then: publish']],
  },
};
