import { Resolver } from "node:dns/promises";
import { describeError } from "../../../clients/kubernetes/api-error";
import { type Patience, type WaitOptions, waitFor } from "../../harness/wait";

/**
 * How many failed lookups in a row are tolerated: a network that blocks DNS to these servers must not hold up a node.
 */
const mostInVain = 5;

interface Asked {
    /** Name to wait for. */
    readonly name: string;
    /** Its domain, which exists. */
    readonly domain: string;
}

/** The domain's own name servers, as addresses. */
interface NameServers {
    readonly of: (domain: string) => Promise<readonly string[]>;
    readonly have: (server: string, name: string) => Promise<boolean | undefined>;
}

/**
 * Waits until a name exists, and returns how that was established.
 *
 * Queries the domain's own name servers. A resolver in between would cache the missing name for as long as the domain
 * says, for every machine that uses it.
 *
 * @throws Timeout
 */
export async function awaitName(
    { name, domain }: Asked,
    patience: Patience,
    nameServers: NameServers = { of: nameServersOf, have: has },
    often: WaitOptions = { everyMilliseconds: 1000, slowTo: 5000 },
): Promise<string> {
    let inVain = 0;
    let logged = "";
    const cannotBeAsked = (why: string) => {
        inVain += 1;
        logged = `${why}: continuing without knowing whether ${name} exists`;
        return inVain >= mostInVain ? undefined : why;
    };
    const observe = async () => {
        let servers: readonly string[];
        try {
            servers = await nameServers.of(domain);
        } catch (error) {
            return cannotBeAsked(`cannot find the name servers of ${domain}: ${describeError(error)}`);
        }
        if (servers.length === 0) {
            logged = `no name server is listed for ${domain}: continuing without knowing whether ${name} exists`;
            return undefined;
        }
        const answers = await Promise.all(servers.map((server) => nameServers.have(server, name)));
        const without = servers.find((_, index) => answers[index] === false);
        if (without === undefined && !answers.includes(true)) {
            return cannotBeAsked(`no name server of ${domain} answers (${servers.join(", ")})`);
        }
        inVain = 0;
        logged = `${name} exists`;
        return without === undefined ? undefined : `${without} does not have it`;
    };
    await waitFor(patience, `${name} to exist`, observe, often);
    return logged;
}

/** Codes that mean the name does not exist. Others may be transient. */
const missing = ["ENODATA", "ENOTFOUND"];

/**
 * Addresses of a domain's own name servers.
 *
 * @returns nothing if the domain lists none
 */
export async function nameServersOf(domain: string, resolver = new Resolver()): Promise<string[]> {
    try {
        const names = await resolver.resolveNs(domain);
        return (await Promise.all(names.map((name) => resolver.resolve4(name)))).flat();
    } catch (error) {
        if ([...missing, "EREFUSED"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
        throw error;
    }
}

/** Whether a name server has an address for a name. @returns `undefined` if it does not answer */
export async function has(server: string, name: string): Promise<boolean | undefined> {
    const resolver = new Resolver({ timeout: 2000, tries: 2 });
    resolver.setServers([server]);
    try {
        return (await resolver.resolve4(name)).length > 0;
    } catch (error) {
        return missing.includes((error as NodeJS.ErrnoException).code ?? "") ? false : undefined;
    }
}
