import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../src/io/files/file-system.ts';
import { maxFileBytes } from '../../../src/deliver/sign/site-reader.ts';
import { linesOf, runCli } from '../../harness/cli.ts';
import {
  createRoot,
  definition,
  makeRoot,
  readJsonIn,
  smallRoot,
  temporaryFolder,
  writeIn,
} from '../../harness/root.ts';
import { edit } from '../../harness/signed-site.ts';
import { covers } from '../../harness/covers.ts';

describe('check', () => {
  test('names the cause once where another version of the program built the site', async () => {
    const root = smallRoot();
    await runCli(['build', '--root', root, '--as-of', '2026-06-01']);
    const dist = join(root, 'dist');
    for (const path of ['svc.json', 'all.json', 'status.json']) {
      const digestBefore = sha256(readFileSync(join(dist, path)));
      writeIn(dist, path, { ...readJsonIn<object>(dist, path), verdict: 'supported' });
      const digest = sha256(readFileSync(join(dist, path)));
      edit(dist, 'SHA256SUMS', (sums) => sums.replace(digestBefore, digest));
    }

    const run = await runCli(['check', '--root', root, '--as-of', '2026-06-01']);

    expect(linesOf(run.stderr)).toEqual([
      'error: dist/all.json: differs from a fresh build, like 2 other files. Run: npx release-index build',
    ]);
  });

  test('says where to read how recorded data that was removed is restored', async () => {
    const root = makeRoot({
      'components/svc.json': definition(),
      'data/freshness/svc.json': { sources: {} },
    });

    const { stderr } = await runCli(['check', '--root', root]);

    expect(linesOf(stderr)).toContain(
      'error: data/svc.json: is missing, although the component was gathered. If git has it, npx release-index plan names the command that restores it. Otherwise: npx release-index gather svc',
    );
  });

  test('reports every problem at once, and changes nothing', async () => {
    const root = makeRoot({
      'components/svc.json': definition({
        support: {
          policy: 'dated',
          lines: {
            '2025.1': { active: '2024-12-31', security: '2025-01-31' },
            '2030.1': '2031-01-01',
          },
        },
        deprecated: [
          { versions: ['3.4.1', 'latest'], reason: 'x' },
          { versions: '>9000', reason: 'y' },
        ],
        replacedBy: 'gone',
      }),
      'data/svc.json': {
        releases: [
          { version: '2025.1', releaseTimestamp: '2025-04-08' },
          { version: 'v2025.01' },
          {
            version: '2025.2',
            releaseTimestamp: '1999-07-15',
            firstSeen: '2999-01-01',
            notListedOn: '2999-01-02',
            republished: { on: '2999-01-03', from: 'a', to: 'b' },
            corrected: { on: '2999-01-04', reason: 'Retagged' },
          },
        ],
      },
      'data/renamed.json': { releases: [] },
      'components/bad.json': { title: 'Bad' },
    });

    const run = await runCli(['check', '--root', root, '--as-of', '2026-06-01']);

    expect(run.status).toBe(1);
    expect(linesOf(run.stderr).toSorted()).toEqual([
      'error: components/bad.json: changelogUrl: expected string; got nothing, and it is required',
      'error: components/bad.json: homepage: expected string; got nothing, and it is required',
      'error: components/bad.json: sources: expected array; got nothing, and it is required',
      'error: components/svc.json: replacedBy: expected the name of another component; got "gone"',
      'error: data/renamed.json: there is no components/renamed.json. Was the component renamed?',
      'error: data/svc.json: 2025.2: corrected.on: 2999-01-04 is in the future',
      'error: data/svc.json: 2025.2: firstSeen: 2999-01-01 is in the future',
      'error: data/svc.json: 2025.2: notListedOn: 2999-01-02 is in the future',
      'error: data/svc.json: 2025.2: releaseTimestamp: 1999-07-15 is before 2000-01-01, which Renovate does not accept as a date',
      'error: data/svc.json: 2025.2: republished.on: 2999-01-03 is in the future',
      'warning: components/svc.json: deprecated[0].versions: "3.4.1" is not in the index',
      'warning: components/svc.json: deprecated[0].versions: "latest" has no place in the version order',
      'warning: components/svc.json: deprecated[1].versions: ">9000" includes no release in the index',
      'warning: components/svc.json: support.lines["2025.1"]: 2025-01-31 is before the line\'s first release (2025-04-08)',
      'warning: svc: "v2025.01" and "2025.1" are one version in two spellings. The first recorded stays.',
    ]);
    expect(linesOf(run.stdout)).toEqual(['check: 2 components, 10 errors, 5 warnings.']);
  });

  const released = (versions: string) => ({
    releases: versions.split(' ').map((version) => ({ version, releaseTimestamp: '2025-01-31' })),
  });
  const isOdd = (version: string) =>
    `notice: data/svc.json: ${version}: differs from the neighbouring release lines in the number of digit groups. A path of documentation is not a release: remove versions that were never released`;
  const undated = expect.stringMatching(
    /^warning: data\/svc\.json: 1\.1: the latest version has no day, so Renovate never offers it/,
  ) as string;
  test.each<[string, object, string[]]>([
    ['fewer groups than both neighbours', released('1.20 1.21.0 1.22 1.23.0'), [isOdd('1.22')]],
    ['a newest version with fewer groups', released('1.6 1.7.0 2.0.0 2.1.0 2.2'), [isOdd('2.2')]],
    ['lines of patches', released('3.18 3.18.1 3.19 3.19.1 4.0 4.0.1 4.2.1 4.3 4.4.0 4.5.0'), []],
    ['a scheme that gains a group', released('1.5 1.6 1.7.0'), []],
    [
      'a latest version without a day',
      { releases: [{ version: '1.0' }, { version: '1.1' }] },
      [undated],
    ],
  ])('reports %s', async (_what, data, lines) => {
    const root = makeRoot({ 'components/svc.json': definition(), 'data/svc.json': data });

    const { status, stderr } = await runCli(['check', '--root', root]);

    expect([status, linesOf(stderr)]).toEqual([0, lines]);
  });

  test.each([
    ['warning', { support: { policy: 'term', months: 18 } }],
    ['notice', {}],
    [undefined, { support: { policy: 'dated', lines: { '1.0': '2027-01-01' } } }],
  ])('reports a source without days as %s where the definition has %j', async (level, about) => {
    const releases = ['2026-05-01', '2026-05-01', '2026-05-09'].map((day, index) => ({
      ...{
        version: `1.${index}`,
        releaseTimestamp: day,
        timestampKind: 'observed',
        firstSeen: day,
      },
      source: 'npm:@example/agent',
    }));
    const root = makeRoot({
      'components/svc.json': definition(about),
      'data/svc.json': { releases },
    });

    const { stderr } = await runCli(['check', '--root', root]);

    const message =
      'components/svc.json: npm:@example/agent states no release days: 2 releases first seen on 2026-05-01 ' +
      'may be older, so a policy that counts months cannot tell when support ends. Add a stated policy, or days\n';
    expect(stderr).toBe(level === undefined ? '' : `${level}: ${message}`);
  });

  test('warns of a policy with a unit below a day', async () => {
    const { dir: root } = createRoot();
    writeIn(root, 'components/svc.json', definition());
    writeIn(root, 'site/policies/soon.json', {
      ...{ description: 'Lasts.', remediation: 'Move.', query: 'supportLeft:>36h' },
    });

    const run = await runCli(['check', '--root', root]);

    expect(run.status).toBe(0);
    expect(run.stderr).toContain(
      'site/policies/soon.json: query: "36h" has a unit finer than a day, and days are all that is known',
    );
  });

  test('says what is wrong with the name of a policy', async () => {
    const { dir: root } = createRoot();
    writeIn(root, 'components/svc.json', definition());
    const names = ['Upper', 'a'.repeat(201)];
    for (const name of names) {
      writeIn(root, `site/policies/${name}.json`, {
        ...{ description: 'Lasts.', remediation: 'Move.', query: 'supportLeft:>36d' },
      });
    }

    const run = await runCli(['check', '--root', root]);

    expect(run.stderr.split('\n').filter((line) => line.includes('policies/'))).toEqual([
      expect.stringContaining(
        'Upper.json: expected a name of lower-case letters, digits and hyphens that begins with a letter or digit; got "Upper"',
      ),
      expect.stringContaining('aa.json: expected a name of at most 200 characters; got 201'),
    ]);
  });

  test('checks the built site, if there is one', async () => {
    const root = makeRoot({ 'components/svc.json': definition() });
    const out = temporaryFolder();
    await runCli(['build', '--root', root, '--out', `${out}/site`]);
    const sound = await runCli(['check', '--root', root, '--out', `${out}/site`]);
    writeIn(out, 'site/svc.json', '{"releases": null}');
    truncateSync(`${out}/site/all.json`, maxFileBytes + 1);

    const run = await runCli(['check', '--root', root, '--out', `${out}/site`, '--json']);

    expect(sound).toMatchObject({ status: 0, stderr: '' });
    expect(run.status).toBe(1);
    expect(run.stderr).toContain('svc.json: was changed: SHA256SUMS lists the digest');
    expect(run.stderr).toContain(
      'all.json: is larger than any file of a site. Run: npx release-index build',
    );
    expect(JSON.parse(run.stdout)).toMatchObject({
      verb: 'check',
      components: 1,
      findings: expect.any(Array),
    });
  });

  const own = 'https://releases.example.com/mcp';
  const issuer = (name: string, more = {}) => ({
    ...{ uri: `https://${name}.example.com`, jwksUri: `https://${name}.example.com/jwks` },
    ...{ accessTokenFormat: 'jwt', allowedJwtAudiences: [own], allowedDomains: ['example.com'] },
    ...more,
  });
  const jane = { username: 'jane', email: 'jane@example.com' };
  const access = (issuers: object[], user: object = jane) => ({
    users: [user],
    externalOauth: { issuers },
  });
  const open = { restrictByDomain: false, allowedDomains: [] };
  const verified = { requireEmailVerified: true };
  const unverified =
    'https://a.example.com may let people choose an e-mail address of a user. Set "requireEmailVerified": true for it';
  const unbound = `${unverified}, or name the "issuer" of each user`;
  test.each<[string, object, warning?: string]>([
    ['one issuer of one domain', access([issuer('a')])],
    ['one issuer of every domain', access([issuer('a', open)]), unverified],
    ['an issuer that must verify addresses', access([issuer('a', { ...open, ...verified })])],
    [
      'a whole domain',
      access([issuer('a')], { username: 'all', domain: 'example.com' }),
      unverified,
    ],
    [
      'a whole domain, and an issuer that maps subjects',
      access([issuer('a', { ...open, claimMapping: 'sub' })], {
        username: 'all',
        domain: 'example.com',
      }),
      unverified,
    ],
    [
      'a whole domain of another issuer',
      access([issuer('a'), issuer('b', verified)], {
        ...{ username: 'all', domain: 'example.com' },
        issuer: 'https://b.example.com',
      }),
    ],
    ['an issuer that maps subjects', access([issuer('a', { ...open, claimMapping: 'sub' })])],
    ['two issuers', access([issuer('a'), issuer('b', verified)]), unbound],
    [
      'two issuers and a bound user',
      access([issuer('a'), issuer('b')], { ...jane, issuer: 'https://a.example.com' }),
    ],
    [
      'any audience',
      access([issuer('a', { allowedJwtAudiences: [], restrictByJwtAudience: false })]),
      'https://a.example.com: "restrictByJwtAudience": false accepts its tokens for any service, also from services that were shown one. Set allowedJwtAudiences, unless it serves only this index',
    ],
  ])('reads access rules with %s', async (what, rules, warning) => {
    covers(...(what === 'any audience' ? ['check warns of it.'] : []));
    const { dir } = createRoot({ releasesUrl: 'https://releases.example.com' });
    writeIn(dir, 'components/svc.json', definition());
    writeIn(dir, 'site/access.json', { protect: 'mcp', ...rules });

    const { stderr } = await runCli(['check', '--root', dir]);

    expect(stderr).toBe(warning === undefined ? '' : `warning: site/access.json: ${warning}\n`);
  });

  test('names recorded files of no component, but not those of a misnamed definition', async () => {
    const root = smallRoot({
      'components/Tool.json': definition(),
      'data/Tool.json': { releases: [] },
      'data/freshness/held.json': { sources: {} },
    });

    const { stderr } = await runCli(['check', '--root', root, '--as-of', '2026-06-01']);

    expect(linesOf(stderr).filter((line) => line.startsWith('error'))).toEqual([
      'error: components/Tool.json: expected a name of lower-case letters, digits and hyphens that begins with a letter or digit; got "Tool"',
      'error: data/freshness/held.json: there is no components/held.json. Was the component renamed?',
    ]);
  });

  test.each([
    [
      'status.json',
      /^error: dist: status\.json does not belong to a release index: .+ Run: npx release-index build$/,
    ],
    ['renovate.json', /^error: dist\/renovate\.json: customDatasources: expected object; /],
  ])('names a %s of another version, with all else', async (path, expected) => {
    const root = smallRoot({ 'data/other.json': { releases: [] } });
    await runCli(['build', '--root', root, '--as-of', '2026-06-01']);
    const dist = join(root, 'dist');
    const digestBefore = sha256(readFileSync(join(dist, path)));
    writeIn(dist, path, '{}');
    edit(dist, 'SHA256SUMS', (sums) => sums.replace(digestBefore, sha256('{}')));

    const { status, stderr } = await runCli(['check', '--root', root, '--as-of', '2026-06-01']);

    expect(status).toBe(1);
    expect(linesOf(stderr)).toEqual([
      'error: data/other.json: there is no components/other.json. Was the component renamed?',
      expect.stringMatching(expected),
    ]);
  });
});
