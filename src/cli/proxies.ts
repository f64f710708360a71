import { UsageError } from '../core/errors.ts';
import { createProxyOptions } from '../core/proxies.ts';

/**
 * Sends requests of `fetch` through the proxies of the environment, like all other clients that we use. Node has a function for this only
 * since 24.14. A proxy without a scheme speaks http, like in curl. Throws a `UsageError` if a value is not an address.
 */
export async function useProxies(env: NodeJS.ProcessEnv): Promise<void> {
  const names = Object.keys(env).filter((name) => /^https?_proxy$/i.test(name) && env[name]);
  for (const name of names) {
    // Programs that we start read the proxy from there, too.
    env[name] = readProxy(name, env[name]!.trim());
  }

  if (names.length > 0) {
    // Loading undici takes as long as the answer to a small question.
    const { EnvHttpProxyAgent, Pool, setGlobalDispatcher } = await import('undici');
    setGlobalDispatcher(new EnvHttpProxyAgent(createProxyOptions(Pool)));
  }
}

function readProxy(name: string, text: string): string {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!/^(?:https?|socks5?):$/.test(URL.parse(address)?.protocol ?? '')) {
    // The message does not quote the value, which may have a password.
    throw new UsageError(
      `${name}: expected the address of a proxy, such as http://proxy.example.com:3128`,
    );
  }
  return address;
}
