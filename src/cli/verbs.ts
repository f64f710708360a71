import { askingVerbs } from './asking-verbs.ts';
import { startingVerbs } from './starting-verbs.ts';
import { keyVerbs } from './key-verbs.ts';
import { commonOptions, flag, sharedOptions, text, type Option, type Verb } from './verb.ts';

const strict = flag('exit 1 if any component failed or is held');
const accept = flag('take exactly what is held, after you have looked at it');
const shard = text(
  'I/N',
  'only the I-th of N parts of the components, to spread a large index over machines',
);

const recordFreshness = flag('write data/freshness/ as "daily" does, for a run that nobody watches');

export const verbs: Readonly<Record<string, Verb>> = {
  gather: {
    summary: 'ask upstream and update data/',
    synopsis: '[component...]',
    arity: [0, Number.POSITIVE_INFINITY],
    shared: ['root', 'as-of'],
    options: { accept, strict, shard, 'record-freshness': recordFreshness },
    details: [
      'Asks the sources of all components, or of those named, and unites their answers with data/<component>.json.',
      'Nothing recorded is ever lost: what upstream no longer lists is marked as withdrawn, and an answer that takes away or',
      'adds too much is held until you run it with --accept. Without names, that accepts all that is held; what differs from',
      'what was held is held anew. A source that fails misses nothing but its own update.',
      'A source may take five minutes and a run twenty; what was not asked by then is asked by the next run.',
      'Exits with 0 even if upstreams did not answer; with --strict, with 1.',
      'When it was last asked is kept beside the checkout, in .cache/, so that a proposal holds releases only; the daily run',
      'records it in data/freshness/.',
      'The parts of --shard together write the same files as one run. A run that was stopped keeps what it has finished.',
    ],
    examples: [
      ['gather', 'all components'],
      ['gather svc edge-node', 'two of them'],
      ['gather svc --accept', 'take what is held for svc'],
      ['gather --shard 2/8', 'the second eighth of all components'],
    ],
  },
  build: {
    summary: 'make the site from components/ and data/',
    shared: ['root', 'out', 'as-of', 'base-url'],
    details: [
      'Reads components/, data/ and site/, decides for the day what is deprecated, and writes the site. Needs no network.',
      'The site is built beside the output folder and then switched, so that readers see either the old or the new one.',
    ],
    examples: [
      ['build', 'today, into dist/'],
      ['build --as-of 2026-10-08 --out /tmp/then', 'as it was on a past day'],
    ],
  },
  check: {
    summary: 'validate definitions, data and the built site',
    shared: ['root', 'out', 'as-of', 'base-url'],
    options: {
      against: text(
        'WHERE',
        'refuse a built site that is older or lacks something: a URL, a folder, or "live"',
      ),
      accept: flag('take what readers would lose, after you have looked at it'),
    },
    details: [
      'Prints every problem, one per line. Exits with 1 if there is any. Changes nothing.',
      'With --against, the built site is also compared with one that is published, as "publish" does before it replaces it:',
      'with the one at a URL, with a copy in a folder, or with what is live at the address of site/site.json.',
    ],
    examples: [
      ['check', 'before you commit'],
      ['check --against live', 'before you copy the site to its host'],
    ],
  },
  ...askingVerbs,
  ...startingVerbs,
  ...keyVerbs,
  preview: {
    summary: 'serve the built site on 127.0.0.1',
    shared: ['root', 'out'],
    options: { port: text('N', 'port to listen on (default: 8787)') },
    details: [
      'Serves what "build" made, with the routing and headers of the real host, until it is interrupted.',
    ],
    examples: [['preview --port 9000', 'on another port']],
  },
  publish: {
    summary: 'upload the built site',
    shared: ['root', 'out', 'as-of', 'base-url'],
    options: {
      'dry-run': flag('upload nothing; say what would be sent'),
      accept: flag('publish even if something that is live would vanish, or cannot be read'),
      unprotect: flag('let strangers read what asks them for a credential now'),
    },
    details: [
      'First verifies that the site is complete, valid and built from this checkout, and that nothing live would vanish.',
      'Where what is live cannot be read, or was published by somebody else meanwhile, nothing goes live.',
      'Switches to the new site in one step, reads it back through its public address, and says how to roll back.',
      'Needs CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID in the environment; a dry run needs neither.',
      'Where site/access.json protects everything, also RELEASE_INDEX_KEY, an access key, to compare and to read back. The host is',
      'told of the access keys in RELEASE_INDEX_ACCESS_KEYS, else of those that "key list" shows.',
    ],
    examples: [['publish --dry-run', 'what would be sent']],
  },
  daily: {
    summary: 'gather, commit data/, build, publish',
    shared: ['root', 'out', 'as-of', 'base-url'],
    options: {
      push: flag('push the commit before anything is published'),
      'skip-publish': flag('end after the build, for another host'),
      gathered: text(
        'DIR',
        'begin with what other runs have gathered: a folder with a copy of data/ for each',
      ),
      accept: flag('publish even if something that is live would vanish'),
    },
    details: [
      'What the daily workflow runs. A component that fails does not affect the others. Commits nothing but data/.',
      'Of --gathered, only well-formed files of components are taken, and only where nothing recorded is lost.',
      'Exits with 1 only if a person has to act: a component is held, or silent for longer than staleAfterDays of site/site.json,',
      'or the site was not published. The report for "attention" is .cache/daily.json.',
    ],
    examples: [
      ['daily', 'the whole day, by hand'],
      ['daily --push', 'as the workflow does'],
    ],
  },
  attention: {
    summary: 'open, update or close the issue that lists the alerts of "daily"',
    synopsis: '[report]',
    arity: [0, 1],
    shared: ['root', 'as-of'],
    details: [
      'Reads the report of "daily". Needs GITHUB_TOKEN (issues: write) and GITHUB_REPOSITORY in the environment.',
      'There is one issue, found by its label "release-index" and a mark in its text; it is closed once nothing is wrong any more.',
    ],
    examples: [['attention', 'after "daily"']],
  },
  compare: {
    summary: 'show how this index differs from that of another checkout',
    synopsis: '<folder>',
    arity: [1, 1],
    shared: ['root', 'as-of'],
    details: [
      'Both are evaluated for the same day. In a workflow, the summary of the job shows the result, too. Changes nothing.',
    ],
    examples: [['compare ../base', 'against another checkout']],
  },
  sign: {
    summary: 'sign the built site, for a host that "publish" does not know',
    shared: ['root', 'out', 'base-url'],
    details: [
      'Signs SHA256SUMS and a statement about each component with the key in RELEASE_INDEX_SIGNING_KEY, which is the content',
      'of a file made by "minisign -G -W". The site must be that of the definitions and data that are here.',
      '"publish" signs by itself.',
    ],
    examples: [['sign', 'before the site is copied']],
  },
  verify: {
    summary: 'check origin and integrity of a site, whoever serves it',
    synopsis: '[folder or URL]',
    arity: [0, 1],
    shared: ['root', 'out', 'as-of'],
    options: {
      key: text(
        'KEY',
        'the public key, or a file that holds it (default: signingPublicKey of site/site.json)',
      ),
      'digests-only': flag('ask only whether the files are whole, and not who made them'),
    },
    details: [
      'Asks in this order, and names the first thing that does not hold and what to do: is SHA256SUMS signed with the key; is',
      'every file there as it is listed, and no other; is its day no more than staleAfterDays ago; is there a signed statement',
      'about each component, of this site, day and digests. Without an argument, it is about the built site.',
      'The key comes from --key or from site/site.json of the root, never from the site that is judged: a site cannot vouch for',
      'itself. Without a key only digests can be compared, and that is an error unless --digests-only asks for no more.',
      'A folder needs no network. At an address, files that are not listed cannot be seen. A mirror may have',
      'another address than the one that was signed, which is printed. An old copy is judged as of its day: --as-of.',
      'Exits with 0 if everything holds, and else with 1.',
    ],
    examples: [
      ['verify https://releases.example.com', 'with the key of this checkout'],
      ['verify mirror/ --key signing-key.pub', 'a copy, with a key that you kept'],
      ['verify copy-of-may/ --as-of 2026-05-31', 'an old copy, for its day'],
    ],
  },
  start: {
    summary: 'gather, then build',
    shared: ['root', 'out', 'as-of', 'base-url'],
    options: { strict },
    details: [
      'What a daily run does before it publishes. Without any network, too, it ends with a complete site.',
    ],
    examples: [['start', 'all components']],
  },
  schemas: {
    summary: 'write the JSON Schemas of all documents into a folder',
    synopsis: '<folder>',
    arity: [1, 1],
    shared: [],
    details: ['For editors. Those of this checkout are in site/schema/; "build" publishes the same files.'],
    examples: [['schemas site/schema', 'after a change of the schemas of this checkout']],
  },
};

/** The verbs of two words that begin with this one. */
export function groupOf(word: string): string[] {
  return Object.keys(verbs).filter((name) => name.startsWith(`${word} `));
}

/** What a verb takes: its own options, then those it shares with others. */
export function optionsOf(name: string): Readonly<Record<string, Option>> {
  const { options, shared } = verbs[name]!;
  const taken = Object.fromEntries(shared.map((option) => [option, sharedOptions[option]]));
  return { ...options, ...taken, ...commonOptions };
}
