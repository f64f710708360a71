import { portableCommandLine } from '../core/command-prefix.ts';
import { clientConfiguration, folderServer } from '../ask/mcp/connection.ts';
import { builtInPolicies } from '../core/schemas/named-policy.ts';
import { fields } from '../core/query/fields.ts';
import { flag, text, type Verb } from './verb.ts';

const index = text('URL', 'ask the index that is published there instead of the folder');

/** Those that answer questions. */
export const askingVerbs: Readonly<Record<string, Verb>> = {
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
      csv: flag('comma-separated values, with every field'),
      queries: text('FILE', 'a query a line, all answered in one run'),
      index,
      'fail-empty': flag('exit 1 if a query selects nothing'),
    },
    details: [
      'Terms separated by spaces must all hold; "or", "not" and parentheses combine them. A term is field:pattern, where * stands',
      'for any characters, field:>value, field:[a to b], the name of a Boolean field, or a text to look for in component, title and',
      'version. The empty query selects every release. A query that begins with - comes after --.',
      'Results come by component, then in version order. Relative days count from the start of the day asked for.',
      'A published index has the verdicts of the day it was built for.',
      '',
      'fields:',
      ...fields.map(({ name, type, meaning }) => `  ${name.padEnd(18)}${type.padEnd(11)}${meaning}`),
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
      index,
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
      `  - run: ${portableCommandLine('scan bom.json --policy lasting --index https://releases.example.com')}`,
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
    options: { index },
    details: [
      'A program that an agent starts, and that ends with its input. It answers what "explain" and "search" answer, what will',
      'change and what has changed, and writes nothing but answers of the protocol to standard output.',
      'Answers from definitions and data of the folder, from the folder of a built site, or from a published index, which it',
      'looks at anew each hour. A client is told of it like this, where DIR is the folder:',
      '',
      ...clientConfiguration(folderServer)
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
};
