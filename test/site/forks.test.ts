import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { linesOf, runCli } from '../harness/cli.ts';
import { checkout } from '../harness/checkout.ts';
import { copyOfFixtureIndex, differences, filesIn, readJsonIn, writeIn } from '../harness/root.ts';

const day = ['--as-of', '2026-11-20'];

function forkWith(config: object): string {
  const root = copyOfFixtureIndex();
  writeIn(root, 'site/site.json', { ...readJsonIn<object>(root, 'site/site.json'), ...config });
  return root;
}

test('a template, an asset or a script of an index replaces the built-in file with its name', async () => {
  const [plain, own] = [copyOfFixtureIndex(), copyOfFixtureIndex()];
  const use = readFileSync(`${checkout}/site/templates/use.hbs`, 'utf8');
  writeIn(own, 'site/templates/use.hbs', use.replace('<h1>Use this index', '<h1>Can I trust it?'));
  writeIn(own, 'site/assets/favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>\n');
  writeIn(own, 'site/assets/ask.js', '// own\n');

  const runs = await Promise.all(
    [plain, own].map((root) => runCli(['build', '--root', root, ...day])),
  );

  expect(runs.map(({ status }) => status)).toEqual([0, 0]);
  expect(differences(filesIn(`${plain}/dist`), filesIn(`${own}/dist`))).toEqual([
    'SHA256SUMS',
    'assets/ask.js',
    'assets/favicon.svg',
    'status.json',
    'use.html',
  ]);
  expect(readFileSync(`${own}/dist/use.html`, 'utf8')).toContain('<h1>Can I trust it?</h1>');
  expect(readFileSync(`${own}/dist/assets/ask.js`, 'utf8')).toBe('// own\n');
});

test('an index shows its own logo, accent, styles and footer on every page', async () => {
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
  writeIn(root, 'site/assets/own.css', 'h1 { color: green; }\n');

  await runCli(['build', '--root', root, ...day]);

  const files = filesIn(`${root}/dist`);
  expect(linesOf(files['assets/site.css']!).at(-1)).toBe(
    '@media screen{:root{--brand:light-dark(#0b57a4,#8EBEF8);--link:light-dark(#0b57a4,#8EBEF8)}}',
  );
  for (const page of ['index.html', 'svc.html', 'changes.html', '404.html']) {
    expect(files[page]).toMatch(/<img src="\/?assets\/logo\.svg" alt="" height="20">Our builds/);
    expect(files[page]).toMatch(/<link rel="icon" href="\/?assets\/logo\.svg">/);
    expect(files[page]).toMatch(/today\.css">\n<link rel="stylesheet" href="\/?assets\/own\.css">/);
    expect(files[page]).toContain('<span>Kept by the build team &amp; friends.</span>');
    expect(files[page]).toContain(
      '<a href="https://example.com/imprint?a&#x3D;1&amp;b&#x3D;2">Imprint</a>',
    );
  }
});

test.each<[string, object, string]>([
  [
    'an accent that is not a colour',
    { accent: { light: 'blue', dark: '#8ebef8' } },
    'site/site.json: accent.light: expected a colour as # and six hexadecimal digits; got "blue"',
  ],
  [
    'an accent that cannot be read on a light page',
    { accent: { light: '#ffe600', dark: '#8ebef8' } },
    'site/site.json: accent.light: expected a contrast of at least 4.5:1 with the light page; it is 1.2:1; got "#ffe600"',
  ],
  [
    'an accent that cannot be read on a dark page',
    { accent: { light: '#0b57a4', dark: '#0b57a4' } },
    'site/site.json: accent.dark: expected a contrast of at least 4.5:1 with the dark page; it is 2.3:1; got "#0b57a4"',
  ],
  [
    'one colour as the accent',
    { accent: '#7c3aed' },
    'site/site.json: accent: expected two colours, such as { "light": "#0b57a4", "dark": "#8ebef8" }; got "#7c3aed"',
  ],
  [
    'a missing logo',
    { logo: 'logo.svg' },
    'site/site.json: logo: expected a file in site/assets; got "logo.svg", which is not there',
  ],
  [
    'an asset with the name of a generated one',
    {},
    'site/assets/site.css: the build generates a file with this name; rename yours, a stylesheet to own.css',
  ],
  [
    'a link of the footer that is not https:',
    { footer: { links: [{ text: 'Chat', url: 'javascript:alert(1)' }] } },
    'site/site.json: footer.links[0].url: expected an https: address',
  ],
])('build and check reject %s', async (what, config, message) => {
  const root = forkWith(config);
  if (what.startsWith('an asset')) {
    writeIn(root, 'site/assets/site.css', ':root{}\n');
  }

  for (const verb of ['build', 'check']) {
    const run = await runCli([verb, '--root', root, ...day]);
    expect(run.status).toBe(1);
    expect(run.stderr).toContain(`error: ${message}`);
  }
  expect(existsSync(`${root}/dist`)).toBe(false);
});

test('a build rejects a template with an unknown value, and writes nothing', async () => {
  const root = forkWith({});
  writeIn(root, 'site/templates/component.hbs', '<p>{{no-such-value}}</p>\n');

  const { status, stderr } = await runCli(['build', '--root', root, ...day]);

  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^error: site\/templates\/component\.hbs: .*"no-such-value" not defined - 1:/m,
  );
  expect(stderr).not.toContain('    at ');
  expect(existsSync(`${root}/dist`)).toBe(false);
});
