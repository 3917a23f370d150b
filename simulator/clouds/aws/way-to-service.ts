import { overlaps } from "../../../machines";
import type { Api, Asker } from "../services/service";
import type { Account, Instance } from "./account";
import { rulesAt } from "./admission";
import { instanceOf } from "./services/metadata";
import { reachesInternet } from "./ways-out";

/**
 * Restricts an API to callers with a network path to it. On AWS other callers get no response; here they get an error
 * at once.
 */
export function reached({ hosts, answer }: Api<Account>): Api<Account> {
    return {
        hosts,
        answer(account, asked, who) {
            const why = noWayTo(account, asked.host, who);
            return why === undefined ? answer(account, asked, who) : { status: 504, body: `${why}\n` };
        },
    };
}

/**
 * Why the caller cannot reach a service by its name; `undefined` if it can. A caller that is not an instance is
 * somewhere on the internet.
 *
 * Source: "Access an AWS service using an interface VPC endpoint": with private DNS the name resolves to the endpoint
 * in the whole VPC, regardless of its zones, and its security groups admit callers by address and group.
 */
export function noWayTo(account: Account, host: string, asker: Asker): string | undefined {
    const id = instanceOf(account, asker);
    if (id === undefined) return undefined;
    const instance = account.find("instances", id);
    const named = account.all("endpoints").find((each) => {
        const name = `${each.service}.${account.state.region}.amazonaws.com`;
        return each.vpc === instance.vpc && each.hasPrivateDns && name === host;
    });
    if (named) return letsIn(account, named.groups, instance) ? undefined : `${named.name} does not admit ${id}`;
    return reachesInternet(account, instance.subnet)
        ? undefined
        : `there is no route from ${instance.subnet} to ${host}`;
}

function letsIn({ resources }: Account, endpoint: readonly string[], { address, groups }: Instance): boolean {
    return rulesAt(resources, endpoint, 443).some(({ peer, cidr = "" }) =>
        peer ? groups.includes(peer) : !cidr.includes(":") && overlaps(`${address}/32`, cidr),
    );
}
