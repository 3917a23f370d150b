/** By path in package-lock.json. */
export type Packages = Readonly<Record<string, { readonly version?: string; readonly optional?: boolean }>>;

/** Runs `npm ci` unless `node_modules` matches package-lock.json. */
export function ensureNpmPackages(root?: string): Promise<void>;

/** Whether every package in the lock file is installed in that version. */
export function matches(desired: Packages, present: Packages): boolean;
