import { Resolver } from "node:dns/promises";

/** What says that nobody there knows it, where others are what may pass. */
const missing = ["ENODATA", "ENOTFOUND"];

/**
 * Addresses of the name servers that a domain says are its own.
 *
 * @returns nothing where nobody says so
 */
export async function authoritiesOf(domain: string, resolver = new Resolver()): Promise<string[]> {
    try {
        const names = await resolver.resolveNs(domain);
        return (await Promise.all(names.map((name) => resolver.resolve4(name)))).flat();
    } catch (error) {
        if ([...missing, "EREFUSED"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
        throw error;
    }
}

/** Whether a name server has an address of a name. @returns `undefined` when it does not answer */
export async function has(server: string, name: string): Promise<boolean | undefined> {
    const resolver = new Resolver({ timeout: 2000, tries: 2 });
    resolver.setServers([server]);
    try {
        return (await resolver.resolve4(name)).length > 0;
    } catch (error) {
        return missing.includes((error as NodeJS.ErrnoException).code ?? "") ? false : undefined;
    }
}
