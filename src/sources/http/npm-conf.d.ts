/** Types of `@pnpm/npm-conf`, which has none. */
declare module '@pnpm/npm-conf' {
  export default function npmConf(): {
    config: {
      snapshot: Record<string, string> & { registry: string };
      /** The defaults of npm. */
      root: Record<string, unknown>;
    };
    warnings: string[];
  };
}
