import { expect, test } from 'vitest';
import { openSiteApi, openRuns } from '../harness/api.ts';

const ask = openSiteApi(openRuns([]));

function post(version: string, header: string, body: object): Promise<Response> {
  return ask('/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': header,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...body }),
  });
}

const subscribe = 'subscriptions/listen';
const notFound = '"code":-32601,"message":"Method not found"';

test.each([
  ['tools/list', 200, '"name":"check_versions"'],
  ['ping', 200, '"result":{}'],
  ['resources/list', 200, notFound],
  [subscribe, 200, notFound],
])(
  'in MCP protocols before 2026, /mcp ignores the Mcp-Method header of a %s request',
  async (...row) => {
    const [method, status, said] = row;
    for (const header of [subscribe, 'SUBSCRIPTIONS/LISTEN', 'x', method]) {
      const response = await post('2025-06-18', header, { id: 1, method });
      expect(response.status, header).toBe(status);
      expect(await response.text(), header).toContain(said);
    }
  },
);

test('/mcp does not answer a notification, whatever its Mcp-Method header says', async () => {
  const response = await post('2025-06-18', subscribe, { method: 'notifications/initialized' });

  expect([response.status, await response.text()]).toEqual([202, '']);
});

test.each([
  [subscribe, subscribe, 404, notFound],
  ['tools/list', subscribe, 400, 'Bad Request'],
])(
  'in protocol 2026, /mcp rejects the method %s with the Mcp-Method header %s',
  async (method, header, status, said) => {
    const about = 'io.modelcontextprotocol/';
    const version = '2026-07-28';
    const _meta = {
      [`${about}protocolVersion`]: version,
      [`${about}clientInfo`]: { name: 'test', version: '1' },
      [`${about}clientCapabilities`]: {},
    };
    const response = await post(version, header, { id: 1, method, params: { _meta } });

    expect(response.status).toBe(status);
    expect(await response.text()).toContain(said);
  },
);
