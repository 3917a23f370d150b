import { randomUUID } from "node:crypto";
import { AccountFile, type Resources as ResourcesOf } from "../shared/account";

export interface Vpc {
    readonly name: string;
    readonly region: string;
    readonly ipRange: string;
    /** Whether it is its region's default, as the first one there is. @default false */
    readonly isDefault?: boolean;
    /** How many addresses it gave: one that comes back is not given again at once. @default 0 */
    readonly given?: number;
}

/** What may be in a project. */
interface Assigned {
    /** Its id. @default the default project */
    readonly project?: string;
}

export interface Droplet extends Assigned {
    readonly name: string;
    readonly region: string;
    readonly vpc: string;
    /** In its VPC. */
    readonly address: string;
    readonly publicAddress?: string;
    /** @default it is from before sizes were kept */
    readonly size?: string;
    /** An entry alone: no machine has it. @default it has none */
    readonly ipv6Address?: string;
    readonly tags: readonly string[];
    readonly userData?: string;
    /** Ids of the volumes that are attached to it. @default none */
    readonly volumes?: readonly string[];
}

export interface Volume extends Assigned {
    readonly name: string;
    readonly region: string;
    /** Unit: GiB. */
    readonly size: number;
    /** @default none */
    readonly tags?: readonly string[];
    /** The machines' network in which it was attached first, which is where its data are. */
    readonly network?: string;
}

export interface LoadBalancer extends Assigned {
    readonly name: string;
    readonly vpc: string;
    readonly address: string;
    readonly droplets: readonly number[];
    /** Of droplets that it knows by it. */
    readonly tag?: string;
    readonly ports: readonly { readonly port: number; readonly targetPort: number }[];
    /** What is asked by HTTP. */
    readonly check?: { readonly port: number; readonly path: string };
    /** IPv4 blocks and addresses. @default everybody */
    readonly allowed?: readonly string[];
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

/** A bucket of Spaces. */
export interface SpacesBucket extends Assigned {
    readonly name: string;
    readonly region: string;
    /** Whether it goes with what is in it. @default false */
    readonly isForced?: boolean;
}

/** A key of Spaces, for buckets by their names. */
export interface SpacesKey {
    readonly name: string;
    readonly buckets: readonly string[];
    readonly secretKey?: string;
    readonly grants?: readonly { readonly bucket?: string; readonly permission: string }[];
}

/** An object in Spaces; what is in it lies beside the account's file. */
export interface SpacesObject {
    /** `bucket/key` */
    readonly name: string;
    readonly bucket: string;
    readonly key: string;
}

/** What each kind of resource is. */
export interface Kinds {
    readonly vpcs: Vpc;
    readonly tags: { readonly name: string };
    readonly droplets: Droplet;
    readonly volumes: Volume;
    readonly loadBalancers: LoadBalancer;
    readonly firewalls: Firewall;
    readonly dnsRecords: DnsRecord;
    readonly spacesBuckets: SpacesBucket;
    readonly spacesKeys: SpacesKey;
    readonly spacesObjects: SpacesObject;
}

export type Resources = ResourcesOf<Kinds>;

/** What the account's owner brought. */
export interface Owned {
    /** Domains that its DNS serves. */
    readonly domains: readonly string[];
    /** Ids of custom images, and how each takes its configuration. */
    readonly images: Readonly<Record<string, "ignition" | "cloud-init">>;
    /** Ids of SSH keys. */
    readonly sshKeys: readonly string[];
    /** Regions that have a default VPC, since droplets were there before. @default none */
    readonly defaultVpcs?: readonly string[];
    /** Names of projects by their ids. @default none but the default one */
    readonly projects?: Readonly<Record<string, string>>;
}

const nothing = (): Resources => ({
    vpcs: {},
    tags: {},
    droplets: {},
    volumes: {},
    loadBalancers: {},
    firewalls: {},
    dnsRecords: {},
    spacesBuckets: {},
    spacesKeys: {},
    spacesObjects: {},
});

/** A simulated account of DigitalOcean. */
export class Account extends AccountFile<Owned, Kinds> {
    /** Makes the file of an account in which nothing is but what its owner brought. */
    static open(path: string, owned: Owned): Account {
        const account = new Account(path);
        account.write({ ...owned, resources: nothing() });
        return account;
    }

    /** The load balancer of a name. */
    balancer(name: string): LoadBalancer {
        return Object.values(this.resources.loadBalancers).find((each) => each.name === name)!;
    }

    /** Id of the VPC that is a region's default. @default undefined where none was made yet */
    defaultVpc(region: string): string | undefined {
        const { defaultVpcs = [], resources } = this.state;
        const made = Object.entries(resources.vpcs).find(([, each]) => each.region === region && each.isDefault);
        return made?.[0] ?? (defaultVpcs.includes(region) ? `default-${region}` : undefined);
    }

    /** An id as the service gives them: a number for droplets and DNS records, else a UUID. */
    newId(kind: keyof Resources): string {
        const isNumber = kind === "droplets" || kind === "dnsRecords";
        return isNumber ? String(400_000_000 + Math.floor(Math.random() * 1e8)) : randomUUID();
    }
}
