import type { CloudName } from "../../../cluster/clouds";
import { verified } from "../clouds";
import type { Bill, Counts } from "../clouds/facts";

/** Monthly price in US dollars. @throws for a machine type without a price */
export function monthlyCost(cloud: CloudName, bill: Bill): number {
    const { prices: price } = verified[cloud];
    const machines = [...Object.entries(bill.controllers), ...Object.entries(bill.workers)].map(([type, count]) => {
        const each = price.machines[type];
        if (each === undefined) throw new Error(`cli/verify-cloud/clouds/${cloud}.ts has no price for ${type}`);
        return each * count;
    });
    const others = [
        bill.storage * price.storage,
        bill.publicAddresses * price.publicAddress,
        bill.natGateways * price.natGateway,
        bill.loadBalancers * price.loadBalancer,
        bill.endpoints * price.endpoint,
        bill.hostedZones * price.hostedZone,
    ];
    return [...machines, ...others].reduce((sum, each) => sum + each, 0);
}

/** Number of machines of all types. */
export function count(machines: Counts): number {
    return Object.values(machines).reduce((sum, each) => sum + each, 0);
}

/** Adds up several bills. */
export function sum(bills: readonly Partial<Bill>[]): Bill {
    const of = (key: Exclude<keyof Bill, "controllers" | "workers">) =>
        bills.reduce((total, bill) => total + (bill[key] ?? 0), 0);
    return {
        controllers: sumCounts(bills.map(({ controllers = {} }) => controllers)),
        workers: sumCounts(bills.map(({ workers = {} }) => workers)),
        storage: of("storage"),
        publicAddresses: of("publicAddresses"),
        natGateways: of("natGateways"),
        loadBalancers: of("loadBalancers"),
        endpoints: of("endpoints"),
        hostedZones: of("hostedZones"),
    };
}

function sumCounts(all: readonly Counts[]): Counts {
    const total: Record<string, number> = {};
    for (const [type, each] of all.flatMap((counts) => Object.entries(counts))) total[type] = (total[type] ?? 0) + each;
    return total;
}
