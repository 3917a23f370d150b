import type { CloudName } from "../../../cluster/clouds";
import { type Prices, prices } from "./prices";

type Counts = Readonly<Record<string, number>>;

/** The priced parts of a cluster. */
export interface Bill {
    /** Number of machines of each type. */
    readonly controllers: Counts;
    readonly workers: Counts;
    /** Size of volumes in gigabytes. */
    readonly storage: number;
    readonly publicAddresses: number;
    readonly natGateways: number;
    readonly loadBalancers: number;
    /** Interface endpoints, counted once per zone. */
    readonly endpoints: number;
    readonly hostedZones: number;
}

/** Monthly price in US dollars. @throws for a machine type without a price */
export function monthlyCost(cloud: CloudName, bill: Bill): number {
    const price: Prices = prices[cloud];
    const machines = [...Object.entries(bill.controllers), ...Object.entries(bill.workers)].map(([type, count]) => {
        const each = price.machines[type];
        if (each === undefined) throw new Error(`cli/verify-cloud/cost/prices.ts has no price for ${type}`);
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
