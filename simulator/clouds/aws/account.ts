import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { AccountFile, NotFound, type Resources as ResourcesOf } from "../shared/account";
import { met } from "../shared/behaviours";
import type { ClassicLoadBalancer, LoadBalancer, TargetGroup } from "./balancers";
import type { Created, Delays, Lack, Named, Tagged, Tags } from "./created";
import type { Snapshot } from "./snapshots";
import type { Volume, VolumeAttachment } from "./volumes";

/** A rule of a security group: what its instances allow in or out. */
export interface SecurityRule extends Created {
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
    /** Its IPv6 address, if its subnet assigns one at launch. @default none */
    readonly address6?: string;
    /** What the internet sees of it, assigned at launch. @default none */
    readonly publicAddress?: string;
    /** Ids of security groups. */
    readonly groups: readonly string[];
    /** Name of the Auto Scaling group that created it. */
    readonly createdBy?: string;
    /** Launch template and version it was created from. */
    readonly createdFrom?: string;
    /** The template it is created from. */
    readonly spec?: InstanceSpec;
    /** Launch time, in ISO 8601. */
    readonly launched?: string;
    /**
     * State of a group's instance while its machine is created or terminated, or of one that could not be started again.
     * @default running, as far as is known
     */
    readonly state?: "pending" | "shutting-down" | "stopped";
    /** Its group is terminating it and waits until then. @default it is not being terminated, or without waiting */
    readonly waiting?: Waiting;
    /** A spot instance: billed at the spot price, and may be reclaimed. @default false */
    readonly isSpot?: boolean;
    /** The notice that EC2 will reclaim it, and when. */
    readonly interruption?: { readonly action: "terminate"; readonly time: string };
    /** The status check that it fails. @default it passes both */
    readonly failedCheck?: "system" | "instance";
    /** Since when it has been at elevated risk of interruption. */
    readonly rebalance?: { readonly noticeTime: string };
}

interface Waiting {
    /** In ISO 8601. */
    readonly until: string;
    /** The lifecycle action was completed early. @default false */
    readonly isReleased?: boolean;
}

/** A terminated instance, which EC2 still describes for a while. */
export interface TerminatedInstance extends Tagged {
    /** Termination time, in ISO 8601. */
    readonly time: string;
    /** Its group waited for a lifecycle action, which was completed early. @default false */
    readonly wasReleased?: boolean;
}

/** An Auto Scaling group and what it launches. */
export interface AutoScalingGroup extends Named {
    /** By ARN. */
    readonly targetGroups: readonly string[];
    readonly least: number;
    readonly most: number;
    readonly desired: number;
    /** Tags of the group itself, which its instances need not have. */
    readonly tags: Tags;
    /** Those that its instances get from it, which override those of its template. @default none */
    readonly propagated?: Tags;
    /** Ids. */
    readonly subnets: readonly string[];
    /** The Name tag of its instances. */
    readonly calls: string;
    /** What it launches now. */
    readonly spec: InstanceSpec;
    /** The launch template and version of that. */
    readonly createdFrom: string;
    /** Instance types of its mixed instances policy. @default no policy: the type of its template */
    readonly types?: readonly string[];
    readonly isSpot: boolean;
    /** Whether an instance at risk of interruption is replaced. */
    readonly rebalances: boolean;
    /** Launches that failed since it last changed, by their message: the time of the last one. @default none */
    readonly failures?: Readonly<Record<string, string>>;
    /** Seconds until a new instance of a refresh counts as ready. @default instances of other versions stay */
    readonly warmupSeconds?: number;
}

/** What an instance is launched from, by an Auto Scaling group or alone. */
export interface InstanceSpec {
    readonly ami: string;
    readonly instanceType: string;
    /** Its bytes, each as a character: not base64. */
    readonly userData: string;
    /** Name of an instance profile. */
    readonly profile?: string;
    readonly groups: readonly string[];
    /** Whether its instances get public addresses. @default as the subnet has it */
    readonly isPublic?: boolean;
    /** Tags that its instances have from the start. @default none */
    readonly tags?: Tags;
    /** Hop limit of the metadata service's responses. @default 1 */
    readonly metadataHops?: number;
    /** Whether the metadata service has its tags: `enabled` or `disabled`. @default as the account has it */
    readonly metadataTags?: string;
}

export interface LaunchTemplate extends Named {
    /** By version, starting at 1. */
    readonly versions: readonly InstanceSpec[];
}

export interface Subnet extends Tagged {
    readonly vpc: string;
    readonly cidr: string;
    readonly zone: string;
    /** Whether instances get public addresses. @default false */
    readonly isPublic?: boolean;
    /** An IPv6 block that instances get addresses from. @default none */
    readonly ipv6Cidr?: string;
    readonly givesIpv6?: boolean;
    /** How many addresses it has assigned, as a released one is not reused at once. @default 0 */
    readonly given?: number;
}

/** Contents of each kind of resource. References to others are ids. */
export interface Kinds {
    readonly vpcs: Tagged & {
        readonly cidr: string;
        readonly ipv6Cidr?: string;
        /** Whether it assigns DNS host names, which private names of endpoints require. @default false */
        readonly hasDnsHostnames?: boolean;
    };
    readonly subnets: Subnet;
    readonly gateways: Named & { readonly vpc: string };
    readonly egressGateways: Named & { readonly vpc: string };
    readonly routeTables: Tagged & { readonly vpc: string };
    /** The gateway is an internet gateway, a NAT gateway, or for IPv6 an egress-only one. */
    readonly routes: Named & { readonly table: string; readonly gateway: string; readonly isIpv6?: boolean };
    readonly addresses: Named & { readonly address: string };
    readonly natGateways: Named & { readonly vpc: string; readonly subnet: string; readonly address: string };
    /** A gateway endpoint has route tables, an interface endpoint subnets and groups. */
    readonly endpoints: Named & {
        readonly vpc: string;
        readonly service: string;
        readonly tables: readonly string[];
        readonly subnets: readonly string[];
        readonly groups: readonly string[];
        /** Whether the service's own name resolves to it in the VPC. */
        readonly hasPrivateDns: boolean;
    };
    readonly associations: Named & { readonly table: string; readonly subnet: string };
    readonly securityGroups: Created & { readonly vpc: string; readonly description?: string };
    readonly securityRules: SecurityRule;
    readonly loadBalancers: LoadBalancer;
    readonly classicLoadBalancers: ClassicLoadBalancer;
    /** Network interfaces that deleted load balancers leave for a while, until a time in ISO 8601. */
    readonly interfaces: Named & {
        readonly vpc: string;
        readonly subnets: readonly string[];
        readonly groups: readonly string[];
        readonly until: string;
    };
    readonly targetGroups: TargetGroup;
    readonly listeners: Created & {
        readonly loadBalancer: string;
        readonly targetGroup: string;
        readonly port: number;
    };
    /** The port is that of the target group unless specified. */
    readonly targets: Named & { readonly targetGroup: string; readonly instance: string; readonly port?: number };
    /** The target is a load balancer's own DNS name. */
    readonly records: Named & { readonly address: string; readonly target?: string };
    /** Private zones, and the VPCs that they were created with. */
    readonly hostedZones: Named & { readonly vpcs: readonly string[]; readonly isForced: boolean };
    readonly zoneAssociations: Named & { readonly zone: string; readonly vpc: string };
    readonly instances: Instance;
    readonly terminatedInstances: TerminatedInstance;
    readonly volumes: Volume;
    readonly volumeAttachments: VolumeAttachment;
    /** Missing in accounts of earlier commits. */
    readonly snapshots: Snapshot;
    readonly launchTemplates: LaunchTemplate;
    readonly autoScalingGroups: AutoScalingGroup;
    /** For how many seconds a group waits before it terminates an instance. */
    readonly lifecycleHooks: Named & { readonly group: string; readonly seconds: number };
    readonly roles: Named;
    /** The earlier text applies until an update takes effect. */
    readonly rolePolicies: Named & { readonly role: string; readonly policy: string; readonly earlier?: string };
    readonly attachedPolicies: Named & { readonly role: string };
    readonly instanceProfiles: Named & { readonly role: string };
    readonly buckets: Named & { readonly isForced: boolean };
    readonly bucketEncryptions: Named;
    readonly publicAccessBlocks: Named & { readonly isOpen?: boolean };
    readonly bucketPolicies: Named & { readonly policy: string };
    readonly oidcProviders: Named & { readonly audiences: readonly string[] };
    /** The contents of objects put by S3's API are stored next to the account's file. */
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

/** What exists in the account before any stack. */
export interface Owned {
    readonly region: string;
    /** Letters of its availability zones. @default a, b and c */
    readonly zoneLetters?: readonly string[];
    /** Names of public hosted zones, by id. */
    readonly zones: Readonly<Record<string, string>>;
    /** Private hosted zones, by id. @default none */
    readonly privateZones?: Readonly<Record<string, PrivateZone>>;
    /** Access keys by id, with their owners' policies. @default none */
    readonly accessKeys?: Readonly<Record<string, { readonly secretAccessKey: string; readonly policy: string }>>;
    /** Names of AMIs by id, oldest first. All of them use Ignition. */
    readonly amis: Readonly<Record<string, string>>;
    /** Seconds until a load balancer is active. @default 20 */
    readonly loadBalancerSeconds?: number;
    /** Seconds for which a deleted load balancer's network interfaces remain. @default 5 */
    readonly interfaceSeconds?: number;
    /** Throttles every Nth call. @default never */
    readonly throttledEvery?: number;
    /** @default those of a usual day */
    readonly delays?: Delays;
    /** Seconds until the hypervisor and firmware of an instance start its system. @default 0, where EC2 takes about 20 */
    readonly machineSeconds?: number;
    /** vCPUs that all instances may have together; EC2 gives new accounts 5. @default no limit */
    readonly vcpuLimit?: number;
    /** The account's default for instance tags in the metadata service. @default false */
    readonly hasMetadataTags?: boolean;
    /** Instance types that EC2 has no capacity for, by zone. @default none */
    readonly lackedCapacity?: readonly Lack[];
    /** Instance types that EC2 does not offer, by zone. @default it offers all in all zones */
    readonly withheldTypes?: readonly Omit<Lack, "until">[];
    /** The account is on the free plan, which has few instance types. @default false */
    readonly isOnFreePlan?: boolean;
    /** Quotas by code, such as `L-F678F1CE` of VPCs. @default those of a new account */
    readonly quotas?: Readonly<Record<string, number>>;
    /** Names of buckets of other accounts. @default none */
    readonly foreignBuckets?: readonly string[];
    /** ARN of the account's default key for EBS. @default AWS' own */
    readonly defaultKmsKey?: string;
    /** Name servers that the public DNS has for a domain. @default those of its zone */
    readonly nameServers?: Readonly<Record<string, readonly string[]>>;
    /** When AMIs were created and will be deprecated, by id: RFC 3339. @default created just now, never deprecated */
    readonly amiDates?: Readonly<Record<string, { readonly created?: string; readonly deprecated?: string }>>;
    /** Letters of zones that are down: their NAT gateways forward nothing. @default none */
    readonly lostZones?: readonly string[];
    /** In a dry run, no Kubernetes API answers. @default false */
    readonly isApiDown?: boolean;
    /** Ids of deprecated AMIs of other owners: they can be launched but are only listed on request. @default none */
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
    interfaces: {},
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
    snapshots: {},
    launchTemplates: {},
    autoScalingGroups: {},
    lifecycleHooks: {},
    roles: {},
    rolePolicies: {},
    attachedPolicies: {},
    instanceProfiles: {},
    buckets: {},
    bucketEncryptions: {},
    publicAccessBlocks: {},
    bucketPolicies: {},
    oidcProviders: {},
    objects: {},
});

export const accountId = "123456789012";

/** A simulated account of AWS. */
export class Account extends AccountFile<Owned, Kinds> {
    /** Creates the file of an account that only contains what its owner has. */
    static open(path: string, owned: Owned): Account {
        const account = new Account(path);
        rmSync(`${path}.time`, { force: true });
        account.write({ ...owned, resources: nothing() });
        return account;
    }

    /** Terminated instances and interfaces of deleted load balancers cost nothing and disappear on their own. */
    override get left(): string[] {
        return super.left.filter((each) => !/^(terminatedInstances|interfaces) /.test(each));
    }

    /** Whether a resource of this id exists. A terminated instance does not, though EC2 still describes it. */
    has(id: string): boolean {
        const { terminatedInstances: _, interfaces: __, ...kinds } = this.resources;
        return Object.values(kinds).some((all) => Object.hasOwn(all, id));
    }

    /** `vpc-0123456789abcdef0` */
    newId(prefix: string): string {
        return `${prefix}-0${randomBytes(8).toString("hex")}`;
    }

    /** Changes how the service behaves. */
    behave(behaviour: Partial<Owned>): void {
        this.write({ ...this.state, ...behaviour });
    }

    /** Changes which zones are down. */
    loseZones(...letters: string[]): void {
        if (letters.length > 0) met("lost zone");
        this.behave({ lostZones: letters });
    }

    arn(service: string, resource: string, isGlobal = false): string {
        return `arn:aws:${service}:${isGlobal ? "" : this.state.region}:${accountId}:${resource}`;
    }

    /** The resource of an id; throws the service's error if it does not exist. */
    find<K extends keyof Kinds>(kind: K, id: unknown): Kinds[K] {
        const found = this.resources[kind][String(id)];
        if (!found) {
            const what = kind.replace(/ies$/, "y").replace(/s$/, "");
            throw new NotFound(`The ${what} ID '${id}' does not exist`, String(id));
        }
        return found;
    }

    /** Throws the service's error while any of `users` exists. */
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

/** The name the service uses for a resource: the Name tag. */
export function nameOf(tags: unknown, id: string): string {
    return (tags as Record<string, string> | undefined)?.Name ?? id;
}
