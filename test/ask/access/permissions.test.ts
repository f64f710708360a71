import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccessKeys } from '../../../src/core/schemas/access-keys.ts';
import type { PolicyScan } from '../../../src/core/schemas/published/policy-scan.ts';
import { permissions, type Permission } from '../../../src/core/schemas/permissions.ts';
import { endpoints } from '../../../src/ask/api/endpoints.ts';
import { publishedPaths } from '../../../src/site/render/paths.ts';
import { sha256 as digestOf } from '../../../src/io/files/sha256.ts';
import { addComponent, filesIn, writeIn } from '../../harness/root.ts';
import { openSignedSite } from '../../harness/signed-site.ts';
import { recordOn } from '../../harness/site.ts';
import { serveSite, type ServedSite } from '../../harness/worker.ts';
import { accessTo, baseUrl, keyOf, recorded } from './private-index.ts';
import { covers } from '../../harness/covers.ts';

const insufficient =
  'Bearer realm="mcp", error="insufficient_scope", error_description="REASON", ' +
  `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`;

/** Texts that a client with access to only alpha and beta must never read. */
const hidden = /zeta|omega|quietpkg|CVE-2026-1111/i;

/** Keys for each single permission and for all permissions, with all components and with two components. */
const kinds: (Permission | 'every')[] = ['every', ...permissions];
const keys = kinds.flatMap((kind, place) =>
  [false, true].map((isLimited) => ({
    kind,
    isLimited,
    secret: keyOf('abcdefghijkl'[2 * place + Number(isLimited)]!),
  })),
);
const limitedKey = keys.find(({ kind, isLimited }) => kind === 'every' && isLimited)!.secret;
const wholeKey = keys.find(({ kind, isLimited }) => kind === 'every' && !isLimited)!.secret;

let files: Record<string, string>;
let site: ServedSite;

beforeAll(async () => {
  const signed = openSignedSite();
  const { root } = signed;
  const released = (version: string, month: number, more: object = {}) => ({
    ...{ version, releaseTimestamp: `2026-0${month}-01`, ...more },
  });
  const fromNpm = (packageName: string) => ({ datasource: 'npm', packageName });
  const alpha = {
    title: 'Alpha',
    support: { policy: 'ended', since: '2026-10-01', reason: 'It is complete.' },
    sources: [fromNpm('@shared/kit')],
    advisories: ['CVE-2026-2222', 'CVE-2026-3333'].map((id) => ({ id, affected: '<2.0' })),
  };
  const ofAlpha = [released('1.0', 1), released('2.0', 2)];
  addComponent(root, 'alpha', ofAlpha, alpha);
  addComponent(root, 'beta', [released('1.0', 3)], { renamedFrom: ['former-beta'] });
  const provenance = {
    source: 'npm:@own/quietpkg',
    builder: 'https://github.com/own/quietpkg/.github/workflows/release.yml@refs/heads/main',
    repository: 'https://github.com/own/quietpkg',
    predicateType: 'https://slsa.dev/provenance/v1',
  };
  addComponent(root, 'zetalith', [released('7.0', 4, { provenance })], {
    title: 'Zeta',
    worksWith: { alpha: [{ versions: '7.0', from: '1.0', before: '2.0' }] },
    renamedFrom: ['former-zetalith'],
    sources: [
      ...[fromNpm('@shared/kit'), fromNpm('@own/quietpkg')],
      { datasource: 'docker', packageName: 'own/zetalith' },
    ],
    advisories: ['CVE-2026-1111', 'CVE-2026-2222'].map((id) => ({ id, affected: '*' })),
  });
  addComponent(root, 'a-omega', [released('9.0', 5)], { replacedBy: 'alpha' });
  writeIn(root.dir, 'site/policies/gate.json', {
    description: 'It is no longer Zeta.',
    remediation: 'Leave it.',
    query: 'not component:zetalith',
  });
  await recordOn(root.dir, '2026-11-18');
  const worksWith = { zetalith: [{ versions: '1.0', from: '7.0' }] };
  addComponent(root, 'alpha', ofAlpha, { ...alpha, replacedBy: 'zetalith', worksWith });
  await recordOn(root.dir, '2026-11-19', '2026-11-20');
  for (const [component, version] of [
    ['alpha', '1.0'],
    ['zetalith', '7.0'],
  ] as const) {
    const subject = [{ name: component, digest: { sha256: digestOf(component) } }];
    const id = `${component}/${version}/2026-11-20`;
    const predicate = { id, component, version, on: '2026-11-20', state: 'supported' };
    writeIn(
      root.dir,
      `data/statements/${component}.ndjson`,
      `${JSON.stringify({ subject, predicate })}\n`,
    );
  }
  const out = await signed.make('2026-11-20');
  files = filesIn(out);
  const stored = keys.map(({ kind, isLimited, secret }, place) => ({
    ...recorded(secret),
    name: `key-${place}`,
    ...(kind !== 'every' && { permissions: [kind] }),
    ...(isLimited && { components: ['alpha', 'former-beta'] }),
  }));
  const vars = { RELEASE_INDEX_ACCESS_KEYS: JSON.stringify(AccessKeys.parse(stored)) };
  site = await serveSite(out, baseUrl, vars, accessTo('everything'));
});

afterAll(() => site?.close());

interface Door {
  readonly path: string;
  readonly permission: Permission;
  readonly init?: RequestInit;
  /** The status for a key of all components, and for one of alpha and beta. */
  readonly whole: number;
  readonly limited: number;
}

const get = (
  path: string,
  limited: number,
  whole = 200,
  permission: Permission = 'read',
): Door => ({
  path,
  permission,
  whole,
  limited,
});
const post = (
  path: string,
  permission: Permission,
  body?: object,
  limited = 200,
  whole = 200,
): Door => ({
  path,
  permission,
  whole,
  limited,
  init: {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    ...(body && { body: JSON.stringify(body) }),
  },
});

const tool = (name: string, given: object): Door =>
  post('/mcp', 'mcp', {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: given },
  });

/** The files for a client with access to alpha and beta. The page of alpha and similar files name its replacement. */
const general =
  /^(?:404\.html|robots\.txt|signing-key\.\w+|renovate\/own\.json|assets\/.+|schema\/.+)$/;
const ofVisible = /(?:^|\/)(?:alpha|beta|former-beta)(?:\.\w+|\/lines\.svg)?$/;
const namesSuccessor = /^(?:(?:details|feeds)\/alpha\.\w+|alpha\.html)$/;

function doorsOfFiles(): Door[] {
  return Object.keys(files)
    .filter((path) => path !== '_headers')
    .map((path) => {
      const isOpen = general.test(path) || (ofVisible.test(path) && !namesSuccessor.test(path));
      const isList = /^(?:index\.(?:html|json)|renovate\.json)$/.test(path);
      return get(`/${path}`, isOpen || isList || path === 'osv/CVE-2026-3333.json' ? 200 : 403);
    });
}

function doors(): Door[] {
  const statements = (component: string, version = '1.0') =>
    `/packages/generic/${component}/${version}/sha256:${digestOf(component)}/attestations/site/${encodeURIComponent(`${component}/${version}/2026-11-20`)}`;
  const scanned = { artifacts: [] };
  const lists = [
    'alpha=1.0',
    'zetalith=7.0',
    'pkg:npm/%40shared/kit@7.0',
    'pkg:npm/%40own/quietpkg@1.0',
  ];
  return [
    ...doorsOfFiles(),
    get('/', 200),
    get('/nothing.json', 403, 404),
    get('/osv/CVE-2026-9999.json', 403, 404),
    get('/%7aetalith.json', 403, 307),
    get('/%61lpha.json', 307, 307),
    get('/api/releases', 200),
    get('/api/releases?query=component:zetalith', 200),
    get('/api/releases?query=7.0', 200),
    get('/api/releases?query=hasProvenance', 200),
    get('/api/components', 200),
    get('/api/components/alpha', 200),
    get('/api/components/zetalith', 403),
    get('/api/components/former-zetalith', 403),
    get('/api/components/nothing', 403, 404),
    get('/api/components/alpha/releases/1.0', 200),
    get('/api/components/zetalith/releases/7.0', 403),
    get('/api/components/zetalit/releases/7.0', 403, 404),
    get('/api/components/%40own%2Fquietpkg/releases/7.0', 403),
    get('/api/answers?question=alpha', 200),
    get('/api/answers?question=zetalith', 404),
    get('/api/answers?question=%40own/quietpkg+7.0', 404),
    get('/api/answers?question=alpa', 200),
    get('/api/answers?question=zetaliths', 404),
    get('/api/sets?with=alpha@1.0', 200),
    get('/api/sets?with=zetalith@7.0', 404),
    get('/policies/built-in/supported', 200),
    get('/policies/own/gate', 404),
    get('/endoflife/api/v1/products', 200),
    get('/endoflife/api/v1/products/alpha/releases/latest', 200),
    get('/endoflife/api/v1/products/zetalith/releases/latest', 403),
    get('/endoflife/api/v1/products/zetalith/', 403),
    get('/endoflife/api/alpha/latest.json', 200),
    get('/endoflife/api/zetalith/latest.json', 403),
    get('/endoflife/api/v1/categories', 200),
    get('/endoflife/api/v1/categories/app', 403),
    get('/endoflife/api/all.json', 403),
    get('/badges/alpha/1.0.svg', 200),
    get('/calendars/mine.ics?c=alpha@1.0', 403),
    get('/feeds/mine.atom?c=alpha@1.0', 403),
    get('/badges/zetalith/7.0.svg', 403),
    get(statements('alpha'), 200),
    get(statements('zetalith', '7.0'), 403),
    get('/export/v1/changes/since/0', 200, 200, 'export'),
    get('/export/v1/changes/since/0?component=zetalith', 404, 200, 'export'),
    get('/export/v1/changes/sinceChange?id=alpha/1', 200, 200, 'export'),
    get('/export/v1/changes/sinceChange?id=former-zetalith/1', 404, 200, 'export'),
    get('/export/v1/releases/alpha/1.0/events', 200, 200, 'export'),
    get('/export/v1/releases/zetalith/7.0/events', 403, 200, 'export'),
    get('/api/builds', 403),
    get('/build-export/v1/builds/since/0', 403, 200, 'export'),
    get('/build-export/v2/builds/since/0', 403, 200, 'export'),
    get('/build-export/v2/builds/sinceBuild/0123456789abc', 403, 200, 'export'),
    get('/build-export/v1/builds/sinceBuild/0123456789abc', 403, 200, 'export'),
    get('/build-export/v1/build/0123456789abc/events', 403, 400, 'export'),
    get('/build-export/v2/build/0123456789abc/events', 403, 200, 'export'),
    post('/packages/generic/zetalith/7.0/policy-scans/supported', 'scan'),
    post('/packages/npm/%40shared/kit/7.0/policy-scans/supported', 'scan'),
    post('/packages/generic/alpha/1.0/policy-scans/gate', 'scan', undefined, 404),
    post('/packages/generic/alpha/1.0/policy-scans/nothing', 'scan', undefined, 404, 404),
    post('/packages/generic/zetalith/7.0/attestations', 'scan', undefined, 501, 501),
    post('/api/scan', 'scan', scanned, 400, 400),
    post('/api/scan?policy=supported,current', 'scan', {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      components: lists.map((name) => ({ type: 'library', name, purl: name, version: '1.0' })),
    }),
    post('/mcp', 'mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    tool('list_components', {}),
    tool('find_releases', { query: 'component:zetalith' }),
    tool('coming_changes', { days: 3000 }),
    tool('changes_since', { date: '2000-01-01' }),
    tool('latest_version', { component: 'alpha' }),
    tool('latest_version', { component: 'zetalith' }),
    tool('check_version', { component: 'alpha', version: '1.0' }),
    tool('check_version', { component: 'zetalith', version: '7.0' }),
    tool('check_versions', {
      items: ['alpha@1.0', 'zetalith@7.0', '@shared/kit 1.0', 'former-zetalith 7.0'],
    }),
    tool('show_component', { component: 'a-omega' }),
    tool('compatible_versions', { components: ['alpha', 'zetalith'] }),
    tool('scan', { document: lists.join('\n'), policies: ['supported', 'compatible'] }),
    tool('runs', {}),
  ];
}

const ask = (door: Pick<Door, 'path' | 'init'>, secret: string) => {
  const headers = new Headers(door.init?.headers);
  headers.set('authorization', `Bearer ${secret}`);
  return site.fetch(baseUrl + door.path, { redirect: 'manual', ...door.init, headers });
};

/** Everything that a client reads, without its own input. */
async function readOf(door: Door, secret: string) {
  const answer = await ask(door, secret);
  const body = await answer.text();
  const said = [door.path, decodeURIComponent(door.path), String(door.init?.body ?? '')]
    .flatMap((text) => text.match(/zetalith?|omega|quietpkg|CVE-2026-\d+/g) ?? [])
    .sort((a, b) => b.length - a.length);
  const { pathname } = new URL(baseUrl + door.path);
  let told = [...answer.headers].join('\n') + body.replaceAll(`"instance":"${pathname}"`, '');
  for (const word of said) {
    told = told.replaceAll(word, '…');
  }
  return { status: answer.status, told, body, headers: answer.headers };
}

/** A path or operation of the index as a pattern. */
function patternOf(path: string): RegExp {
  const literal = path.split(/\{\w+\}/).map((part) => part.replaceAll('.', '\\.'));
  return new RegExp(`^/?${literal.join('[^/]+')}$`);
}

test('the table has every published path, operation and tool', async () => {
  const all = doors();
  const paths = all.map(({ path }) => path.replace(/\?.*/, ''));
  const called = all.map(({ init }) => /"name":"(\w+)"/.exec(String(init?.body))?.[1]);
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const { body } = await readOf(post('/mcp', 'mcp', list), wholeKey);
  const tools = Array.from(body.matchAll(/"name":"(\w+)","title"/g), ([, name]) => name!);
  const operations = endpoints.map(({ path }) => path.replace('{namespace}/', ''));
  const published = publishedPaths
    .map(({ path }) => path)
    // This small index has no parts, no custom colour, and no users who sign in.
    .filter((path) => !/\{part\}|accent\.css|sign-in\.html/.test(path));

  expect(tools.length).toBeGreaterThan(5);
  expect(tools.filter((name) => !called.includes(name))).toEqual([]);
  expect(
    [...operations, ...published].filter(
      (path) => !paths.some((asked) => patternOf(path).test(asked)),
    ),
  ).toEqual([]);
});

test('each key allows what its permissions say, for its components, at each interface', async () => {
  covers(146, 149, 181, 192, 212);
  const all = doors();
  const wrong: string[] = [];
  const check = async (door: Door, { kind, isLimited, secret }: (typeof keys)[number]) => {
    const isAllowed = kind === 'every' || kind === door.permission;
    const expected = isAllowed ? (isLimited ? door.limited : door.whole) : 403;
    const { status, told, headers } = await readOf(door, secret);
    const where = `${kind}${isLimited ? ', limited' : ''}: ${JSON.stringify(door)}`;
    if (status !== expected) {
      wrong.push(`${where}: ${status}, not ${expected}`);
    }
    const leak = isLimited ? hidden.exec(told) : null;
    if (leak) {
      wrong.push(`${where}: ${leak[0]} in ${told.slice(0, 3000)}`);
    }
    const reason = isAllowed
      ? 'The credential does not include the components of this request.'
      : 'The credential has no permission for this operation.';
    const challenge = headers.get('www-authenticate');
    if (challenge !== (expected === 403 ? insufficient.replace('REASON', reason) : null)) {
      wrong.push(`${where}: ${challenge}`);
    }
  };
  const rejected = new Set<string>();
  for (const door of all) {
    // Another permission is not enough. Each of them is tried at some interface.
    const isFile = door.path.slice(1) in files;
    const others = permissions.filter((one) => one !== door.permission);
    const other = others[all.indexOf(door) % others.length];
    const asked = keys.filter(({ kind }) =>
      [other, 'every', !isFile && door.permission].includes(kind),
    );
    await Promise.all(asked.map((key) => check(door, key)));
    rejected.add(`${door.permission} ${other}`);
  }

  expect(wrong).toEqual([]);
  expect(rejected.size).toBe(4 * (permissions.length - 1));
}, 120_000);

test('without a credential, nothing is exported, and the metadata names no issuer', async () => {
  covers(34, 180);
  const metadata = await site.fetch(`${baseUrl}/.well-known/oauth-protected-resource/mcp`);

  expect(await metadata.json()).toMatchObject({ authorization_servers: [] });
  expect((await site.fetch(`${baseUrl}/build-export/v2/builds/since/0`)).status).toBe(401);
});

test('a hidden component gets the answer of an unknown component', async () => {
  const named = doors().filter(
    ({ path, init }) =>
      /zetalith/.test(path + String(init?.body)) && !/sha256:|%40|former/.test(path),
  );
  const answers = async (name: string) =>
    Promise.all(
      named.map(async ({ path, init }) => {
        const body =
          typeof init?.body === 'string' ? init.body.replaceAll('zetalith', name) : undefined;
        const door = {
          path: path.replaceAll('zetalith', name),
          init: { ...init, ...(body && { body }) },
        };
        const answer = await ask(door, limitedKey);
        return [path, answer.status, (await answer.text()).replaceAll(name, 'NAME')];
      }),
    );

  expect(named.length).toBeGreaterThan(15);
  expect(await answers('zetalith')).toEqual(await answers('nonesuch'));
});

const json = async (path: string, secret: string) =>
  (await (await ask({ path }, secret)).json()) as Record<string, unknown>[];

test.each([
  ['/api/components', ['alpha', 'beta'], 'zetalith'],
  ['/api/releases', ['alpha', 'alpha', 'beta'], 'zetalith'],
  ['/api/components?purl=pkg:npm/@own/quietpkg', [], 'zetalith'],
  ['/api/releases?query=worksWith:zetalith=7.0', [], 'alpha'],
])('the list %s has only visible components', async (path, limited, onlyWhole) => {
  const names = async (secret: string) =>
    (await json(path, secret)).map(({ component }) => component);

  expect(await names(limitedKey)).toEqual(limited);
  expect(await names(wholeKey)).toContain(onlyWhole);
});

test.each([
  ['/api/components/alpha', { replacedBy: 'zetalith' }],
  ['/api/answers?question=alpha+1.0', { moveTo: { component: 'zetalith', version: '7.0' } }],
  ['/api/sets?with=alpha@1.0', { without: [{ component: 'zetalith' }] }],
])('the answer %s names a replacement or partner only if it is visible', async (path, named) => {
  expect(await json(path, wholeKey)).toMatchObject(named);
  expect(JSON.stringify(await json(path, limitedKey))).not.toContain('zetalith');
});

test('suggestions, the first page, the preset and the stream have only visible components', async () => {
  const text = async (path: string, secret = limitedKey) => (await ask({ path }, secret)).text();
  const rulesFor = async (secret: string) =>
    (JSON.parse(await text('/renovate.json', secret)) as { packageRules: object[] }).packageRules;
  const [rules, wholeRules] = [await rulesFor(limitedKey), await rulesFor(wholeKey)];
  const changes = '/export/v1/changes/since/0';

  expect(await json('/api/answers?question=alphaaa', limitedKey)).toMatchObject({
    detail: 'No component of this index is called "alphaaa". Did you mean "alpha"?',
  });
  expect(await json('/index.json', limitedKey)).toEqual(['alpha', 'beta']);
  expect(await text('/')).toContain('<a href="alpha.html">Alpha</a>');
  expect(JSON.stringify(rules)).toContain('"alpha"');
  expect(wholeRules.length).toBeGreaterThan(rules.length);
  expect(wholeRules).toEqual(expect.arrayContaining(rules));
  expect(new Set((await text(changes)).match(/(?<=^id: )\w+/gm))).toEqual(
    new Set(['alpha', 'former']),
  );
  expect(await text(changes, wholeKey)).toContain('"type":"replaced"');
});

test('only visible pairs are judged by the policy compatible, by operation and tool', async () => {
  const document = 'alpha@1.0\nzetalith@7.0\n';
  const init = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: document };
  const scanned = async (secret: string) => {
    const results = (await (
      await ask({ path: '/api/scan?policy=compatible', init }, secret)
    ).json()) as PolicyScan[];
    const { body } = await readOf(tool('scan', { document, policies: ['compatible'] }), secret);
    const told = body.matchAll(/"policy":"compatible","status":"([\w-]+)"/g);
    return [results.map(({ status }) => status), Array.from(told, ([, status]) => status)];
  };

  const whole = ['satisfied', 'satisfied'];
  // The tool leaves out items of no component.
  const limited = ['unknown', 'not-applicable'];
  expect(await scanned(wholeKey)).toEqual([whole, whole]);
  expect(await scanned(limitedKey)).toEqual([limited, ['unknown']]);
});
