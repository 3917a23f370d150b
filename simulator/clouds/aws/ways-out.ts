import type { Account } from "./account";

/** Whether a subnet has a route to the internet, through a gateway that works. */
export function reachesInternet(account: Account, subnetId: string): boolean {
    return gatewayOf(account, subnetId) !== undefined;
}

/** The gateway of a subnet's IPv4 traffic to the internet. @default none, or it is in a zone that is down */
export function gatewayOf(account: Account, subnetId: string): string | undefined {
    const { region, lostZones = [], resources } = account.state;
    const table = tableOf(account, subnetId);
    const gateway = Object.values(resources.routes).find((each) => each.table === table && !each.isIpv6)?.gateway;
    const nat = resources.natGateways[gateway ?? ""];
    const zone = nat && resources.subnets[nat.subnet]?.zone;
    return lostZones.some((letter) => zone === `${region}${letter}`) ? undefined : gateway;
}

/** Whether a subnet has a route to S3, by an endpoint or through the internet. */
export function reachesS3(account: Account, subnetId: string): boolean {
    const table = tableOf(account, subnetId);
    const endpoints = account.all("endpoints").filter(({ service }) => service === "s3");
    const isNear = endpoints.some(({ tables }) => table !== undefined && tables.includes(table));
    return isNear || reachesInternet(account, subnetId);
}

function tableOf(account: Account, subnetId: string): string | undefined {
    return account.all("associations").find(({ subnet }) => subnet === subnetId)?.table;
}
