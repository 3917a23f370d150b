import type { StackConfig } from "../../../local/stack-config";
import type { Account } from "../account/account";

/** What the command has to know of a cloud. */
export interface VerifiedCloud {
    /** Environment variables with credentials. */
    readonly credentials: string;
    /** Where a configuration has the region, and otherwise the environment. @default a key of Tradewind's own */
    readonly region?: { readonly key: string; readonly variable: string };
    /** Keys of Pulumi's provider that would select another account than the environment does. */
    readonly accountKeys: RegExp;
    /** @throws Error without credentials, or if the account cannot be identified */
    readonly account: (cluster: string, region: string | undefined, env: NodeJS.ProcessEnv) => Promise<Account>;
    /** Keys and settings of the worker pool with which `up` replaces the only worker after a change of its boot. */
    readonly replacing: (pool: Pool, node: string) => { readonly keys?: StackConfig; readonly pool?: Pool };
    readonly questions: readonly Question[];
    readonly prices: Prices;
    /** Resource types with a fixed price. */
    readonly priced: Readonly<Record<string, Priced>>;
    /** Resource types that are free or priced by usage only; the DNS zone existed before. */
    readonly free: readonly string[];
}

/** A worker pool of a configuration. */
export type Pool = Readonly<Record<string, unknown>>;

/** What only a real account can answer. */
export interface Question {
    readonly question: string;
    /** The step whose success is a yes. @default none: only by hand */
    readonly step?: string;
    /** Whether that step tries it with this configuration. @default always */
    readonly isTried?: (config: StackConfig) => boolean;
    /** What tries it. @default nothing has to be set */
    readonly how?: string;
}

/** Monthly prices in US dollars. */
export interface Prices {
    /** By machine type or size. */
    readonly machines: Readonly<Record<string, number>>;
    /** One gigabyte of a volume. */
    readonly storage: number;
    readonly publicAddress: number;
    readonly natGateway: number;
    readonly loadBalancer: number;
    /** An interface endpoint in one zone. */
    readonly endpoint: number;
    readonly hostedZone: number;
}

export type Counts = Readonly<Record<string, number>>;

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

/** A resource in a stack's state. */
export interface Resource {
    readonly urn: string;
    readonly type: string;
    readonly id?: string;
    // biome-ignore lint/suspicious/noExplicitAny: each type of resource has its own.
    readonly inputs?: Record<string, any>;
}

export type Priced = (resource: Resource, all: readonly Resource[]) => Partial<Bill>;

/** Hours in a month, as in the clouds' calculators. */
export const monthlyHours = 730;
