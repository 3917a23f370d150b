import { randomBytes } from "node:crypto";
import { AccountFile, NotFound, type Resources as ResourcesOf } from "../shared/account";
import type { ClassicLoadBalancer, LoadBalancer, TargetGroup } from "./balancers";
import type { Made, Named, Tagged, Tags } from "./made";
import type { Volume, VolumeAttachment } from "./volumes";

/** What a group's instances let in or out. */
export interface SecurityRule extends Made {
    readonly group: string;
    readonly isIngress: boolean;
    /** `tcp`, `udp`, `icmp`, `icmpv6`, or `-1` for all. */
    readonly protocol: string;
    readonly fromPort?: number;
    readonly toPort?: number;
    /** An IPv4 or IPv6 block. */
    readonly cidr?: string;
    /** Id of a group. */
    readonly peer?: string;
    readonly description?: string;
}

export interface Instance extends Tagged {
    /** Name of the local machine. */
    readonly machine: string;
    readonly vpc: string;
    readonly subnet: string;
    readonly address: string;
    /** Ids of security groups. */
    readonly groups: readonly string[];
    /** Name of the Auto Scaling group that made it. */
    readonly madeBy?: string;
    /** Launch template and version from which that made it. */
    readonly madeFrom?: string;
    /** What it is made from. */
    readonly spec?: InstanceSpec;
    /** When it was launched, in ISO 8601. */
    readonly launched?: string;
    /** A group's, while its machine is made or ended. @default it runs, as far as anybody saw */
    readonly state?: "pending" | "shutting-down";
    /** Its group ends it, and waits with that until then. @default it does not, or goes on at once */
    readonly waiting?: Waiting;
    /** What it costs is the day's, and it may be taken away. @default false */
    readonly isSpot?: boolean;
    /** The notice that EC2 takes it away, and when. */
    readonly interruption?: { readonly action: "terminate"; readonly time: string };
    /** That this is likely, and since when. */
    readonly rebalance?: { readonly noticeTime: string };
}

interface Waiting {
    /** In ISO 8601. */
    readonly until: string;
    /** It was told that it need not wait. @default false */
    readonly isReleased?: boolean;
}

/** An instance that is no more, of which EC2 tells for a while. */
export interface TerminatedInstance extends Tagged {
    /** When it was terminated, in ISO 8601. */
    readonly time: string;
    /** Its group waited with it, and was told that it need not. @default false */
    readonly wasReleased?: boolean;
}

/** An Auto Scaling group and what it is to make. */
export interface AutoScalingGroup extends Named {
    /** By ARN. */
    readonly targetGroups: readonly string[];
    readonly least: number;
    readonly most: number;
    readonly desired: number;
    /** Its own, which its instances need not have. */
    readonly tags: Tags;
    /** Ids. */
    readonly subnets: readonly string[];
    /** Tag Name of its instances. */
    readonly calls: string;
    /** What it makes now. */
    readonly spec: InstanceSpec;
    /** Launch template and version of that. */
    readonly madeFrom: string;
    /** Instance types that its policy names. @default it has none, and makes its template's */
    readonly types?: readonly string[];
    readonly isSpot: boolean;
    /** Whether another one comes when an instance is likely to be taken away. */
    readonly rebalances: boolean;
    /** Seconds until an instance that comes in a refresh is taken for ready. @default instances of another version stay */
    readonly warmupSeconds?: number;
}

/** What an instance is made from, by an Auto Scaling group or by itself. */
export interface InstanceSpec {
    readonly ami: string;
    readonly instanceType: string;
    /** Text, not in base64. */
    readonly userData: string;
    /** Name of an instance profile. */
    readonly profile?: string;
    readonly groups: readonly string[];
    /** What its instances are tagged with from the beginning. @default nothing */
    readonly tags?: Tags;
    /** How many hops an answer of the metadata service lives. @default 1 */
    readonly metadataHops?: number;
}

export interface LaunchTemplate extends Named {
    /** By version, from 1 on. */
    readonly versions: readonly InstanceSpec[];
}

export interface Subnet extends Tagged {
    readonly vpc: string;
    readonly cidr: string;
    readonly zone: string;
    /** Whether instances get public addresses. @default false */
    readonly isPublic?: boolean;
    /** An IPv6 block, of which instances get addresses if that is so. @default none */
    readonly ipv6Cidr?: string;
    readonly givesIpv6?: boolean;
    /** How many addresses it gave: one that comes back is not given again at once. @default 0 */
    readonly given?: number;
}

/** What each kind of resource is. Where one names another, it is by id. */
export interface Kinds {
    readonly vpcs: Tagged & {
        readonly cidr: string;
        readonly ipv6Cidr?: string;
        /** Whether it names hosts, which private names of endpoints need. @default false */
        readonly hasDnsHostnames?: boolean;
    };
    readonly subnets: Subnet;
    readonly gateways: Named & { readonly vpc: string };
    readonly egressGateways: Named & { readonly vpc: string };
    readonly routeTables: Tagged & { readonly vpc: string };
    /** The gateway is an internet gateway, a NAT gateway, or by IPv6 one for egress alone. */
    readonly routes: Named & { readonly table: string; readonly gateway: string; readonly isIpv6?: boolean };
    readonly addresses: Named & { readonly address: string };
    readonly natGateways: Named & { readonly vpc: string; readonly subnet: string; readonly address: string };
    /** Of a gateway tables, of an interface subnets and groups. */
    readonly endpoints: Named & {
        readonly vpc: string;
        readonly service: string;
        readonly tables: readonly string[];
        readonly subnets: readonly string[];
        readonly groups: readonly string[];
        /** Whether the service's name is its own in the VPC. */
        readonly hasPrivateDns: boolean;
    };
    readonly associations: Named & { readonly table: string; readonly subnet: string };
    readonly securityGroups: Made & { readonly vpc: string; readonly description?: string };
    readonly securityRules: SecurityRule;
    readonly loadBalancers: LoadBalancer;
    readonly classicLoadBalancers: ClassicLoadBalancer;
    readonly targetGroups: TargetGroup;
    readonly listeners: Made & { readonly loadBalancer: string; readonly targetGroup: string; readonly port: number };
    /** The port is that of the target group, unless it is given. */
    readonly targets: Named & { readonly targetGroup: string; readonly instance: string; readonly port?: number };
    readonly records: Named & { readonly address: string };
    /** Private ones, and the VPCs that they were made with. */
    readonly hostedZones: Named & { readonly vpcs: readonly string[]; readonly isForced: boolean };
    readonly zoneAssociations: Named & { readonly zone: string; readonly vpc: string };
    readonly instances: Instance;
    readonly terminatedInstances: TerminatedInstance;
    readonly volumes: Volume;
    readonly volumeAttachments: VolumeAttachment;
    readonly launchTemplates: LaunchTemplate;
    readonly autoScalingGroups: AutoScalingGroup;
    /** For how many seconds a group waits with an instance that it ends. */
    readonly lifecycleHooks: Named & { readonly group: string; readonly seconds: number };
    readonly roles: Named;
    readonly rolePolicies: Named & { readonly role: string; readonly policy: string };
    readonly instanceProfiles: Named & { readonly role: string };
    readonly buckets: Named & { readonly isForced: boolean };
    readonly bucketEncryptions: Named;
    readonly publicAccessBlocks: Named;
    /** What is in one that was put by S3's API lies beside the account's file. */
    readonly objects: Named & {
        readonly bucket: string;
        readonly key: string;
        readonly content: string;
        readonly isKept?: boolean;
    };
}

export type Resources = ResourcesOf<Kinds>;

export interface PrivateZone {
    readonly name: string;
    /** Ids of VPCs that resolve it. */
    readonly vpcs: readonly string[];
}

/** What the account's owner brought. */
export interface Owned {
    readonly region: string;
    /** Letters of its availability zones. @default a, b and c */
    readonly zoneLetters?: readonly string[];
    /** Names of public hosted zones, by id. */
    readonly zones: Readonly<Record<string, string>>;
    /** Private hosted zones, by id. @default none */
    readonly privateZones?: Readonly<Record<string, PrivateZone>>;
    /** Access keys by their ids, and the policy of who has each. @default none */
    readonly accessKeys?: Readonly<Record<string, { readonly secretAccessKey: string; readonly policy: string }>>;
    /** Names of AMIs by id, the oldest first. All of them take Ignition. */
    readonly amis: Readonly<Record<string, string>>;
    /** Seconds until a load balancer is active. @default 20 */
    readonly loadBalancerSeconds?: number;
    /** When AMIs were made and will be deprecated, by id: RFC 3339. @default they were made just now, and will not be */
    readonly amiDates?: Readonly<Record<string, { readonly created?: string; readonly deprecated?: string }>>;
    /** Ids of those of others that are deprecated: they start, and are not told without being asked for. @default none */
    readonly deprecatedAmis?: readonly string[];
}

const nothing = (): Resources => ({
    vpcs: {},
    subnets: {},
    gateways: {},
    egressGateways: {},
    routeTables: {},
    routes: {},
    addresses: {},
    natGateways: {},
    endpoints: {},
    associations: {},
    securityGroups: {},
    securityRules: {},
    loadBalancers: {},
    classicLoadBalancers: {},
    targetGroups: {},
    listeners: {},
    targets: {},
    records: {},
    hostedZones: {},
    zoneAssociations: {},
    instances: {},
    terminatedInstances: {},
    volumes: {},
    volumeAttachments: {},
    launchTemplates: {},
    autoScalingGroups: {},
    lifecycleHooks: {},
    roles: {},
    rolePolicies: {},
    instanceProfiles: {},
    buckets: {},
    bucketEncryptions: {},
    publicAccessBlocks: {},
    objects: {},
});

export const accountId = "123456789012";

/** A simulated account of AWS. */
export class Account extends AccountFile<Owned, Kinds> {
    /** Makes the file of an account in which nothing is but what its owner brought. */
    static open(path: string, owned: Owned): Account {
        const account = new Account(path);
        account.write({ ...owned, resources: nothing() });
        return account;
    }

    /** What is terminated costs nothing, and goes by itself. */
    override get left(): string[] {
        return super.left.filter((each) => !each.startsWith("terminatedInstances "));
    }

    /** Whether something of this id exists. An instance that was terminated does not, though EC2 still describes it. */
    has(id: string): boolean {
        const { terminatedInstances: _, ...kinds } = this.resources;
        return Object.values(kinds).some((all) => Object.hasOwn(all, id));
    }

    /** `vpc-0123456789abcdef0` */
    newId(prefix: string): string {
        return `${prefix}-0${randomBytes(8).toString("hex")}`;
    }

    arn(service: string, resource: string, isGlobal = false): string {
        return `arn:aws:${service}:${isGlobal ? "" : this.state.region}:${accountId}:${resource}`;
    }

    /** The resource of an id; an error, as the service would give, if there is none. */
    find<K extends keyof Kinds>(kind: K, id: unknown): Kinds[K] {
        const found = this.resources[kind][String(id)];
        if (!found) {
            const what = kind.replace(/ies$/, "y").replace(/s$/, "");
            throw new NotFound(`The ${what} ID '${id}' does not exist`, String(id));
        }
        return found;
    }

    /** An error, as the service would give, while something of `users` is there. */
    refuseWhileUsed(what: string, users: readonly Named[]): void {
        if (users.length > 0) {
            const names = users.map(({ name }) => name).join(", ");
            throw new Error(`DependencyViolation: ${what} has dependencies and cannot be deleted: ${names}`);
        }
    }

    all<K extends keyof Kinds>(kind: K): Kinds[K][] {
        return Object.values(this.resources[kind]);
    }
}

/** What the service calls a resource: the tag Name. */
export function nameOf(tags: unknown, id: string): string {
    return (tags as Record<string, string> | undefined)?.Name ?? id;
}
