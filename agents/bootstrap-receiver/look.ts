import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { ApiClient } from "../common/api-client";
import { ApiError } from "../common/api-error";

const timeoutMilliseconds = 3_000;

/**
 * Whether an API answers, be it that it refuses us: who else could show a certificate of the CA for its name?
 *
 * Every address of the name is asked: where it leads to controllers themselves, one is this machine's own, at which a
 * receiver answers, and which a resolver may put first for ever.
 */
export async function hasCluster(apiServer: string, ca: string, addressesOf = lookUp): Promise<boolean> {
    const { hostname, port } = new URL(apiServer);
    const addresses = await addressesOf(hostname).catch(() => []);
    const servername = isIP(hostname) ? undefined : hostname;
    const isApi = async (address: string) => {
        const url = `https://${isIP(address) === 6 ? `[${address}]` : address}:${port}`;
        try {
            await new ApiClient(url, () => ({ ca, servername })).call("/readyz", {
                isFresh: true,
                timeoutMilliseconds,
            });
            return true;
        } catch (error) {
            return error instanceof ApiError;
        }
    };
    return (await Promise.all(addresses.map(isApi))).includes(true);
}

async function lookUp(name: string): Promise<string[]> {
    return (await lookup(name, { all: true })).map(({ address }) => address);
}
