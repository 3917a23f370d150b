/** How commands recognize a cluster on a cloud in the state or the preview of a stack. */
interface CloudResources {
    /** Name of the component class. */
    readonly component: string;
    /** Where its clusters run, as pictures say it. */
    readonly place: string;
    /** Of a type, the outputs with these facts. */
    readonly machine: Of<"publicAddress" | "size" | "zone">;
    readonly network: Of<"cidr">;
    readonly loadBalancer: Of<"address">;
    readonly volume: string;
    /** Groups of machines that the cloud creates and names. @default every machine is a resource of the stack */
    readonly group?: string;
    /** @default the network has none */
    readonly subnet?: Of<"zone" | "cidr">;
}

/** A resource type, as in `aws:ec2/instance:Instance`, and the names of some of its outputs. */
type Of<Fact extends string> = { readonly type: string } & Readonly<Record<Fact, string>>;

/** Every cloud but `local`. Records by `CloudName` in other files do not compile without an entry for each. */
const resources = {
    aws: {
        component: "AwsCluster",
        place: "on AWS",
        machine: {
            type: "aws:ec2/instance:Instance",
            publicAddress: "publicIp",
            size: "instanceType",
            zone: "availabilityZone",
        },
        network: { type: "aws:ec2/vpc:Vpc", cidr: "cidrBlock" },
        loadBalancer: { type: "aws:lb/loadBalancer:LoadBalancer", address: "dnsName" },
        volume: "aws:ebs/volume:Volume",
        group: "aws:autoscaling/group:Group",
        subnet: { type: "aws:ec2/subnet:Subnet", zone: "availabilityZone", cidr: "cidrBlock" },
    },
    digitalocean: {
        component: "DigitalOceanCluster",
        place: "on DigitalOcean",
        machine: {
            type: "digitalocean:index/droplet:Droplet",
            publicAddress: "ipv4Address",
            size: "size",
            zone: "region",
        },
        network: { type: "digitalocean:index/vpc:Vpc", cidr: "ipRange" },
        loadBalancer: { type: "digitalocean:index/loadBalancer:LoadBalancer", address: "ip" },
        volume: "digitalocean:index/volume:Volume",
    },
} as const satisfies Record<string, CloudResources>;

export type CloudName = keyof typeof resources;

export const clouds: Readonly<Record<CloudName, CloudResources>> = resources;
export const cloudNames = Object.keys(clouds) as CloudName[];
export const allClouds: readonly CloudResources[] = Object.values(clouds);
