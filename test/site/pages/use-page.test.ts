import { expect, test } from 'vitest';
import { judgeComponents, readFiles, renderFiles, renderHtml } from '../../harness/components.ts';
import { readText } from '../../harness/html.ts';
import { release } from '../../harness/judging.ts';
import { buildExample } from '../../harness/site.ts';

const digest = (letter: string) => `sha256:${letter.repeat(64)}`;
const list = (more: object) => ({ releases: [release('1.0', '2026-01-01', more)] });

test('use.html has checksum examples only for components with checksums', () => {
  const plain = judgeComponents({ svc: list({}) });
  const files = { 'linux-amd64': digest('a'), 'linux-arm64': digest('b') };
  const all = judgeComponents({
    svc: list({}),
    agent: list({ digest: digest('c') }),
    tool: {
      ...list({ files, hasAllFiles: true }),
      definition: {
        sources: [
          {
            datasource: 'github-releases',
            packageName: 'a/tool',
            digestOf: { 'linux-amd64': 'x', 'linux-arm64': 'y' },
          },
        ],
      },
    },
  });
  const read = (index: typeof plain) =>
    renderFiles(index).get('use.html')!.replaceAll('&#x3D;', '=');

  expect(read(plain)).not.toContain('ARG SHA256');
  expect(read(all)).toContain(`depName=agent\nARG SHA256=${'c'.repeat(64)}\nARG VERSION=1.0\n`);
  expect(read(all)).toContain(
    `depName=tool packageName=tool/linux-arm64 digestVersion=1.0\nARG SHA256_LINUX_ARM64=${'b'.repeat(64)}\n`,
  );
});

test.each<[files: string, cases: string[]]>([
  ['linux-x64 darwin-arm64', ['Linux x86_64: linux-x64', 'Darwin arm64: darwin-arm64']],
  ['linux-aarch64 windows-amd64', ['Linux aarch64: linux-aarch64']],
  ['macos-universal', ['Darwin x86_64: macos-universal', 'Darwin arm64: macos-universal']],
  ['linux-amd64 linux-amd64-musl', ['Linux x86_64: linux-amd64']],
  ['installer', []],
])('the install script on use.html chooses the file for a machine: %s', (names, cases) => {
  const digestOf = Object.fromEntries(names.split(' ').map((name) => [name, name]));
  const files = Object.fromEntries(names.split(' ').map((name) => [name, digest('a')]));
  const urls = Object.fromEntries(
    names.split(' ').map((name) => [name, `https://example.com/${name}`]),
  );
  const sources = [{ datasource: 'github-releases', packageName: 'a/tool', digestOf }];
  const tool = { ...list({ files, urls, hasAllFiles: true }), definition: { sources } };
  const html = readText(renderFiles(judgeComponents({ tool })).get('use.html')!);

  const found = html.matchAll(/^ {2}"(.*)"\) file=(.*);;$/gm);
  expect(Array.from(found, ([, machine, file]) => `${machine}: ${file}`)).toEqual(cases);
  expect(html.includes('file=installer\n')).toBe(names === 'installer');
});

test("the README badge on use.html shows the latest version, and links to the component's page", () => {
  const files = readFiles(buildExample());
  const html = String(files.get('use.html')).replaceAll('&amp;', '&').replaceAll('&#x3D;', '=');
  const [, address = '', page] = /\[!\[svc\]\((https:\S+?)\)\]\((\S+)\)/.exec(html)!;
  const { origin, searchParams } = new URL(address);
  const { href: site } = new URL('.', page);
  const read = (url: string) => String(files.get(url.slice(site.length)));

  expect(html).toContain('id="tables"');
  expect(origin).toBe('https://img.shields.io');
  expect(searchParams.get('query')).toBe('$.tags.latest');
  expect(JSON.parse(read(searchParams.get('url')!)).tags.latest).toMatch(/^20/);
  expect(read(page!)).toContain('<h1');
});

test.each([
  ['cloudflare', true],
  ['pages', false],
])('openapi.json lists only paths that exist on the host: %s', (hosting, hasWorker) => {
  const index = judgeComponents({ svc: list({}) }, '2026-11-27', { hosting });
  const { paths } = JSON.parse(renderFiles(index).get('openapi.json')!) as { paths: object };

  expect(Object.keys(paths)).toContain('/{component}.json');
  expect(Object.keys(paths).includes('/api/components')).toBe(hasWorker);
});

test.each([
  ['cloudflare', 'svc@1.0'],
  ['pages', 'svc'],
])('use.html shows the Backstage annotation for the host %s: product %s', (hosting, product) => {
  const support = { policy: 'dated', lines: { '1.0': '2027-01-31' } };
  const svc = { definition: { support }, releases: { '1.0': '2026-01-10' } };
  const html = renderFiles(judgeComponents({ svc }, '2026-11-27', { hosting })).get('use.html')!;
  const [, section = ''] = /id="endoflife"([^]*?)id="queries"/.exec(html)!;

  expect(section).toContain(`endoflife.date/products: ${product}\n`);
  expect(section).toContain('<code class="note">components/svc.json</code>');
  expect(section).not.toContain('{{');
});

test('use.html shows the preset for required stops only if a component has such stops', () => {
  const releases = { '17.1': '2026-01-01', '17.3': '2026-02-01', '17.5': '2026-03-01' };
  const render = (definition: object) => {
    const pages = renderHtml(
      judgeComponents({ svc: { definition, releases }, other: { releases } }),
    );
    return pages.get('use.html')!;
  };

  const page = render({ title: 'Server', requiredStops: { lines: ['17.3'] } });
  expect(page).toContain('Server: Upgrades must pass through 17.3, according to the definition.');
  expect(page).toContain('renovate/stops.json');
  expect(render({})).not.toContain('stops.json');
});
