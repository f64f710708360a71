/**
 * Texts of all forms, with what each says about the example index: versions in order, then after a bar the parts without a version
 * as `line:reason`, with `?` and the version that a part may mean. `+n` counts packages of documents that are not in the index.
 */
export const texts: readonly (readonly [form: string, text: string, items: string])[] = [
  // Lists.
  ['a name and a version', 'svc 2025.1', 'svc@2025.1'],
  ['a title', 'Server 2025.1', 'svc@2025.1'],
  ['a title in small letters', 'edge node 2.0.1', 'edge-node@2.0.1'],
  ['a title with brackets', 'Server control CLI (svcctl) 1.20', 'svcctl@1.20'],
  ['an alias', 'Example Enterprise 2025.1', 'svc@2025.1'],
  ['an equals sign', 'svc=2025.1', 'svc@2025.1'],
  ['two equals signs with blanks', 'svc == 2025.1', 'svc@2025.1'],
  ['an at sign', 'svc@2025.1', 'svc@2025.1'],
  ['a colon', 'svc: 2025.1\nedge-node:2.0.1', 'svc@2025.1 edge-node@2.0.1'],
  ['a dash', 'svc-2025.1\nedge-node-2.0.1', 'svc@2025.1 edge-node@2.0.1'],
  ['a v', 'svc v2025.1', 'svc@2025.1'],
  ['a leading zero', 'svc 2025.01', 'svc@2025.1'],
  ['a third group', 'svc 2025.1.0', 'svc@2025.1'],
  ['several on a line', 'svc 2025.2 edge-node 1.1.0', 'svc@2025.2 edge-node@1.1.0'],
  [
    'a comma between',
    'svc 2025.2, edge-node 1.1.0; svcctl 1.20',
    'svc@2025.2 edge-node@1.1.0 svcctl@1.20',
  ],
  ['a sentence', 'I run Server 2025.2 and edge node 1.1.0', 'svc@2025.2 edge-node@1.1.0'],
  [
    'comments',
    '# in use\nsvc 2025.1 # the server\nedge-node 2.0.1 // at the edge\n',
    'svc@2025.1 edge-node@2.0.1',
  ],
  [
    'bullets',
    '- svc 2025.1\n* edge-node 2.0.1\n1. svcctl 1.20',
    'svc@2025.1 edge-node@2.0.1 svcctl@1.20',
  ],
  ['the line ends of Windows', 'svc 2025.1\r\nedge-node 2.0.1\r\n', 'svc@2025.1 edge-node@2.0.1'],
  ['CSV', 'svc,2025.1\nedge-node,2.0.1', 'svc@2025.1 edge-node@2.0.1'],
  [
    'CSV with headings',
    'component,version,owner\nsvc,2025.1,ops\nedge-node,2.0.1,web',
    'svc@2025.1 edge-node@2.0.1',
  ],
  ['CSV with other columns', 'owner;version;name\nops;2025.1;svc', 'svc@2025.1'],
  ['CSV with quotes', '"name","version"\n"Server","2025.1"', 'svc@2025.1'],
  ['CSV with a day', 'svc,2025.1,2026-01-31', 'svc@2025.1'],
  ['tabs', 'svc\t2025.1', 'svc@2025.1'],
  ['a table of package URLs', 'id,purl\n1,pkg:generic/svc@2025.1', 'svc@2025.1'],
  [
    'Markdown',
    '| Component | Version |\n| --- | --- |\n| Server | 2025.1 |\n| `edge-node` | **2.0.1** |',
    'svc@2025.1 edge-node@2.0.1',
  ],
  ['Markdown with links', '- [Server](https://example.com/): 2025.1', 'svc@2025.1'],
  ['JSON by name', '{"svc": "2025.1", "edge-node": "2.0.1"}', 'svc@2025.1 edge-node@2.0.1'],
  ['JSON of texts', '["svc@2025.1", "edge-node 2.0.1"]', 'svc@2025.1 edge-node@2.0.1'],
  ['JSON of objects', '[{"name": "svc", "version": "2025.1"}]', 'svc@2025.1'],
  [
    'package URLs',
    'pkg:generic/svc@2025.1\npkg:npm/%40example/edge-node@2.0.1',
    'svc@2025.1 edge-node@2.0.1',
  ],
  [
    'package URLs on a line',
    'pkg:generic/svc@2025.1, pkg:docker/example/svcctl@1.20',
    'svc@2025.1 svcctl@1.20',
  ],
  ['the same twice', 'svc 2025.1\nServer 2025.1', 'svc@2025.1'],
  ['a decimal comma', 'server 2025,1', 'svc@2025.1'],

  // What a list does not say.
  ['an unknown name', 'svc 2025.1\nredis 7.2', 'svc@2025.1 | 2:not-ours'],
  ['a name that resembles others', 'node 20.1.0', '| 1:guess?build-cache-node@20.1'],
  ['a typing mistake', 'severr 2025.1', '| 1:guess?svc@2025.1'],
  ['a second version', 'svc 2025.1, 2025.2', 'svc@2025.1 | 1:guess?svc@2025.2'],
  ['a variable', 'SVC_VERSION=2025.2', '| 1:guess?svc@2025.2'],
  ['a name alone', 'svc\nedge-node 2.0.1', 'edge-node@2.0.1 | 1:no-version'],
  ['a name alone in a line', 'svc, edge-node 2.0.1', 'edge-node@2.0.1 | 1:no-version'],
  ['a moving tag', 'svc latest\nsvcctl:main', '| 1:no-version 2:no-version'],
  ['a version alone', '2025.1', '| 1:not-understood'],
  ['an address', 'https://example.com/', '| 1:not-understood'],
  ['a broken package URL', 'pkg:npm/@1', '| 1:not-understood'],
  ['a range', 'svc >=2025.2 <2026.1', '| 1:no-version?svc@2025.2'],
  ['a caret', 'edge-node ^2.0.0', '| 1:no-version?edge-node@2.0.0'],
  ['two versions', 'svc 2025.1 to 2026.3', '| 1:no-version?svc@2025.1'],
  ['a range of Maven', 'build-agent [4.0,5.0)', '| 1:no-version?build-agent@4.0'],
  ['a long line', `svc ${'x'.repeat(1100)} 2025.1\nsvcctl 1.20`, 'svcctl@1.20 | 1:not-understood'],

  // Files of npm, pnpm and Yarn.
  [
    'package.json',
    '{"dependencies": {"@example/edge-node": "2.0.1", "left-pad": "^1.3.0"}}',
    'edge-node@2.0.1 +1',
  ],
  [
    'package.json with a range',
    '{"devDependencies": {"@example/edge-node": "^2.0.1"}}',
    '| 1:no-version?edge-node@2.0.1',
  ],
  [
    'package.json with another name',
    '{"dependencies": {"edge": "npm:@example/edge-node@2.0.1"}}',
    'edge-node@2.0.1',
  ],
  ['a line of package.json', '    "@example/edge-node": "2.0.1",', 'edge-node@2.0.1'],
  [
    'package-lock.json',
    '{"lockfileVersion": 3, "packages": {"": {"dependencies": {"@example/edge-node": "^2.0.0"}}, "node_modules/@example/edge-node": {"version": "2.0.1"}, "node_modules/deep": {"version": "1.0.0"}}}',
    'edge-node@2.0.1',
  ],
  [
    'package-lock.json of a workspace',
    '{"lockfileVersion": 3, "packages": {"": {"workspaces": ["web"]}, "web": {"dependencies": {"@example/edge-node": "^2.0.0"}}, "node_modules/@example/edge-node": {"version": "2.0.2"}, "web/node_modules/@example/edge-node": {"version": "2.0.1"}}}',
    'edge-node@2.0.1',
  ],
  [
    'package-lock.json, version 1',
    '{"lockfileVersion": 1, "dependencies": {"@example/edge-node": {"version": "2.0.1"}, "left-pad": {"version": "1.3.0"}}}',
    'edge-node@2.0.1 +1',
  ],
  [
    'pnpm-lock.yaml',
    "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      '@example/edge-node':\n        specifier: ^2.0.0\n        version: 2.0.1(left-pad@1.3.0)\npackages:\n  '@example/edge-node@2.0.1':\n    resolution: {integrity: sha512-AAAA}\n  left-pad@1.3.0:\n    resolution: {integrity: sha512-AAAA}\n",
    'edge-node@2.0.1',
  ],
  [
    'pnpm-lock.yaml, version 5',
    "lockfileVersion: 5.4\nspecifiers:\n  '@example/edge-node': ^2.0.0\ndependencies:\n  '@example/edge-node': 2.0.1\n",
    'edge-node@2.0.1',
  ],
  [
    'yarn.lock, version 1',
    '# yarn lockfile v1\n\n"@example/edge-node@^2.0.0", "@example/edge-node@^2.0.1":\n  version "2.0.1"\n  resolved "https://registry.example.com/x"\n  dependencies:\n    left-pad "^1.3.0"\n\nleft-pad@^1.3.0:\n  version "1.3.0"\n',
    'edge-node@2.0.1 +1',
  ],
  [
    'yarn.lock',
    '__metadata:\n  version: 8\n\n"@example/edge-node@npm:^2.0.0":\n  version: 2.0.1\n  resolution: "@example/edge-node@npm:2.0.1"\n  dependencies:\n    left-pad: "npm:^1.3.0"\n\n"left-pad@npm:^1.3.0":\n  version: 1.3.0\n\n"app@workspace:.":\n  version: 0.0.0-use.local\n  dependencies:\n    "@example/edge-node": "npm:^2.0.0"\n',
    'edge-node@2.0.1',
  ],

  // Files of Python, Docker, Helm, Maven and Gradle.
  ['requirements.txt', 'requests[socks]==2.31.0 ; python_version >= "3.8"\nurllib3>=1,<3\n', '+2'],
  [
    'Dockerfile',
    'FROM example/build-cache-node:21.2 AS cache\nRUN make\nFROM scratch\nCOPY --from=example/svcctl:1.20 /bin /bin',
    'build-cache-node@21.2 svcctl@1.20 | 2:no-version 3:no-version',
  ],
  [
    'Dockerfile with an argument',
    'ARG TAG=1.20\nFROM --platform=linux/amd64 docker.io/example/svcctl:${TAG}',
    'svcctl@1.20 | 1:not-ours',
  ],
  ['an image', 'registry.example.com:5000/example/svcctl:1.20', 'svcctl@1.20'],
  ['an image with a digest', `example/svcctl:1.20@sha256:${'0'.repeat(64)}`, 'svcctl@1.20'],
  [
    'compose',
    'services:\n  cache:\n    image: "example/build-cache-node:21.2"',
    'build-cache-node@21.2 | 1:no-version 2:no-version',
  ],
  [
    'Chart.yaml',
    'apiVersion: v2\nname: shop\nversion: 1.0.0\ndependencies:\n  - name: server\n    version: 2025.1.0\n    repository: https://charts.example.com\n  - name: redis\n    version: ^7.2\n',
    'svc@2025.1 +1',
  ],
  [
    'pom.xml',
    '<project>\n<properties><agent.version>4.0</agent.version></properties>\n<dependencies>\n<!-- <dependency><groupId>a</groupId><artifactId>b</artifactId></dependency> -->\n<dependency>\n<groupId>com.example</groupId>\n<artifactId>build-agent</artifactId>\n<version>${agent.version}</version>\n</dependency>\n<dependency><groupId>org.example</groupId><artifactId>other</artifactId><version>1.0</version></dependency>\n</dependencies>\n</project>',
    'build-agent@4.0 +1',
  ],
  [
    'a part of a pom.xml',
    '<dependency><groupId>com.example</groupId><artifactId>build-agent</artifactId><version>4.0</version></dependency>',
    'build-agent@4.0',
  ],
  [
    'Gradle',
    'plugins {\n    id("com.example.build-agent") version "4.0"\n}\ndependencies {\n    implementation("com.example:build-agent:3.10")\n    implementation group: \'com.example\', name: \'build-agent\', version: \'3.9\'\n}',
    'build-agent@4.0 build-agent@3.10 build-agent@3.9 | 1:no-version 4:no-version',
  ],
  [
    'a catalogue of Gradle',
    '[libraries]\nagent = { module = "com.example:build-agent", version = "4.0" }',
    'build-agent@4.0 | 1:no-version',
  ],
  [
    'gradle.lockfile',
    '# This is a Gradle generated file\ncom.example:build-agent:4.0=compileClasspath,runtimeClasspath\norg.example:other:1.0=compileClasspath',
    'build-agent@4.0 | 3:not-ours',
  ],
  ['coordinates', 'com.example:build-agent:4.0', 'build-agent@4.0'],
  [
    'a comment for Renovate',
    '# renovate: datasource=custom.examplocity depName=svc\nARG SVC_VERSION=2025.2',
    'svc@2025.2',
  ],
  [
    'a comment for Renovate in YAML',
    'env:\n  # renovate: datasource=docker depName=example/svcctl\n  TOOL: "1.20"',
    'svcctl@1.20 | 1:no-version',
  ],

  // Bills of materials.
  [
    'CycloneDX',
    '{"bomFormat": "CycloneDX", "specVersion": "1.6", "components": [{"name": "x", "purl": "pkg:npm/%40example/edge-node@2.0.1"}, {"name": "left-pad", "version": "1.3.0"}]}',
    'edge-node@2.0.1 +1',
  ],
  [
    'SPDX',
    '{"spdxVersion": "SPDX-2.3", "packages": [{"name": "svc", "versionInfo": "2025.1"}, {"name": "left-pad", "versionInfo": "1.3.0"}]}',
    'svc@2025.1 +1',
  ],
];
