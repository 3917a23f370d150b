import { randomUUID } from "node:crypto";
import { AccountFile, type Resources as ResourcesOf } from "../shared/account";

export interface Vpc {
    readonly name: string;
    readonly region: string;
    readonly ipRange: string;
    /** Whether it is its region's default, which the first VPC becomes. @default false */
    readonly isDefault?: boolean;
    /** How many addresses it has assigned, as a released one is not reused at once. @default 0 */
    readonly given?: number;
}

/** Resources that can be in a project. */
interface Assigned {
    /** Its id. @default the default project */
    readonly project?: string;
}

export interface Droplet extends Assigned {
    readonly name: string;
    readonly region: string;
    readonly vpc: string;
    /** Its private address in the VPC. */
    readonly address: string;
    readonly publicAddress?: string;
    /** @default created before sizes were recorded */
    readonly size?: string;
    /** Only an entry: machines have no IPv6. @default none */
    readonly ipv6Address?: string;
    readonly tags: readonly string[];
    readonly userData?: string;
    /** Ids of the attached volumes. @default none */
    readonly volumes?: readonly string[];
}

export interface Volume extends Assigned {
    readonly name: string;
    readonly region: string;
    /** Unit: GiB. */
    readonly size: number;
    /** @default none */
    readonly tags?: readonly string[];
    /** The machines' network where it was first attached, which has its data. */
    readonly network?: string;
}

export interface LoadBalancer extends Assigned {
    readonly name: string;
    readonly vpc: string;
    readonly address: string;
    readonly droplets: readonly number[];
    /** Of the droplets that it finds by tag. */
    readonly tag?: string;
    readonly ports: readonly { readonly port: number; readonly targetPort: number }[];
    /** The HTTP health check. */
    readonly check?: { readonly port: number; readonly path: string };
    /** IPv4 blocks and addresses. @default everyone */
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
    /** Whether deleting it deletes its contents. @default false */
    readonly isForced?: boolean;
}

/** A key of Spaces, with grants by bucket name. */
export interface SpacesKey {
    readonly name: string;
    readonly buckets: readonly string[];
    readonly secretKey?: string;
    readonly grants?: readonly { readonly bucket?: string; readonly permission: string }[];
}

/** An object in Spaces; its content is stored next to the account's file. */
export interface SpacesObject {
    /** `bucket/key` */
    readonly name: string;
    readonly bucket: string;
    readonly key: string;
}

/** Contents of each kind of resource. */
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

/** What exists in the account before any stack. */
export interface Owned {
    /** Domains served by its DNS. */
    readonly domains: readonly string[];
    /** Ids of custom images, and how each is configured. */
    readonly images: Readonly<Record<string, "ignition" | "cloud-init">>;
    /** Ids of SSH keys. */
    readonly sshKeys: readonly string[];
    /** Regions that have a default VPC because droplets existed earlier. @default none */
    readonly defaultVpcs?: readonly string[];
    /** Names of projects by id. @default only the default one */
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
    /** Creates the file of an account that only contains what its owner has. */
    static open(path: string, owned: Owned): Account {
        const account = new Account(path);
        account.write({ ...owned, resources: nothing() });
        return account;
    }

    /** The load balancer with a name. */
    balancer(name: string): LoadBalancer {
        return Object.values(this.resources.loadBalancers).find((each) => each.name === name)!;
    }

    /** Id of a region's default VPC. @default undefined if none was created yet */
    defaultVpc(region: string): string | undefined {
        const { defaultVpcs = [], resources } = this.state;
        const made = Object.entries(resources.vpcs).find(([, each]) => each.region === region && each.isDefault);
        return made?.[0] ?? (defaultVpcs.includes(region) ? `default-${region}` : undefined);
    }

    /** An id in the service's format: a number for droplets and DNS records, otherwise a UUID. */
    newId(kind: keyof Resources): string {
        const isNumber = kind === "droplets" || kind === "dnsRecords";
        return isNumber ? String(400_000_000 + Math.floor(Math.random() * 1e8)) : randomUUID();
    }
}
