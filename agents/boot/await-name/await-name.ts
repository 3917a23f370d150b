import { Resolver } from "node:dns/promises";
import { describeError } from "../../../clients/kubernetes/api-error";
import { type Patience, type WaitOptions, waitFor } from "../../harness/wait";

/** How often in a row nobody may answer: a network that lets no one ask them keeps no node. */
const mostInVain = 5;

interface Asked {
    /** Name that is waited for. */
    readonly name: string;
    /** Domain that it is in, which is there. */
    readonly domain: string;
}

/** Who is asked: the domain's own name servers, as addresses. */
interface Authorities {
    readonly of: (domain: string) => Promise<readonly string[]>;
    readonly have: (server: string, name: string) => Promise<boolean | undefined>;
}

/**
 * Waits until a name is there, and tells how that was seen.
 *
 * The domain's own name servers are asked. A resolver in between would remember for as long as the domain says that there is no
 * such name, for every machine that asks it.
 *
 * @throws Timeout
 */
export async function awaitName(
    { name, domain }: Asked,
    patience: Patience,
    authorities: Authorities = { of: authoritiesOf, have: has },
    often: WaitOptions = { everyMilliseconds: 1000, slowTo: 5000 },
): Promise<string> {
    let inVain = 0;
    let told = "";
    const cannotBeAsked = (why: string) => {
        inVain += 1;
        told = `${why}: ${name} is asked for without knowing whether it is there`;
        return inVain >= mostInVain ? undefined : why;
    };
    const look = async () => {
        let servers: readonly string[];
        try {
            servers = await authorities.of(domain);
        } catch (error) {
            return cannotBeAsked(`the name servers of ${domain} are not found: ${describeError(error)}`);
        }
        if (servers.length === 0) {
            told = `nobody says who serves ${domain}: ${name} is asked for without knowing whether it is there`;
            return undefined;
        }
        const answers = await Promise.all(servers.map((server) => authorities.have(server, name)));
        const without = servers.find((_, index) => answers[index] === false);
        if (without === undefined && !answers.includes(true)) {
            return cannotBeAsked(`no name server of ${domain} answers (${servers.join(", ")})`);
        }
        inVain = 0;
        told = `${name} is there`;
        return without === undefined ? undefined : `${without} does not have it`;
    };
    await waitFor(patience, `${name} to be there`, look, often);
    return told;
}

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
