import dns from "node:dns";
import { setTimeout as sleep } from "node:timers/promises";

/** Codes of the resolver for a name that has no name servers. Others may be due to this machine's network. */
const missing = ["ENODATA", "ENOTFOUND"];

/** A preview does not wait longer for a resolver that does not answer. */
const patienceMilliseconds = 4_000;

/** Name servers that the public DNS has for a domain. @returns undefined if it could not be looked up */
export async function nameServersOf(domain: string): Promise<readonly string[] | undefined> {
    const patience = new AbortController();
    try {
        const late = sleep(patienceMilliseconds, undefined, { signal: patience.signal }).catch(() => undefined);
        return await Promise.race([dns.promises.resolveNs(domain), late]);
    } catch (error) {
        return missing.includes((error as NodeJS.ErrnoException).code ?? "") ? [] : undefined;
    } finally {
        patience.abort();
    }
}

/** Where a domain's names are managed. */
interface ZoneOfCloud {
    /** `DigitalOcean`, or `the hosted zone Z1 of Route 53`. */
    readonly title: string;
    readonly nameServers: readonly string[];
}

/** Why machines would not find names in a domain of the account. */
export function delegationProblem(
    domain: string,
    { title, nameServers }: ZoneOfCloud,
    found: readonly string[] | undefined,
): string | undefined {
    const plain = (name: string) => name.toLowerCase().replace(/\.$/, "");
    const own = nameServers.map(plain);
    if (own.length === 0 || (found?.some((each) => own.includes(plain(each))) ?? true)) return undefined;
    const now = found!.length > 0 ? `its name servers are ${[...found!].sort().join(", ")}` : "it has no name servers";
    return `domain ${domain} is not delegated to ${title}, so machines will not find the API's name: ${now}. Set ${own.join(", ")} at its registrar, or as NS records in its parent zone`;
}
