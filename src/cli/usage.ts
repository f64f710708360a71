import { fields } from '../query/fields.ts';

/** The command line as data: what is parsed, and what `--help` says. */
export interface Verb {
  summary: string;
  /** How its arguments are written, after the verb. */
  synopsis: string;
  /** Least and greatest number of arguments. */
  arity: readonly [number, number];
  options: Readonly<Record<string, Option>>;
  /** What it does, what it reads and writes, and how it ends. */
  details: readonly string[];
  examples: readonly (readonly [command: string, meaning: string])[];
}

export interface Option {
  type: 'string' | 'boolean';
  value?: string;
  summary: string;
}

export const commonOptions: Readonly<Record<string, Option>> = {
  root: {
    type: 'string',
    value: 'DIR',
    summary: 'folder with components/ and data/ (default: the checkout)',
  },
  out: { type: 'string', value: 'DIR', summary: 'folder of the built site (default: dist under the root)' },
  'as-of': { type: 'string', value: 'YYYY-MM-DD', summary: 'the day to decide for (default: today, UTC)' },
  'base-url': {
    type: 'string',
    value: 'URL',
    summary: 'where the site is published (default: releasesUrl of site/site.json)',
  },
  json: { type: 'boolean', summary: 'a machine-readable report on standard output' },
  help: { type: 'boolean', summary: 'this text' },
};

const strict: Option = { type: 'boolean', summary: 'exit 1 if any component failed or is held' };
const accept: Option = { type: 'boolean', summary: 'take what is held, after you have looked at it' };

const shard: Option = {
  type: 'string',
  value: 'I/N',
  summary: 'only the I-th of N parts of the components, to spread a large index over machines',
};
const resume: Option = {
  type: 'boolean',
  summary: 'leave out what an earlier run of the day has finished',
};

export const verbs: Readonly<Record<string, Verb>> = {
  gather: {
    summary: 'ask upstream and update data/',
    synopsis: '[component...]',
    arity: [0, Number.POSITIVE_INFINITY],
    options: { accept, strict, shard, resume },
    details: [
      'Asks the sources of all components, or of those named, and unites their answers with data/<component>.json.',
      'Nothing recorded is ever lost: what upstream no longer lists is marked as withdrawn, and an answer that would take',
      'away too much is held until you run it with --accept. A source that fails costs nothing but its own update.',
      'Exit 0 also where upstreams did not answer; with --strict, 1.',
      'The parts of --shard together write the same files as one run. A run that was stopped keeps what it has finished;',
      '--resume goes on from there, and asks again only where a source has not answered soundly on the day.',
    ],
    examples: [
      ['gather', 'all components'],
      ['gather svc edge-node', 'two of them'],
      ['gather svc --accept', 'take what was held for svc'],
      ['gather --shard 2/8', 'the second eighth of all components'],
    ],
  },
  build: {
    summary: 'make the site from components/ and data/',
    synopsis: '',
    arity: [0, 0],
    options: {},
    details: [
      'Reads components/, data/ and site/, decides for the day what is deprecated, and writes the site. No network.',
      'The site is built beside the output folder and then switched: a reader sees the old one or the new one.',
    ],
    examples: [
      ['build', 'today, into dist/'],
      ['build --as-of 2026-10-08 --out /tmp/then', 'as it was on a past day'],
    ],
  },
  check: {
    summary: 'validate definitions, data and the built site',
    synopsis: '',
    arity: [0, 0],
    options: {},
    details: ['Prints every problem at once, a line each. Exit 1 if there is one. Changes nothing.'],
    examples: [['check', 'before you commit']],
  },
  explain: {
    summary: 'say why a component or version stands where it stands',
    synopsis: '<component> [version]',
    arity: [1, 2],
    options: {},
    details: [
      'Order, release line, policy, timestamps and where they came from, and what changes next and when.',
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
    options: {
      csv: { type: 'boolean', summary: 'comma-separated values, with every field' },
      queries: { type: 'string', value: 'FILE', summary: 'a query a line, all answered in one run' },
      'fail-empty': { type: 'boolean', summary: 'exit 1 if a query selects nothing' },
    },
    details: [
      'Terms separated by spaces must all hold; "or", "not" and parentheses combine them. A term is field:pattern, where * stands',
      'for any characters, field:>value, field:[a to b], the name of a Boolean field, or a text to look for in component, title and',
      'version. The empty query selects every release. A query that begins with - comes after --.',
      'Results come by component, then in version order. Relative days count from the start of the day asked for.',
      '',
      'fields:',
      ...fields.map(({ name, type, meaning }) => `  ${name.padEnd(18)}${type.padEnd(11)}${meaning}`),
    ],
    examples: [
      ["search 'component:svc isLatestOfLine'", 'the newest release of each line'],
      ["search 'supportedUntil:[today to +90d] isLatest'", 'latest releases that leave support soon'],
      ["search --json -- '-isDeprecated version:>=2025.1'", 'for a script'],
    ],
  },
  preview: {
    summary: 'serve the built site on 127.0.0.1',
    synopsis: '',
    arity: [0, 0],
    options: { port: { type: 'string', value: 'N', summary: 'port to listen on (default: 8787)' } },
    details: [
      'Serves what "build" made, with the routing and headers of the real host, until it is interrupted.',
    ],
    examples: [['preview --port 9000', 'on another port']],
  },
  publish: {
    summary: 'upload the built site',
    synopsis: '',
    arity: [0, 0],
    options: {
      'dry-run': { type: 'boolean', summary: 'upload nothing; say what would be sent' },
      accept: { type: 'boolean', summary: 'publish although it takes something away from what is live' },
    },
    details: [
      'Verifies first that the site is whole, valid and built from this checkout, and that nothing that is live would vanish.',
      'Switches to the new site whole, reads it back through its public address, and says how to roll back.',
      'Needs CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID in the environment; a dry run needs neither.',
    ],
    examples: [['publish --dry-run', 'what would be sent']],
  },
  daily: {
    summary: 'gather, commit data/, build, publish',
    synopsis: '',
    arity: [0, 0],
    options: {
      push: { type: 'boolean', summary: 'push the commit before anything is published' },
      'skip-publish': { type: 'boolean', summary: 'end after the build, for another host' },
      resume,
      accept: { type: 'boolean', summary: 'publish although it takes something away from what is live' },
    },
    details: [
      'What the daily workflow runs. A component that fails costs the others nothing. Commits data/ and nothing else.',
      'Exit 1 only where a person is needed: a component is held, or silent for longer than staleAfterDays of site/site.json,',
      'or the site was not published. The report for "attention" is .cache/daily.json.',
    ],
    examples: [
      ['daily', 'the whole day, by hand'],
      ['daily --push', 'as the workflow does'],
    ],
  },
  attention: {
    summary: 'open, update or close the issue that calls a person',
    synopsis: '[report]',
    arity: [0, 1],
    options: {},
    details: [
      'Reads the report of "daily". Needs GITHUB_TOKEN (issues: write) and GITHUB_REPOSITORY in the environment.',
      'There is one issue, found by its label "release-index"; it is closed when nothing is wrong any more.',
    ],
    examples: [['attention', 'after "daily"']],
  },
  compare: {
    summary: 'say what this checkout changes in the index of another',
    synopsis: '<folder>',
    arity: [1, 1],
    options: {},
    details: [
      'Decides for both on the same day. In a workflow, also in the summary of the job. Changes nothing.',
    ],
    examples: [['compare ../base', 'against another checkout']],
  },
  sign: {
    summary: 'sign the built site, for a host that "publish" does not know',
    synopsis: '',
    arity: [0, 0],
    options: {},
    details: [
      'Signs SHA256SUMS with the key in RELEASE_INDEX_SIGNING_KEY, the content of a file made by "minisign -G -W".',
      '"publish" signs by itself.',
    ],
    examples: [['sign', 'before the site is copied']],
  },
  start: {
    summary: 'gather, then build',
    synopsis: '',
    arity: [0, 0],
    options: { strict },
    details: [
      'What a daily run does before it publishes. A run without any network still ends with a complete site.',
    ],
    examples: [['start', 'the same as "npm start"']],
  },
  schemas: {
    summary: 'write the JSON Schemas of all documents into a folder',
    synopsis: '<folder>',
    arity: [1, 1],
    options: {},
    details: ['For editors, without building a site. "build" writes the same files under schema/.'],
    examples: [['schemas .cache/schema', 'into a folder of your own']],
  },
};

const prefix = 'npm run -s release-index --';

export function overview(): string {
  const width = Math.max(...Object.keys(verbs).map((name) => name.length)) + 2;
  const lines = Object.entries(verbs).map(([name, verb]) => `  ${name.padEnd(width)}${verb.summary}`);
  return [
    'release-index: a static index of the releases of many components, in the form Renovate reads.',
    '',
    `usage: ${prefix} <verb> [arguments] [options]`,
    '',
    'verbs:',
    ...lines,
    '',
    'options everywhere:',
    ...optionLines(commonOptions),
    '',
    `A first look: npm start, then npm run preview. More on a verb: ${prefix} <verb> --help`,
    'Exit status: 0 done, 1 wrong input, a broken rule or nothing could be done, 2 the command line is wrong.',
    '',
  ].join('\n');
}

export function helpFor(name: string): string {
  const verb = verbs[name]!;
  const synopsis = verb.synopsis === '' ? '' : ` ${verb.synopsis}`;
  const options =
    Object.keys(verb.options).length === 0 ? [] : ['', 'options:', ...optionLines(verb.options)];
  const width = Math.max(...verb.examples.map(([command]) => command.length)) + 3;
  return [
    `${name}: ${verb.summary}`,
    '',
    `usage: ${prefix} ${name}${synopsis} [options]`,
    '',
    ...verb.details,
    ...options,
    '',
    'options everywhere:',
    ...optionLines(commonOptions),
    '',
    'examples:',
    ...verb.examples.map(([command, meaning]) => `  ${command.padEnd(width)}${meaning}`),
    '',
  ].join('\n');
}

function optionLines(options: Readonly<Record<string, Option>>): string[] {
  return Object.entries(options).map(([name, option]) => {
    const form = `--${name}${option.value === undefined ? '' : ` ${option.value}`}`;
    return `  ${form.padEnd(22)}${option.summary}`;
  });
}
