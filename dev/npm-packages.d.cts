/** By path in package-lock.json. */
export type Packages = Readonly<Record<string, { readonly version?: string; readonly optional?: boolean }>>;

/** Runs `npm ci` unless `node_modules` is what package-lock.json says. */
export function ensureNpmPackages(root?: string): Promise<void>;

/** True if every package that the lock wants is installed in that version. */
export function matches(wanted: Packages, present: Packages): boolean;
