import { randomBytes } from "node:crypto";
import { AccountFile, NotFound, type Resources as ResourcesOf } from "../cloud/account";

interface Named {
    readonly name: string;
}

/** What a group's instances let in or out. */
export interface SecurityRule extends Named {
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
}

export interface Instance extends Named {
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
}

export interface LaunchTemplate extends Named {
    /** By version, from 1 on. */
    readonly versions: readonly InstanceSpec[];
}

export interface LoadBalancer extends Named {
    readonly vpc: string;
    readonly address: string;
    readonly dnsName: string;
    readonly subnets: readonly string[];
    readonly groups: readonly string[];
}

export interface Subnet extends Named {
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

export interface TargetGroup extends Named {
    readonly vpc: string;
    readonly port: number;
    /** What is asked by HTTP. */
    readonly check?: { readonly port: number; readonly path: string };
}

/** What each kind of resource is. Where one names another, it is by id. */
export interface Kinds {
    readonly vpcs: Named & { readonly cidr: string; readonly ipv6Cidr?: string };
    readonly subnets: Subnet;
    readonly gateways: Named & { readonly vpc: string };
    readonly egressGateways: Named & { readonly vpc: string };
    readonly routeTables: Named & { readonly vpc: string };
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
    };
    readonly associations: Named & { readonly table: string; readonly subnet: string };
    readonly securityGroups: Named & { readonly vpc: string };
    readonly securityRules: SecurityRule;
    readonly loadBalancers: LoadBalancer;
    readonly targetGroups: TargetGroup;
    readonly listeners: Named & { readonly loadBalancer: string; readonly targetGroup: string; readonly port: number };
    readonly targets: Named & { readonly targetGroup: string; readonly instance: string };
    readonly records: Named & { readonly address: string };
    /** Private ones, and the VPCs that they were made with. */
    readonly hostedZones: Named & { readonly vpcs: readonly string[]; readonly isForced: boolean };
    readonly zoneAssociations: Named & { readonly zone: string; readonly vpc: string };
    readonly instances: Instance;
    /** Where it was attached first, which is where its data are, is a machines' network. Unit of the size: GiB. */
    readonly volumes: Named & { readonly zone: string; readonly size: number; readonly network?: string };
    readonly volumeAttachments: Named & {
        readonly volume: string;
        readonly instance: string;
        readonly device: string;
    };
    readonly launchTemplates: LaunchTemplate;
    /** Target groups by ARN. */
    readonly autoScalingGroups: Named & { readonly targetGroups: readonly string[] };
    readonly roles: Named;
    readonly rolePolicies: Named & { readonly role: string; readonly policy: string };
    readonly instanceProfiles: Named & { readonly role: string };
    readonly buckets: Named & { readonly isForced: boolean };
    readonly bucketEncryptions: Named;
    readonly publicAccessBlocks: Named;
    readonly objects: Named & { readonly bucket: string; readonly key: string; readonly content: string };
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
    /** Names of public hosted zones, by id. */
    readonly zones: Readonly<Record<string, string>>;
    /** Private hosted zones, by id. @default none */
    readonly privateZones?: Readonly<Record<string, PrivateZone>>;
    /** Names of AMIs by id, the oldest first. All of them take Ignition. */
    readonly amis: Readonly<Record<string, string>>;
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
    targetGroups: {},
    listeners: {},
    targets: {},
    records: {},
    hostedZones: {},
    zoneAssociations: {},
    instances: {},
    volumes: {},
    volumeAttachments: {},
    launchTemplates: {},
    autoScalingGroups: {},
    roles: {},
    rolePolicies: {},
    instanceProfiles: {},
    buckets: {},
    bucketEncryptions: {},
    publicAccessBlocks: {},
    objects: {},
});

const accountId = "123456789012";

/** A simulated account of AWS. */
export class Account extends AccountFile<Owned, Kinds> {
    /** Makes the file of an account in which nothing is but what its owner brought. */
    static open(path: string, owned: Owned): Account {
        const account = new Account(path);
        account.write({ ...owned, resources: nothing() });
        return account;
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
