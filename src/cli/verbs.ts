import { checkoutServer, clientConfiguration } from '../mcp/client-configuration.ts';
import { builtInPolicies } from '../model/named-policy.ts';
import { describedFields } from '../query/described-fields.ts';

/** The command line as data: what is parsed, and what `--help` prints. */
export interface Verb {
  summary: string;
  /** How its arguments are written, after the verb; absent where it takes none. */
  synopsis?: string;
  /** Least and greatest number of arguments. */
  arity?: readonly [number, number];
  /** Which of the shared options mean something to it; the others are refused. */
  shared: readonly SharedOption[];
  options?: Readonly<Record<string, Option>>;
  /** What it does, what it reads and writes, and how it ends. */
  details: readonly string[];
  examples: readonly (readonly [command: string, meaning: string])[];
}

export interface Option {
  type: 'string' | 'boolean';
  value?: string;
  short?: string;
  /** It may be given several times. */
  multiple?: boolean;
  summary: string;
}

export function flag(summary: string): Option {
  return { type: 'boolean', summary };
}

function text(value: string, summary: string): Option {
  return { type: 'string', value, summary };
}

export const sharedOptions = {
  root: text('DIR', 'folder with components/ and data/ (default: the checkout)'),
  out: text('DIR', 'folder of the built site (default: dist under the root)'),
  'as-of': text('YYYY-MM-DD', 'the day to decide for (default: today, UTC)'),
  'base-url': text('URL', 'where the site is published (default: releasesUrl of site/site.json)'),
} as const satisfies Readonly<Record<string, Option>>;
type SharedOption = keyof typeof sharedOptions;

export const commonOptions: Readonly<Record<string, Option>> = {
  json: flag('a machine-readable report on standard output'),
  help: { ...flag('this text'), short: 'h' },
};

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
  explain: {
    summary: 'say why a component or version has the status it has',
    synopsis: '<component> [version]',
    arity: [1, 2],
    shared: ['root', 'as-of'],
    details: [
      'Order, release line, policy, timestamps and where they came from, what changes next and when, and what to move to.',
    ],
    examples: [
      ['explain svc', 'all of its release lines'],
      ['explain svc 2025.3', 'one version'],
    ],
  },
  search: {
    summary: 'find releases by a query',
    synopsis: '<query>',
    arity: [0, 1],
    shared: ['root', 'as-of'],
    options: {
      csv: { type: 'boolean', summary: 'comma-separated values, with every field' },
      queries: { type: 'string', value: 'FILE', summary: 'a query a line, all answered in one run' },
      index: {
        type: 'string',
        value: 'URL',
        summary: 'ask the index that is published there instead of the checkout',
      },
      'fail-empty': { type: 'boolean', summary: 'exit 1 if a query selects nothing' },
    },
    details: [
      'Terms separated by spaces must all hold; "or", "not" and parentheses combine them. A term is field:pattern, where * stands',
      'for any characters, field:>value, field:[a to b], the name of a Boolean field, or a text to look for in component, title and',
      'version. The empty query selects every release. A query that begins with - comes after --.',
      'Results come by component, then in version order. Relative days count from the start of the day asked for.',
      'A published index has the verdicts of the day it was built for.',
      '',
      'fields:',
      ...describedFields.map(({ name, type, meaning }) => `  ${name.padEnd(18)}${type.padEnd(11)}${meaning}`),
    ],
    examples: [
      ["search 'component:svc isLatestOfLine'", 'the newest release of each line'],
      ["search 'supportedUntil:[today to +90d] isLatest'", 'latest releases that leave support soon'],
      [
        "search 'supportLeft:<90d' --index https://releases.example.com",
        'what leaves support in the next 90 days',
      ],
      ["search --json -- '-isDeprecated version:>=2025.1'", 'for a script'],
    ],
  },
  scan: {
    summary: 'judge what somebody uses by policies',
    synopsis: '<what...>',
    arity: [1, Number.POSITIVE_INFINITY],
    shared: ['root', 'as-of', 'base-url'],
    options: {
      policy: {
        ...text('NAME', 'what to ask of each thing; may be given several times (default: supported)'),
        multiple: true,
      },
      'require-known': flag('exit 1 also for a thing that the index does not know'),
      index: text('URL', 'ask the index that is published there instead of the checkout'),
      ndjson: flag('a result a line, for a pipe'),
      sarif: flag('what does not satisfy a policy as SARIF 2.1.0, for code scanning'),
    },
    details: [
      'What to judge: component@version, a package URL (pkg:npm/..., pkg:maven/..., pkg:pypi/..., pkg:docker/..., pkg:helm/...,',
      'pkg:github/..., pkg:generic/<component>), or a file: CycloneDX 1.4 to 1.6 or SPDX 2.3 as JSON, or a list with',
      'name=version or a package URL a line and comments behind #. A file with a malformed line is refused as a whole.',
      '',
      'policies:',
      ...Object.entries(builtInPolicies).map(
        ([name, { description }]) => `  ${name.padEnd(12)}${description}`,
      ),
      '  and those of site/policies/<name>.json: {"description", "remediation", "labels", "query"}, where a release satisfies',
      '  the policy if the query selects it (search --help).',
      '',
      'Things that the index does not know, and those with a tag or a commit in place of a version, are not-applicable. Each',
      'thing is judged once, however often it stands there. The sources of a definition say which packages a component has; its',
      'extractVersion applies, which a published index does not tell.',
      'In a GitHub workflow, what fails is annotated and stands in the summary of the job. A step of a pipeline:',
      '',
      '  - run: npm run -s release-index -- scan bom.json --policy supported --policy lasting --index https://releases.example.com',
      '',
      'Exits with 0 if no policy is unsatisfied, with 1 if one is or a file is refused, and with 2 if the command line is wrong.',
    ],
    examples: [
      ['scan svc@2025.1', 'one thing that is in use'],
      ['scan pkg:npm/%40example/edge-node@1.0.0 --policy current', 'a package, by another policy'],
      ['scan bom.json --require-known --json', 'a bill of materials, for a script'],
      ['scan versions.txt --policy lasting --sarif', 'a list, for code scanning'],
    ],
  },
  mcp: {
    summary: 'answer agents by the Model Context Protocol, over standard input and output',
    synopsis: '[folder]',
    arity: [0, 1],
    shared: ['root', 'as-of'],
    options: {
      index: {
        type: 'string',
        value: 'URL',
        summary: 'answer from the index that is published there instead of the checkout',
      },
    },
    details: [
      'A program that an agent starts, and that ends with its input. It answers what "explain" and "search" answer, what will',
      'change and what has changed, and writes nothing but answers of the protocol to standard output.',
      'Answers from definitions and data of the checkout, from the folder of a built site, or from a published index, which it',
      'looks at anew each hour. A client is told of it like this, where DIR is the folder of the checkout:',
      '',
      ...clientConfiguration(checkoutServer)
        .split('\n')
        .map((line) => `  ${line}`),
      '',
      'The published site answers the same at its address /mcp, for clients that take a URL.',
    ],
    examples: [
      ['mcp', 'from components/ and data/'],
      ['mcp dist', 'from a built site'],
      ['mcp --index https://releases.example.com', 'from a published index'],
    ],
  },
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
    },
    details: [
      'First verifies that the site is complete, valid and built from this checkout, and that nothing live would vanish.',
      'Where what is live cannot be read, or was published by somebody else meanwhile, nothing goes live.',
      'Switches to the new site in one step, reads it back through its public address, and says how to roll back.',
      'Needs CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID in the environment; a dry run needs neither.',
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
      bundle: text('FILE', 'also: the attestation of GitHub, saved by "gh attestation download"'),
      repository: text('OWNER/REPO', 'whose workflow must have built the site, for --bundle'),
      'signer-workflow': text('PATH', 'which workflow must have signed (default: any of the repository)'),
      'trusted-root': text('FILE', 'other keys for --bundle, as "gh attestation trusted-root" prints them'),
    },
    details: [
      'Asks in this order, and names the first thing that does not hold and what to do: is SHA256SUMS signed with the key; is',
      'every file there as it is listed, and no other; is its day no more than staleAfterDays ago; is there a signed statement',
      'about each component, of this site, day and digests. Without an argument, it is about the built site.',
      'The key comes from --key or from site/site.json of the root, never from the site that is judged: a site cannot vouch for',
      'itself. Without a key only digests can be compared, and that is an error unless --digests-only asks for no more.',
      'A folder needs no network, --bundle included. At an address, files that are not listed cannot be seen. A mirror may have',
      'another address than the one that was signed, which is printed. An old copy is judged as of its day: --as-of.',
      'Exits with 0 if everything holds, and else with 1.',
    ],
    examples: [
      ['verify https://releases.example.com', 'with the key of this checkout'],
      ['verify mirror/ --key signing-key.pub', 'a copy, with a key that you kept'],
      ['verify copy-of-may/ --as-of 2026-05-31', 'an old copy, for its day'],
      ['verify dist --bundle sums.jsonl --repository example/index', 'who built it, too'],
    ],
  },
  start: {
    summary: 'gather, then build',
    shared: ['root', 'out', 'as-of', 'base-url'],
    options: { strict },
    details: [
      'What a daily run does before it publishes. Without any network, too, it ends with a complete site.',
    ],
    examples: [['start', 'the same as "npm start"']],
  },
  schemas: {
    summary: 'write the JSON Schemas of all documents into a folder',
    synopsis: '<folder>',
    arity: [1, 1],
    shared: [],
    details: ['For editors. Those of this checkout are in schema/; "build" publishes the same files.'],
    examples: [['schemas schema', 'after a change of the schemas of this checkout']],
  },
};

/** What a verb takes: its own options, then those it shares with others. */
export function optionsOf(name: string): Readonly<Record<string, Option>> {
  const { options, shared } = verbs[name]!;
  const taken = Object.fromEntries(shared.map((option) => [option, sharedOptions[option]]));
  return { ...options, ...taken, ...commonOptions };
}
