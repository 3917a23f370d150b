import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

export interface Vpc {
    readonly name: string;
    readonly region: string;
    readonly ipRange: string;
}

export interface Droplet {
    readonly name: string;
    readonly region: string;
    readonly vpc: string;
    readonly address: string;
    readonly tags: readonly string[];
}

export interface LoadBalancer {
    readonly name: string;
    readonly vpc: string;
    readonly address: string;
    readonly droplets: readonly number[];
}

export interface FirewallRule {
    readonly protocol: string;
    readonly portRange?: string;
    readonly sourceAddresses?: readonly string[];
    readonly sourceTags?: readonly string[];
    readonly sourceLoadBalancerUids?: readonly string[];
}

export interface Firewall {
    readonly name: string;
    readonly tags: readonly string[];
    readonly inboundRules: readonly FirewallRule[];
}

export interface DnsRecord {
    readonly domain: string;
    readonly name: string;
    readonly value: string;
}

/** What stacks made, by id. */
export interface Resources {
    readonly vpcs: Record<string, Vpc>;
    readonly tags: Record<string, { readonly name: string }>;
    readonly droplets: Record<string, Droplet>;
    readonly loadBalancers: Record<string, LoadBalancer>;
    readonly firewalls: Record<string, Firewall>;
    readonly dnsRecords: Record<string, DnsRecord>;
}

/** A simulated account: a file, so that it outlives the plugin and a test can look at it. */
export interface AccountState {
    /** Domains that its DNS serves. */
    readonly domains: readonly string[];
    /** Ids of custom images, and how each takes its configuration. */
    readonly images: Readonly<Record<string, "ignition" | "cloud-init">>;
    /** Ids of SSH keys. */
    readonly sshKeys: readonly string[];
    readonly resources: Resources;
}

const nothing = (): Resources => ({
    vpcs: {},
    tags: {},
    droplets: {},
    loadBalancers: {},
    firewalls: {},
    dnsRecords: {},
});

export class Account {
    constructor(private readonly path: string) {}

    /** Makes the file of an account in which nothing is but what its owner brought. */
    static open(path: string, owned: Omit<AccountState, "resources">): Account {
        const account = new Account(path);
        account.#write({ ...owned, resources: nothing() });
        return account;
    }

    get state(): AccountState {
        return JSON.parse(readFileSync(this.path, "utf8"));
    }

    get resources(): Resources {
        return this.state.resources;
    }

    /** Everything that stacks made, as `<kind> <name>`. */
    get left(): string[] {
        return Object.entries(this.resources).flatMap(([kind, all]) =>
            Object.values<{ name: string }>(all).map(({ name }) => `${kind} ${name}`),
        );
    }

    /** Adds a resource under an id, or replaces the one that is there. Nothing else runs in between. */
    put<K extends keyof Resources>(kind: K, id: string, resource: Resources[K][string]): void {
        const { resources, ...rest } = this.state;
        this.#write({ ...rest, resources: { ...resources, [kind]: { ...resources[kind], [id]: resource } } });
    }

    remove(kind: keyof Resources, id: string): void {
        const { resources, ...rest } = this.state;
        const { [id]: _, ...others } = resources[kind] as Record<string, unknown>;
        this.#write({ ...rest, resources: { ...resources, [kind]: others } });
    }

    /** An id as the service gives them: a number for droplets and DNS records, else a UUID. */
    newId(kind: keyof Resources): string {
        const isNumber = kind === "droplets" || kind === "dnsRecords";
        return isNumber ? String(400_000_000 + Math.floor(Math.random() * 1e8)) : randomUUID();
    }

    #write(state: AccountState): void {
        mkdirSync(dirname(this.path), { recursive: true });
        writeFileSync(`${this.path}.new`, `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600 });
        renameSync(`${this.path}.new`, this.path);
    }
}
