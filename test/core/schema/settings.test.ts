import { expect, test } from 'vitest';
import { describeProblems } from '../../../src/core/parse-document.ts';
import { NamedPolicy, Settings } from '../../../src/core/schema/written.ts';
import { usualSettings } from '../../harness/index-folder.ts';

test.each([
  {},
  { hosting: 'pages', plainHttpHosts: ['npm.internal'], exploited: ['https://a.example/kev.json'] },
  { hosting: { folder: '/srv/releases' }, releasesUrl: 'http://127.0.0.1:8080/index' },
  {
    defaults: { homepage: 'https://a.example/{component}', support: { policy: 'none' } },
    footer: { text: 'By us.', links: [{ text: 'More', url: 'https://a.example' }] },
  },
])('accepts the settings %j', (more) => {
  expect(describeProblems({ ...usualSettings, ...more }, Settings)).toEqual([]);
});

const siteAddress =
  "releasesUrl: expected an address without a slash at its end and any of ? # { } ' ` $ & ; | ( ) * !";

test.each<[more: object, ...problems: string[]]>([
  [{ titel: 'x', title: undefined }, 'unknown key "titel"; did you mean title?'],
  [{ hosting: { foldr: '/srv' } }, 'hosting: unknown key "foldr"; did you mean folder?'],
  [{ staleAfterDays: 0 }, 'staleAfterDays: expected at least 1; got 0'],
  [{ datasource: 'A' }, 'datasource: expected lower-case letters, digits and hyphens; got "A"'],
  [{ hosting: 'ftp' }, 'hosting: expected one of cloudflare, pages; got "ftp"'],
  [
    { signingPublicKey: 'x' },
    'signingPublicKey: expected the second line of a minisign .pub file; got "x"',
  ],
  [
    { releasesUrl: 'http://a.example' },
    'releasesUrl: expected https: (plain http: only of this machine); got "http://a.example"',
  ],
  ...[...'/`$&;|()*!'].map((end): [object, string] => [
    { releasesUrl: `https://a.example/a${end}` },
    `${siteAddress}; got "https://a.example/a${end}"`,
  ]),
  [
    { defaults: { sources: [] } },
    'defaults: unknown key "sources"; known keys: homepage, changelogUrl, support',
  ],
])('rejects the settings %j', (more, ...problems) => {
  expect(describeProblems({ ...usualSettings, ...more }, Settings)).toEqual(problems);
});

test('requires a description, a remediation and a query in a scan policy', () => {
  expect(describeProblems({ query: '', labels: { team: '' } }, NamedPolicy)).toEqual([
    'description is missing',
    'remediation is missing',
    'labels.team: expected one line of text; got ""',
    'query: expected at least 1; got ""',
  ]);
});
