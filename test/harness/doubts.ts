/** Builds an index that knows too little about some versions, and lists what commands, pages and tools must say about them. */
import { join } from 'node:path';
import { today } from '../../src/core/day.ts';
import { buildFolder, writeIndex } from './components.ts';
import { release } from './judging.ts';

const root = writeIndex({
  db: {
    definition: {
      aliases: ['pkg:deb/debian/db'],
      support: { policy: 'dated', lines: { '17': '2026-02-01', '18': '2099-01-01' } },
    },
    releases: [release('17.5', '2026-01-01'), release('18.6', '2026-01-01')],
  },
});
// `scan` cannot tell anything from an old index.
buildFolder(root, today());
/** The folder of the built site. */
export const doubtfulSite = join(root, 'dist');

/** The questions. `words` are in each answer; `facts` are in the verdict; `exit` and `summary` are those of a list with this entry. */
export const doubts = [
  {
    text: 'db 38.1',
    path: 'db/releases/38.1',
    words: 'The db 38.1 is not released yet',
    facts: { state: 'not-released', isFarAbove: true, isSupported: undefined },
    exit: 3,
    summary: 'Nothing was judged',
  },
  {
    text: 'db 18beta1',
    path: 'db/releases/18beta1',
    words: 'Move to 18.6.',
    facts: { state: 'not-listed', moveTo: { component: 'db', version: '18.6' } },
    exit: 0,
    summary: '1 of 1 needs action',
  },
  {
    text: 'db 18.99',
    path: 'db/releases/18.99',
    words: 'It is newer than all known releases of line 18.',
    facts: { state: 'not-listed', moveTo: undefined, isSupported: true },
    exit: 0,
    summary: 'No action is needed',
  },
  {
    text: 'pkg:deb/debian/db@17.5',
    path: `${encodeURIComponent('pkg:deb/debian/db')}/releases/17.5`,
    words: 'A distribution may patch its package longer.',
    facts: { state: 'may-have-ended', mayBePatched: true, isSupported: undefined },
    exit: 3,
    summary: 'No judged entry needs action, 1 uncertain',
  },
];
