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

test('a template or an asset of an index replaces the built-in file with its name', async () => {
  const [plain, own] = [copyOfFixtureIndex(), copyOfFixtureIndex()];
  const use = readFileSync(`${checkout}/site/templates/use.hbs`, 'utf8');
  writeIn(own, 'site/templates/use.hbs', use.replace('<h1>Use this index', '<h1>Can I trust it?'));
  writeIn(own, 'site/assets/favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>\n');

  const runs = await Promise.all(
    [plain, own].map((root) => runCli(['build', '--root', root, ...day])),
  );

  expect(runs.map(({ status }) => status)).toEqual([0, 0]);
  expect(differences(filesIn(`${plain}/dist`), filesIn(`${own}/dist`))).toEqual([
    'SHA256SUMS',
    'assets/favicon.svg',
    'status.json',
    'use.html',
  ]);
  expect(readFileSync(`${own}/dist/use.html`, 'utf8')).toContain('<h1>Can I trust it?</h1>');
});

test('an index shows its own logo, styles and footer on every page', async () => {
  const root = forkWith({
    title: 'Our builds',
    footer: {
      text: 'Kept by the build team & friends.',
      links: [{ text: 'Imprint', url: 'https://example.com/imprint?a=1&b=2' }],
    },
  });
  writeIn(root, 'site/assets/favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>\n');
  writeIn(root, 'site/assets/own.css', 'h1 { color: green; }\n');

  await runCli(['build', '--root', root, ...day]);

  const files = filesIn(`${root}/dist`);
  expect(files['assets/favicon.svg']).toBe('<svg xmlns="http://www.w3.org/2000/svg"/>\n');
  for (const page of ['index.html', 'svc.html', 'changes.html', '404.html']) {
    expect(files[page]).toMatch(/<img src="\/?assets\/favicon\.svg" alt="" height="20">Our builds/);
    expect(files[page]).toMatch(/today\.css">\n<link rel="stylesheet" href="\/?assets\/own\.css">/);
    expect(files[page]).toContain('<span>Kept by the build team &amp; friends.</span>');
    expect(files[page]).toContain(
      '<a href="https://example.com/imprint?a&#x3D;1&amp;b&#x3D;2">Imprint</a>',
    );
  }
});

test.each<[string, object, string]>([
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

const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg">${content}</svg>\n`;

test('an asset that could run under the address of the index is rejected', async () => {
  const root = forkWith({});
  const ofEnding =
    'expected a file .css, .ico, .png or .svg: others may run as scripts or pages of the index';
  const running: Record<string, string> = {
    'script.svg': svg('<script>alert(1)</script>'),
    'prefix.svg': svg('<x:script xmlns:x="http://www.w3.org/2000/svg"/>'),
    'handler.svg': svg('<g\nonload = "alert(1)"/>'),
    'foreign.svg': svg('<foreignObject><iframe src="https://evil.example"/></foreignObject>'),
    'link.svg': svg('<a href="java&#115;cript:alert(1)"><text>.</text></a>'),
    'space.svg': svg('<a xlink:href=" javascript:alert(1)"><text>.</text></a>'),
    'animated.svg': svg('<animate attributeName="href" to="javascript:alert(1)"/>'),
    'prefixed.svg': svg('<set xmlns:x-l="http://www.w3.org/1999/xlink" attributeName="x-l:href"/>'),
    'embedded.svg': svg('<use href="data:image/svg+xml,x"/>'),
    'entity.svg': `<!DOCTYPE svg [<!ENTITY x "<script/>">]>${svg('&x;')}`,
    'transformed.svg': `<?xml-stylesheet type="text/xsl" href="x.xsl"?>${svg('')}`,
    'encoded.svg': `<?xml version="1.0" encoding="iso-2022-jp"?>${svg('')}`,
    'hidden.svg': Buffer.from(svg('<script>alert(1)</script>'), 'utf16le').toString('latin1'),
    'renamed.svg': svg('<a href="#"><set attributeName="&#104;ref" to="javascript:alert(1)"/></a>'),
    'imported.svg': svg('<style>@import "https://evil.example/x.css";</style>'),
    'escaped.svg': svg(String.raw`<style>@\69mport "https://evil.example/x.css";</style>`),
    'chosen.svg': svg('<style>g{background:image-set("https://evil.example/x.png" 1x)}</style>'),
    'numbered.svg': svg('<g style="fill:&#117;rl(https://evil.example/x.svg#a)"/>'),
    'divided.svg': svg('<style>@im<!-- -->port "https://evil.example/x.css";</style>'),
    'disguised.svg': svg('<style title="/>">@im<![CDATA[port "//evil.example/x.css"]]></style>'),
    'page.svg': svg('<h:img xmlns:h="http://www.w3.org/1999/xhtml" src="//evil.example/x"/>'),
    'loaded.svg': svg('<g style="fill: url( https://evil.example/x.svg#a)"/>'),
  };
  const ofOtherEnding = ['a.js', 'ask.js', 'a.mjs', 'a.html', 'a.HTM', 'a.xhtml', 'a.xml', 'a'];
  for (const [name, content] of Object.entries(running)) {
    writeIn(root, `site/assets/${name}`, content);
  }
  for (const name of ofOtherEnding) {
    writeIn(root, `site/assets/${name}`, 'alert(1)');
  }

  const { status, stderr } = await runCli(['check', '--root', root, ...day]);

  expect(status).toBe(1);
  for (const name of Object.keys(running)) {
    expect(stderr).toMatch(
      new RegExp(`error: site/assets/${name}: expected a picture without scripts, links and ent`),
    );
  }
  for (const name of ofOtherEnding) {
    expect(stderr).toContain(`error: site/assets/${name}: ${ofEnding}\n`);
  }
});

test('a picture as drawing programs write it is published', async () => {
  const root = forkWith({});
  const drawn = `<?xml version="1.0" encoding="UTF-8"?>\n<!-- drawn -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n${svg(
    '<style id="style1"/><style>\n<![CDATA[.a{fill:#fff}]]>\n</style><style>.b{fill:#fff}</style><defs><g id="a"/></defs><use xlink:href="#a" style="fill:url(#a)"/><image href="data:image/png;base64,AA=="/><text>on, only</text>',
  )}`;
  writeIn(root, 'site/assets/logo.svg', drawn);

  const { status, stderr } = await runCli(['build', '--root', root, ...day]);

  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(readFileSync(`${root}/dist/assets/logo.svg`, 'utf8')).toBe(drawn);
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
