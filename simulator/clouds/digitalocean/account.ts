import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { underLock } from "../../../cache/file-lock";
import type { CheckPace } from "../../../machines";
import type { Properties } from "../../plugins/protocol/serve";
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
    /** Unit: GB. @default that of its size */
    readonly disk?: number;
    /** Only an entry: machines have no IPv6. @default none */
    readonly ipv6Address?: string;
    readonly tags: readonly string[];
    readonly userData?: string;
    /** Whether its owner has turned it off. @default false */
    readonly isOff?: boolean;
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
    /** How often droplets are checked. @default every second */
    readonly pace?: CheckPace;
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

/** A custom image that a stack imported. */
export interface Image {
    readonly name: string;
    readonly url: string;
    readonly regions: readonly string[];
    readonly status: "pending" | "available";
    readonly os: "ignition" | "cloud-init";
}

export interface SshKey {
    readonly name: string;
    readonly publicKey: string;
    readonly fingerprint: string;
}

/** Contents of each kind of resource. */
export interface Kinds {
    readonly domains: { readonly name: string };
    readonly projects: { readonly name: string };
    readonly sshKeys: SshKey;
    readonly vpcs: Vpc;
    readonly tags: { readonly name: string };
    readonly droplets: Droplet;
    readonly volumes: Volume;
    readonly loadBalancers: LoadBalancer;
    readonly firewalls: Firewall;
    readonly images: Image;
    readonly dnsRecords: DnsRecord;
    readonly spacesBuckets: SpacesBucket;
    readonly spacesKeys: SpacesKey;
    readonly spacesObjects: SpacesObject;
}

export type Resources = ResourcesOf<Kinds>;

/** What a provider reads of a resource. */
export interface Recorded {
    readonly type: string;
    readonly inputs: Properties;
    readonly state: Properties;
}

/** What exists in the account before any stack, and how the service behaves. */
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
    /** How many droplets it may have. @default 25 */
    readonly dropletLimit?: number;
    /** Scopes of tokens for agents in clusters, by token. @default any token has all */
    readonly apiTokens?: Readonly<Record<string, readonly string[]>>;
    /** Scopes that the token lacks, of those that lookups need. @default none */
    readonly lackedScopes?: readonly string[];
    /** Regions of custom images by id. @default every region */
    readonly imageRegions?: Readonly<Record<string, readonly string[]>>;
    /** The smallest disk of custom images by id, in GB. @default 9 */
    readonly minDiskSizes?: Readonly<Record<string, number>>;
    /** Name servers in the public DNS by domain. @default DigitalOcean's */
    readonly nameServers?: Readonly<Record<string, readonly string[]>>;
    /** How many of the next calls are answered with 429. @default 0 */
    readonly throttled?: number;
    /** Until when droplets are locked by an event in progress, by name, in simulated milliseconds. @default none is */
    readonly locked?: Readonly<Record<string, number>>;
    /** How many of the next actions on droplets are refused because of such an event, by name. @default none is */
    readonly busy?: Readonly<Record<string, number>>;
    /** Factor of the seconds that load balancers and imports take. @default 1 */
    readonly slowness?: number;
    /**
     * Seconds after which load balancers close idle connections. @default an hour, where the service has 60 seconds
     */
    readonly idleSeconds?: number;
    /** Seconds until a droplet's system starts. @default 0, where the service takes about 40 */
    readonly machineSeconds?: number;
    /** What the provider reads, by id. @default none, in accounts of earlier commits */
    readonly records?: Readonly<Record<string, Recorded>>;
}

/** The kind of each type that is found by its id. */
const kinds: Readonly<Record<string, keyof Kinds>> = {
    "digitalocean:index/customImage:CustomImage": "images",
    "digitalocean:index/dnsRecord:DnsRecord": "dnsRecords",
    "digitalocean:index/domain:Domain": "domains",
    "digitalocean:index/droplet:Droplet": "droplets",
    "digitalocean:index/firewall:Firewall": "firewalls",
    "digitalocean:index/loadBalancer:LoadBalancer": "loadBalancers",
    "digitalocean:index/project:Project": "projects",
    "digitalocean:index/spacesBucket:SpacesBucket": "spacesBuckets",
    "digitalocean:index/spacesKey:SpacesKey": "spacesKeys",
    "digitalocean:index/sshKey:SshKey": "sshKeys",
    "digitalocean:index/tag:Tag": "tags",
    "digitalocean:index/volume:Volume": "volumes",
    "digitalocean:index/vpc:Vpc": "vpcs",
};

const nothing = (): Resources => ({
    domains: {},
    projects: {},
    sshKeys: {},
    vpcs: {},
    tags: {},
    droplets: {},
    volumes: {},
    loadBalancers: {},
    firewalls: {},
    images: {},
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
        rmSync(`${path}.time`, { force: true });
        account.write({ ...owned, resources: nothing() });
        return account;
    }

    /** The load balancer with a name. */
    balancer(name: string): LoadBalancer {
        return Object.values(this.resources.loadBalancers).find((each) => each.name === name)!;
    }

    /** Domains served by its DNS, also those of stacks. */
    get domains(): readonly string[] {
        const { domains, resources } = this.state;
        return [...domains, ...Object.keys(resources.domains ?? {})];
    }

    /** The same of projects: names by id. */
    get projects(): Readonly<Record<string, string>> {
        const { projects, resources } = this.state;
        const created = Object.entries(resources.projects ?? {}).map(([id, { name }]) => [id, name]);
        return { ...projects, ...Object.fromEntries(created) };
    }

    /** The same of SSH keys, by id. */
    get sshKeys(): Readonly<Record<string, SshKey>> {
        const { sshKeys, resources } = this.state;
        const owned = sshKeys.map((id) => [id, { name: `key-${id}`, fingerprint: "", publicKey: "" }]);
        return { ...Object.fromEntries(owned), ...resources.sshKeys };
    }

    /** Id of a region's default VPC. @default undefined if none was created yet */
    defaultVpc(region: string): string | undefined {
        const { defaultVpcs = [], resources } = this.state;
        const created = Object.entries(resources.vpcs).find(([, each]) => each.region === region && each.isDefault);
        return created?.[0] ?? (defaultVpcs.includes(region) ? `default-${region}` : undefined);
    }

    /** An id in the service's format: a number for droplets, images, SSH keys and DNS records, otherwise a UUID. */
    newId(kind: keyof Resources): string {
        const isNumber = ["droplets", "dnsRecords", "images", "sshKeys"].includes(kind);
        return isNumber ? String(400_000_000 + Math.floor(Math.random() * 1e8)) : randomUUID();
    }

    /** Whether a resource of a type exists. */
    has(type: string, id: string): boolean {
        const kind = kinds[type];
        return kind === undefined || this.resources[kind]?.[id] !== undefined;
    }

    record(id: string, recorded: Recorded): void {
        this.#change((state) => ({ ...state, records: { ...state.records, [id]: recorded } }));
    }

    forget(id: string): void {
        this.#change(({ records: { [id]: _, ...records } = {}, ...state }) => ({ ...state, records }));
    }

    /** Whether the service answers this call with 429. */
    throttles(): boolean {
        if (!this.state.throttled) return false;
        this.#change((state) => ({ ...state, throttled: Math.max(0, (state.throttled ?? 0) - 1) }));
        return true;
    }

    /** Starts an event of a droplet, such as a backup, which locks it. */
    lock(name: string, seconds: number): void {
        this.behave({ locked: { ...this.state.locked, [name]: this.now + seconds * 1000 } });
    }

    /** For how many seconds a droplet remains locked. @returns 0 if it is not locked */
    secondsLocked(name: string): number {
        return Math.max(0, ((this.state.locked?.[name] ?? 0) - this.now) / 1000);
    }

    /** Whether the service refuses this action on a droplet. */
    isBusy(name: string): boolean {
        const { [name]: left = 0 } = this.state.busy ?? {};
        if (left > 0) this.behave({ busy: { ...this.state.busy, [name]: left - 1 } });
        return left > 0;
    }

    /** Changes how the service behaves. */
    behave(behaviour: Partial<Owned>): void {
        this.#change((state) => ({ ...state, ...behaviour }));
    }

    #change(make: (state: Account["state"]) => Account["state"]): void {
        underLock(`${this.path}.lock`, () => this.write(make(this.state)));
    }
}
