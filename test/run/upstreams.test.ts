import { expect, test } from 'vitest';
import type { Finding } from '../../src/core/schemas/finding.ts';
import { readTokens } from '../../src/run/upstreams.ts';

function read(env: NodeJS.ProcessEnv) {
  const findings: Finding[] = [];
  const report = { finding: (finding: Finding) => findings.push(finding) };
  const tokens = readTokens({ env, report: { ...report, print() {}, progress() {} } });
  return { tokens: [...tokens], messages: findings.map(({ message }) => message) };
}

test.each<[string, NodeJS.ProcessEnv, ReturnType<typeof read>]>([
  ['of no token', {}, { tokens: [], messages: [] }],
  [
    "of GitHub's own API",
    { GITHUB_TOKEN: 't' },
    { tokens: [['https://api.github.com', 't']], messages: [] },
  ],
  [
    'of a server',
    { GITHUB_TOKEN: 't', GITHUB_API_URL: 'https://ghe.example.com/api/v3' },
    { tokens: [['https://ghe.example.com', 't']], messages: [] },
  ],
  [
    'of an empty address, as of an unset variable of a workflow',
    { GITHUB_TOKEN: 't', GITHUB_API_URL: '' },
    { tokens: [['https://api.github.com', 't']], messages: [] },
  ],
  [
    'of a wrong address',
    { GITHUB_TOKEN: 't', GITHUB_API_URL: 'ghe.example.com' },
    { tokens: [], messages: ['is not an address, so GITHUB_TOKEN is not sent'] },
  ],
  [
    'of a host with its port',
    { GITHUB_TOKEN: 't', GITHUB_API_URL: 'ghe.example.com:8443' },
    { tokens: [], messages: ['is not an address, so GITHUB_TOKEN is not sent'] },
  ],
  ['of a wrong address without a token', { GITHUB_API_URL: 'x' }, { tokens: [], messages: [] }],
])('the tokens %s', (_, env, expected) => {
  expect(read(env)).toEqual(expected);
});
