import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runCli } from '../harness/cli.ts';
import { checkout } from '../harness/checkout.ts';
import { copyOfFixtureIndex, differences, filesIn, readJsonIn, writeIn } from '../harness/root.ts';

const day = ['--as-of', '2026-11-20'];

function forkWith(config: object): string {
  const root = copyOfFixtureIndex();
  writeIn(root, 'site/site.json', { ...readJsonIn<object>(root, 'site/site.json'), ...config });
  return root;
}

/** What both commands say of a root that neither accepts. */
async function refusalsOf(root: string): Promise<string[]> {
  const runs = await Promise.all(['build', 'check'].map((verb) => runCli([verb, '--root', root, ...day])));
  expect(runs.map(({ status }) => status)).toEqual([1, 1]);
  expect(existsSync(`${root}/dist`)).toBe(false);
  return runs.map(({ stderr }) => stderr);
}

test('a template or an asset of an index of its own takes the place of ours of that name, and of no other', async () => {
  const [plain, own] = [copyOfFixtureIndex(), copyOfFixtureIndex()];
  const verify = readFileSync(`${checkout}/site/templates/verify.hbs`, 'utf8');
  writeIn(own, 'site/templates/verify.hbs', verify.replace('<h1>Verify downloads', '<h1>Can I trust it?'));
  writeIn(own, 'site/assets/favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>\n');

  const runs = await Promise.all([plain, own].map((root) => runCli(['build', '--root', root, ...day])));

  expect(runs.map(({ status }) => status)).toEqual([0, 0]);
  expect(differences(filesIn(`${plain}/dist`), filesIn(`${own}/dist`))).toEqual([
    'SHA256SUMS',
    'assets/favicon.svg',
    'status.json',
    'verify.html',
  ]);
  expect(readFileSync(`${own}/dist/verify.html`, 'utf8')).toContain('<h1>Can I trust it?</h1>');
});

test('an index shows its own logo, accent, footer and links on every page, and still passes the check', async () => {
  const root = forkWith({
    title: 'Our builds',
    logo: 'logo.svg',
    accent: { light: '#0b57a4', dark: '#8EBEF8' },
    footer: {
      text: 'Kept by the build team & friends.',
      links: [{ text: 'Imprint', url: 'https://example.com/imprint?a=1&b=2' }],
    },
  });
  writeIn(root, 'site/assets/logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>\n');

  await runCli(['build', '--root', root, ...day]);
  const check = await runCli(['check', '--root', root, ...day]);

  expect(check.status).toBe(0);
  expect(check.stderr).not.toContain('error:');
  const files = filesIn(`${root}/dist`);
  expect(files['assets/accent.css']).toBe(
    '@media screen{:root{--brand:light-dark(#0b57a4,#8EBEF8);--link:light-dark(#0b57a4,#8EBEF8)}}\n',
  );
  for (const page of ['index.html', 'svc.html', 'timeline.html', '404.html']) {
    expect(files[page]).toMatch(/<img src="\/?assets\/logo\.svg" alt="" height="20">Our builds/);
    expect(files[page]).toMatch(/<link rel="stylesheet" href="\/?assets\/accent\.css">/);
    expect(files[page]).toContain('<span>Kept by the build team &amp; friends.</span>');
    expect(files[page]).toContain('<a href="https://example.com/imprint?a&#x3D;1&amp;b&#x3D;2">Imprint</a>');
  }
});

test('an accent that is not a colour is rejected', async () => {
  for (const said of await refusalsOf(forkWith({ accent: { light: 'blue', dark: '#8ebef8' } })))
    expect(said).toContain(
      'site/site.json: accent.light: expected a colour as # and six hexadecimal digits; got "blue"',
    );
});

test('a logo that is not there is refused, and so is an asset by the name of one that the build makes', async () => {
  const root = forkWith({ logo: 'logo.svg' });
  writeIn(root, 'site/assets/today.css', ':root{}\n');

  for (const said of await refusalsOf(root)) {
    expect(said).toContain(
      'error: site/site.json: logo: expected a file in site/assets; got "logo.svg", which is not there',
    );
    expect(said).toContain(
      'error: site/assets/today.css: the build generates a file with this name; rename yours',
    );
  }
});

test('a link of the footer leads nowhere but to https', async () => {
  const root = forkWith({ footer: { links: [{ text: 'Chat', url: 'javascript:alert(1)' }] } });

  for (const said of await refusalsOf(root))
    expect(said).toContain('site/site.json: footer.links[0].url: expected an https: address');
});
